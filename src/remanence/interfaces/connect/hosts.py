"""The agents that can be connected: where each keeps its hooks and its tools, which events are wanted, in what form.

A host calls `rem hook EVENT --host HOST` with its own event names, and starts `rem mcp` for its tools. An event is
listed only where it tells something that is kept (a prompt, a call, an answer, an end) or where guidance can be given.
Timeouts are in the host's own unit; the hook itself gives up after two seconds.
"""

from __future__ import annotations

import shutil
from collections.abc import Mapping
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

from remanence.errors import InvalidInput


@dataclass(frozen=True, slots=True, kw_only=True)
class Host:
    """One agent program, the file its hooks stand in, and the file its MCP servers stand in."""

    name: str
    title: str
    folder: str
    file: str
    project_file: str
    executables: tuple[str, ...]
    events: tuple[str, ...]
    timeout: int
    grouped: bool = True
    """Hooks stand in groups ({"hooks": […]}), or else directly below their event."""
    label: str | None = None
    """A name for the hook, where the host shows one."""
    more: Mapping[str, Mapping[str, Any]] = field(default_factory=dict)
    """What the hook of an event says besides, by event."""
    opening: Mapping[str, Any] | None = None
    """What a file of this host must hold besides hooks."""
    members: tuple[str, ...] = ()
    """All that the file may hold, in plain JSON: with anything else the host reads nothing of it. Empty: no matter."""
    variable: str | None = None
    """The host's own variable that moves its folder."""
    variable_is_parent: bool = False
    off: tuple[tuple[tuple[str, ...], object], ...] = ()
    """Settings in the same file by which a user has switched all hooks off."""
    tools_file: str
    project_tools_file: str
    tools_at_home: bool = False
    """The file of its tools stands in the home folder, unless the variable is set."""
    server: Mapping[str, Any] = field(default_factory=lambda: {"command": "", "args": []})
    """The form of an MCP server's entry; command and args are filled in."""
    advice: str
    tools_advice: str = "/mcp lists the tools."


_BEGIN, _END = ("SessionStart", "UserPromptSubmit", "PostToolUse"), ("PreCompact", "Stop", "SubagentStop", "SessionEnd")
_CODEX_CONTEXT_TOKENS = 10_000
"""Of a longer text Codex shows its model the two ends; 2,500 where nothing is said. Guidance has 5,000, unless set."""
HOSTS: tuple[Host, ...] = (
    Host(
        name="claude-code",
        title="Claude Code",
        folder=".claude",
        file="settings.json",
        # A project's settings.json is shared, and would carry a path of this machine to others.
        project_file=".claude/settings.local.json",
        executables=("claude",),
        # PostToolUse tells only of what went well.
        events=(*_BEGIN, "PostToolUseFailure", *_END),
        timeout=5,
        variable="CLAUDE_CONFIG_DIR",
        off=((("disableAllHooks",), True),),
        tools_file=".claude.json",
        project_tools_file=".mcp.json",
        tools_at_home=True,
        server={"type": "stdio", "command": "", "args": [], "env": {}},
        advice="Sessions that run already go on without it; start a new one. /hooks lists what is connected.",
    ),
    Host(
        name="codex",
        title="Codex",
        folder=".codex",
        file="hooks.json",
        project_file=".codex/hooks.json",
        executables=("codex",),
        events=(*_BEGIN, *_END),
        timeout=3,  # Codex allows its SessionEnd no more, and warns
        more={"SessionStart": {"additionalContextLimit": _CODEX_CONTEXT_TOKENS}},
        members=("description", "hooks"),
        variable="CODEX_HOME",
        tools_file="config.toml",
        project_tools_file=".codex/config.toml",
        advice="Codex runs a new hook only once you trust it: start codex, type /hooks and trust those of rem.",
    ),
    Host(
        name="cursor",
        title="Cursor",
        folder=".cursor",
        file="hooks.json",
        project_file=".cursor/hooks.json",
        executables=("cursor", "cursor-agent"),
        events=(
            *("sessionStart", "beforeSubmitPrompt", "afterShellExecution", "afterMCPExecution", "afterFileEdit"),
            *("afterAgentResponse", "preCompact", "stop", "sessionEnd"),
        ),
        timeout=5,
        grouped=False,
        opening={"version": 1},
        tools_file="mcp.json",
        project_tools_file=".cursor/mcp.json",
        advice="Restart Cursor, or open a new agent session; Settings → Hooks lists what is connected.",
        tools_advice="Settings → MCP lists the tools; switch remanence on there if it is off.",
    ),
    Host(
        name="gemini",
        title="Gemini CLI",
        folder=".gemini",
        file="settings.json",
        project_file=".gemini/settings.json",
        executables=("gemini",),
        events=("SessionStart", "BeforeAgent", "AfterTool", "AfterAgent", "PreCompress", "SessionEnd"),
        timeout=5_000,
        label="remanence",
        variable="GEMINI_CLI_HOME",
        variable_is_parent=True,
        off=((("hooksConfig", "enabled"), False), (("tools", "enableHooks"), False)),
        tools_file="settings.json",
        project_tools_file=".gemini/settings.json",
        advice="Sessions that run already go on without it; start a new one. /hooks panel lists what is connected.",
    ),
)


@dataclass(frozen=True, slots=True, kw_only=True)
class Places:
    """Where things are for this user: the home folder, hosts' own variables, the project, our config.yml."""

    home: Path
    project: Path
    config: Path
    variables: Mapping[str, str]
    path: str | None = None
    """Where programs are looked for; None: as the shell does."""

    def folder(self, host: Host) -> Path:
        """The folder in which a host keeps the user's configuration."""
        if not (chosen := self._moved_to(host)):
            return self.home / host.folder
        folder = self.home / chosen[2:] if chosen.startswith("~/") else Path(chosen).absolute()
        return folder / host.folder if host.variable_is_parent else folder

    def file(self, host: Host, *, project: bool = False) -> Path:
        """The file in which a host's hooks stand: the user's, or the project's own."""
        return self.project / host.project_file if project else self.folder(host) / host.file

    def tools_file(self, host: Host, *, project: bool = False) -> Path:
        """The file in which a host's MCP servers stand: the user's, or the project's own."""
        if project:
            return self.project / host.project_tools_file
        at_home = host.tools_at_home and not self._moved_to(host)
        return (self.home if at_home else self.folder(host)) / host.tools_file

    def installed(self, host: Host) -> bool:
        """Whether there are signs of the host: its folder, or its program."""
        return self.folder(host).is_dir() or any(shutil.which(name, path=self.path) for name in host.executables)

    def _moved_to(self, host: Host) -> str:
        return self.variables.get(host.variable or "", "").strip()


def host_of(name: str) -> Host:
    """The host of this name; InvalidInput listing those there are."""
    for host in HOSTS:
        if host.name == name:
            return host
    known = ", ".join(host.name for host in HOSTS)
    raise InvalidInput(f"no agent is called {name!r}; known are {known}. 'rem connect' shows which are installed")


def project_root(folder: Path) -> Path:
    """The folder a host takes for the project: the nearest one with a .git, or else the folder itself."""
    return next((place for place in (folder, *folder.parents) if (place / ".git").exists()), folder)
