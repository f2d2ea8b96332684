"""What was configured, run as the host runs it: hooks by a shell, with the event on standard input; tools by MCP."""

from __future__ import annotations

import asyncio
import json
import subprocess
from pathlib import Path

import pytest
from mcp import Client, StdioServerParameters

from remanence import Mind
from remanence.interfaces.connect.hosts import HOSTS
from remanence.places import GUIDANCE, artifacts_of, folder_of
from remanence.sessions.envelope import EVENTS
from tests.interfaces.connect.machine import BY_NAME, NAMES, Machine, commands, servers
from tests.sessions import hooked


def called(machine: Machine, command: str, given: object) -> str:
    """What a command says to an event; it must end with 0 and complain of nothing."""
    environment = {**hooked.environment(machine.home), "REMANENCE_CONFIG": str(machine.config)}
    del environment["REMANENCE_MEMORIES__ENABLED"]  # config.yml says it
    data = json.dumps(given).encode()
    ran = subprocess.run(
        ["/bin/sh", "-c", command], input=data, capture_output=True, env=environment, cwd="/", timeout=30, check=False
    )
    assert (ran.returncode, ran.stderr) == (0, b"")
    return ran.stdout.decode()


def test_every_event_that_is_configured_is_known_to_the_hook() -> None:
    for host in HOSTS:
        assert set(host.events) <= EVENTS[host.name].keys()
        assert EVENTS[host.name].keys() - set(host.events) <= {"PostToolUseFailure"}


@pytest.mark.parametrize("name", NAMES)
def test_events_are_kept_and_guidance_is_given(machine: Machine, name: str) -> None:
    store = machine.home / "a store.db"
    machine.rem(name, "--yes", "--db", str(store), "--namespace", "mine")
    found = commands(machine.file(name), BY_NAME[name])
    folder = Path(folder_of(artifacts_of(str(store), "mine"), "/project/code"))
    folder.mkdir(parents=True)
    (folder / GUIDANCE).write_text(hooked.GUIDANCE)
    events = hooked.events(machine.project)
    said = {event: called(machine, command, events[name, event]) for event, (command,) in found.items()}

    first, *rest = BY_NAME[name].events
    answer = json.loads(said[first])
    text = answer["additional_context"] if name == "cursor" else answer["hookSpecificOutput"]["additionalContext"]
    assert text == hooked.GUIDANCE
    assert {event: said[event] for event in rest if said[event]} == (
        {"beforeSubmitPrompt": '{"continue":true}\n'} if name == "cursor" else {}
    )
    kept = [json.loads(file.read_bytes()) for file in sorted(Path(f"{store}.spool").glob("*.json"))]
    assert {(one["host"], one["namespace"], one["project"]) for one in kept} == {(name, "mine", "/project/code")}
    assert {"Use pnpm, never npm."} == {one["told"]["prompt"] for one in kept if "prompt" in one.get("told", {})}
    assert [one["event"] for one in kept] == list(BY_NAME[name].events)


@pytest.mark.parametrize("name", NAMES)
def test_nothing_is_kept_once_it_is_switched_off(machine: Machine, name: str) -> None:
    machine.rem(name, "--yes")
    found = commands(machine.file(name), BY_NAME[name])
    machine.rem(name, "--remove", "--yes")
    events = hooked.events(machine.project)
    prompt = BY_NAME[name].events[1]
    assert called(machine, found[prompt][0], events[name, prompt]) in ("", '{"continue":true}\n')
    assert not hooked.spool_of(machine.home).exists()


@pytest.mark.parametrize("name", NAMES)
def test_tools_are_there_and_have_the_store_of_the_hooks(machine: Machine, name: str) -> None:
    store = machine.home / "a store.db"
    machine.rem(name, "--yes", "--db", str(store), "--namespace", "mine")
    entry = servers(machine.tools(name))["remanence"]
    environment = {**hooked.environment(machine.home), "REMANENCE_EMBEDDER": "none", **entry.get("env", {})}
    started = StdioServerParameters(command=entry["command"], args=entry["args"], env=environment, cwd="/")

    async def talk() -> bool:
        async with Client(started) as client:
            tools = {tool.name for tool in (await client.list_tools()).tools}
            made = await client.call_tool("remember", {"text": "Prices are integer cents."})
            return {"remember", "recall"} <= tools and not made.is_error

    assert asyncio.run(talk())
    with Mind(store, namespace="mine") as mind:
        assert [memory.text for memory in mind.list()] == ["Prices are integer cents."]
