"""Transcripts as Claude Code and Codex write them: one invented coding session, told in either format.

The first 100 lines hold everything that is worth keeping (`PREFERENCES`, `CORRECTIONS`, `DECISIONS`, `FIXES`,
`REPEATED`) and every one of `SECRETS`; after them come more tasks of the same kind, with failures, fixes, compactions
and subagents, until there are as many lines as were asked for. The same seed tells the same session.
"""

import json
import random
import uuid
from collections.abc import Iterator
from datetime import UTC, datetime, timedelta
from typing import Any, NamedTuple

START = datetime(2026, 2, 20, 9, tzinfo=UTC)
FOLDER = "/home/ana/code/shop-api"

PREFERENCES = (
    "Always run the linter before you commit anything.",
    "Never push straight to main, open a pull request instead.",
    "I prefer small commits with a message in the imperative.",
)
CORRECTIONS = (
    "No, use pnpm instead of npm. This repository has a pnpm lockfile.",
    "No, don't edit the generated client by hand. Run `pnpm codegen` and it is written anew.",
)
DECISIONS = (
    "We decided to keep prices in integer cents, because floats gave wrong totals.",
    "Let's go with PostgreSQL for the orders, SQLite stays for the tests.",
)
FIXES = (
    (
        "pnpm test",
        "Error: connect ECONNREFUSED 127.0.0.1:5433\n    at TCPConnectWrap.afterConnect",
        "docker compose up -d db",
        "The tests need the database container: `docker compose up -d db` before `pnpm test`.",
    ),
)
REPEATED = "pnpm lint --fix"
"""A command that is run again and again."""
GITHUB = "ghp_" + "x7Qm2vT9kLp4" * 3
AWS = "AKIA" + "J4ZQ2XN7MB5KD3RT"
PASSWORD = "tr0ub4dor-9f3Kz"
SECRETS = (GITHUB, AWS, PASSWORD)
SUMMARY = "Prices moved to integer cents; checkout rounds once, at the end; the tests need the database container."
TITLE = "Integer cents in checkout"

_AREAS = ("checkout", "invoices", "refunds", "search", "login", "webhooks", "shipping", "coupons", "stock", "reports")
_WISHES = (
    "Add a test for {area} when the list is empty",
    "The {area} page is slow with 10k rows, can you have a look?",
    "Rename the handler in src/{area}/handler.ts to make clear what it does",
    "Why does {area} return 500 for a missing id?",
    "Please write down in docs/{area}.md how {area} works",
    "thanks! now the same for {area}",
    "ok, continue with {area}",
)
_REPLIES = (
    "I'll look at how {area} is built first.",
    "The handler in `src/{area}/handler.ts` loads every row; I'll page it by 200.",
    "Done. {area} now answers 404 for a missing id, and there is a test for it.",
    "The cause is a missing await in `src/{area}/service.ts`, line {line}.",
)
_ERRORS = (
    "TypeError: Cannot read properties of undefined (reading 'total')\n    at src/{area}/service.ts:{line}:17",
    "src/{area}/handler.ts:{line}:5 - error TS2345: Argument of type 'string' is not assignable to parameter 'number'.",
    "FAIL src/{area}/{area}.test.ts\n  ● {area} › totals\n    expected 1999, received 19.99",
)


class Step(NamedTuple):
    """One thing that happens: who does what, and with what end."""

    kind: str
    text: str = ""
    tool: str = ""
    input: dict[str, Any] | None = None
    failed: bool = False


def user(text: str) -> Step:
    return Step("user", text)


def says(text: str) -> Step:
    return Step("assistant", text)


def runs(command: str, output: str, *, failed: bool = False) -> Step:
    return Step("tool", output, "Bash", {"command": command, "description": "Run a command"}, failed)


def reads(path: str, text: str) -> Step:
    return Step("tool", text, "Read", {"file_path": path})


def edits(path: str, old: str, new: str) -> Step:
    return Step(
        "tool", f"The file {path} has been updated.", "Edit", {"file_path": path, "old_string": old, "new_string": new}
    )


def opening(folder: str = FOLDER) -> Iterator[Step]:
    """What the session begins with: everything in it that should be remembered, and every secret."""
    failing, error, mend, lesson = FIXES[0]
    yield user("hi")
    yield says("Hello! What shall we do today?")
    yield user("The totals in checkout are off by a cent sometimes. Please find out why and fix it.")
    yield Step("thinking", "Floats are likely. I should read the checkout code before guessing.")
    yield says("I'll read the checkout code first.")
    yield reads(f"{folder}/src/checkout/total.ts", "     1\texport const total = (items) =>\n     2\t  items.reduce(…)")
    yield runs("npm install", "npm warn deprecated\nadded 412 packages in 21s")
    yield user(CORRECTIONS[0])
    yield says("Understood, pnpm from now on.")
    yield runs("pnpm install", "Lockfile is up to date\nDone in 3.1s")
    yield runs(failing, error, failed=True)
    yield Step("thinking", "Port 5433 is the compose database. It is not running.")
    yield runs(mend, " ✔ Container shop-db  Started")
    yield runs(failing, "Tests: 148 passed, 148 total")
    yield says(lesson)
    yield user(PREFERENCES[0])
    yield runs(REPEATED, "✔ 0 problems")
    yield user(DECISIONS[0])
    yield edits(f"{folder}/src/checkout/total.ts", "price * qty", "priceCents * qty")
    yield runs(REPEATED, "✔ 0 problems")
    yield user(f"By the way, the staging database is postgres://shop:{PASSWORD}@db.staging.example:5432/shop")
    yield says("Noted; I won't write it into a file.")
    yield runs(
        "cat .env", f"AWS_ACCESS_KEY_ID={AWS}\nGITHUB_TOKEN={GITHUB}\nDATABASE_URL=postgres://localhost:5433/shop"
    )
    yield Step("meta", "Caveat: The messages below were generated by the user while running local commands.")
    yield Step("command", "/compact")
    yield edits(f"{folder}/src/generated/client.ts", "price: number", "priceCents: number")
    yield user(CORRECTIONS[1])
    yield runs("pnpm codegen", "client.ts written")
    yield user(PREFERENCES[1])
    yield says("I'll open a pull request.")
    yield runs("git push origin fix-cents", "To github.example:ana/shop-api.git\n * [new branch] fix-cents")
    yield user(DECISIONS[1])
    yield user(PREFERENCES[2])
    yield runs(REPEATED, "✔ 0 problems")
    yield runs(failing, "Tests: 151 passed, 151 total")
    yield says("All green. The totals are computed in integer cents, and rounding happens once, at the end.")
    yield Step("compaction", SUMMARY)


def task(chance: random.Random, folder: str = FOLDER) -> Iterator[Step]:
    """One more task: a wish, a look, a change, perhaps a failure and its fix."""
    words = {"area": chance.choice(_AREAS), "line": str(chance.randrange(10, 400))}
    path = "{folder}/src/{area}/{file}.ts".format(
        folder=folder, file=chance.choice(("handler", "service", "model")), **words
    )
    yield user(chance.choice(_WISHES).format(**words))
    if chance.random() < 0.6:
        yield Step("thinking", f"Let me see what {words['area']} does before I change it. " * chance.randrange(1, 6))
    yield says(chance.choice(_REPLIES).format(**words))
    lines = (f"{n:6}\tconst row{n} = load({chance.randrange(9999)});" for n in range(chance.randrange(5, 80)))
    yield reads(path, "\n".join(lines))
    if chance.random() < 0.15:
        yield Step("side", f"Find every caller of the {words['area']} handler", input={"path": path})
    yield edits(path, f"load({words['line']})", f"await load({words['line']})")
    if chance.random() < 0.4:
        yield runs("pnpm test " + words["area"], chance.choice(_ERRORS).format(**words), failed=True)
        yield says("That is a type error of mine; I'll mend it.")
        yield edits(path, "number", "string")
    yield runs("pnpm test " + words["area"], f"Tests: {chance.randrange(5, 90)} passed")
    yield runs(REPEATED, "✔ 0 problems")
    yield says(chance.choice(_REPLIES).format(**words))
    if chance.random() < 0.02:
        yield runs("env | grep TOKEN", f"GITHUB_TOKEN={GITHUB}")
    if chance.random() < 0.02:
        yield Step("compaction", f"So far: {words['area']} is done and tested; next are the others.")


def _script(seed: int, folder: str) -> Iterator[Step]:
    chance = random.Random(seed)
    yield from opening(folder)
    while True:
        yield from task(chance, folder)


class _Stamp:
    """Ids and times that go on from line to line."""

    def __init__(self, seed: int, start: datetime) -> None:
        self._chance = random.Random(f"ids {seed}")
        self._at = start

    def id(self) -> str:
        return str(uuid.UUID(int=self._chance.getrandbits(128), version=4))

    def short(self, prefix: str) -> str:
        return prefix + "".join(self._chance.choices("ABCDEFGHJKLMNPQRSTUVWXYZabcdefghjkmnpqrstuvwxyz23456789", k=22))

    def at(self) -> str:
        self._at += timedelta(seconds=self._chance.uniform(0.2, 9))
        return self._at.isoformat(timespec="milliseconds").replace("+00:00", "Z")


def session_id(seed: int, agent: str) -> str:
    """The id of the session that a seed tells for an agent (claude-code or codex)."""
    return str(uuid.UUID(int=random.Random(f"{agent} {seed}").getrandbits(128), version=4))


def claude_code_lines(
    seed: int = 0, events: int = 200, *, start: datetime = START, folder: str = FOLDER, session: str | None = None
) -> Iterator[str]:
    """A transcript of Claude Code, line by line, each with its newline."""
    made = _claude_code(seed, start, folder, session or session_id(seed, "claude-code"))
    for _, record in zip(range(events), made, strict=False):
        yield json.dumps(record, ensure_ascii=False, separators=(",", ":")) + "\n"


def _claude_code(seed: int, start: datetime, folder: str, session: str) -> Iterator[dict[str, Any]]:
    stamp = _Stamp(seed, start)
    last: str | None = None

    def line(type_: str, message: dict[str, Any] | None, **more: Any) -> dict[str, Any]:
        nonlocal last
        record = {
            "parentUuid": last,
            "isSidechain": False,
            "userType": "external",
            "cwd": folder,
            "sessionId": session,
            "version": "2.1.63",
            "gitBranch": "fix-cents",
            "type": type_,
            **({"message": message} if message is not None else {}),
            "uuid": stamp.id(),
            "timestamp": stamp.at(),
            **more,
        }
        last = record["uuid"]
        return record

    def reply(*blocks: dict[str, Any]) -> dict[str, Any]:
        usage = {"input_tokens": 4, "output_tokens": 120, "cache_read_input_tokens": 20211, "service_tier": "standard"}
        return {
            "model": "claude-sonnet-4-6",
            "id": stamp.short("msg_01"),
            "type": "message",
            "role": "assistant",
            "content": list(blocks),
            "stop_reason": None,
            "usage": usage,
        }

    snapshot = {"messageId": stamp.id(), "trackedFileBackups": {}, "timestamp": stamp.at()}
    yield {"type": "summary", "summary": TITLE, "leafUuid": stamp.id()}
    yield {"type": "file-history-snapshot", "messageId": stamp.id(), "snapshot": snapshot, "isSnapshotUpdate": False}
    for step in _script(seed, folder):
        if step.kind == "user":
            yield line("user", {"role": "user", "content": step.text})
        elif step.kind == "assistant":
            yield line("assistant", reply({"type": "text", "text": step.text}), requestId=stamp.short("req_01"))
        elif step.kind == "thinking":
            block = {"type": "thinking", "thinking": step.text, "signature": stamp.short("Eq") * 4}
            yield line("assistant", reply(block), requestId=stamp.short("req_01"))
        elif step.kind == "tool":
            call = stamp.short("toolu_01")
            use = {"type": "tool_use", "id": call, "name": step.tool, "input": step.input}
            yield line("assistant", reply(use), requestId=stamp.short("req_01"))
            result = {"tool_use_id": call, "type": "tool_result", "content": step.text, "is_error": step.failed}
            if step.tool != "Bash":
                result["content"] = [{"type": "text", "text": step.text}]
            yield line("user", {"role": "user", "content": [result]}, toolUseResult=_tool_use_result(step))
        elif step.kind == "meta":
            yield line("user", {"role": "user", "content": step.text}, isMeta=True)
        elif step.kind == "command":
            echo = f"<command-name>{step.text}</command-name>\n<command-message>{step.text[1:]}</command-message>"
            yield line("user", {"role": "user", "content": echo})
            yield line("user", {"role": "user", "content": "<local-command-stdout>done</local-command-stdout>"})
        elif step.kind == "compaction":
            before = last
            last = None
            about = {"trigger": "auto", "preTokens": 155_211}
            yield line(
                "system",
                None,
                subtype="compact_boundary",
                content="Conversation compacted",
                level="info",
                logicalParentUuid=before,
                compactMetadata=about,
            )
            told = f"This session is being continued from a previous conversation. Summary:\n{step.text}"
            only = {"isCompactSummary": True, "isVisibleInTranscriptOnly": True}
            yield line("user", {"role": "user", "content": told}, **only)
        elif step.kind == "side":
            call = stamp.short("toolu_01")
            use = {"type": "tool_use", "id": call, "name": "Task", "input": {"prompt": step.text}}
            yield line("assistant", reply(use))
            aside = {"isSidechain": True, "agentId": "3f2a91bc"}
            yield line("user", {"role": "user", "content": step.text}, **aside)
            found = f"There are 3 callers, all below {folder}/src."
            yield line("assistant", reply({"type": "text", "text": found}), **aside)
            result = {"tool_use_id": call, "type": "tool_result", "content": [{"type": "text", "text": found}]}
            yield line("user", {"role": "user", "content": [result]}, toolUseResult={"status": "completed"})


def _tool_use_result(step: Step) -> Any:
    if step.tool == "Bash":
        if step.failed:
            return f"Error: {step.text}"
        return {"stdout": step.text, "stderr": "", "interrupted": False, "isImage": False}
    path = (step.input or {}).get("file_path", "")
    if step.tool == "Read":
        return {"type": "text", "file": {"filePath": path, "content": step.text, "numLines": step.text.count("\n") + 1}}
    return {"filePath": path, "originalFile": "…", "structuredPatch": [], "userModified": False}


def codex_lines(
    seed: int = 0, events: int = 200, *, start: datetime = START, folder: str = FOLDER, session: str | None = None
) -> Iterator[str]:
    """A rollout of Codex, line by line, each with its newline."""
    made = _codex(seed, start, folder, session or session_id(seed, "codex"))
    for _, record in zip(range(events), made, strict=False):
        yield json.dumps(record, ensure_ascii=False, separators=(",", ":")) + "\n"


def _codex(seed: int, start: datetime, folder: str, session: str) -> Iterator[dict[str, Any]]:
    stamp = _Stamp(seed, start)

    def line(type_: str, **payload: Any) -> dict[str, Any]:
        return {"timestamp": stamp.at(), "type": type_, "payload": payload}

    def message(role: str, text: str) -> dict[str, Any]:
        part = {"type": "output_text" if role == "assistant" else "input_text", "text": text}
        return line("response_item", type="message", role=role, content=[part])

    yield line(
        "session_meta",
        id=session,
        timestamp=stamp.at(),
        cwd=folder,
        originator="codex_cli_rs",
        cli_version="0.98.0",
        source="cli",
        instructions=None,
        git={"commit_hash": "4be1c0d", "branch": "fix-cents"},
    )
    yield message("developer", "<permissions instructions>workspace-write</permissions instructions>")
    yield message("user", f"# AGENTS.md instructions for {folder}\n\n<INSTRUCTIONS>\nUse two spaces.\n</INSTRUCTIONS>")
    yield message(
        "user", f"<environment_context>\n  <cwd>{folder}</cwd>\n  <shell>bash</shell>\n</environment_context>"
    )
    for step in _script(seed, folder):
        if step.kind == "user":
            yield line("turn_context", cwd=folder, approval_policy="on-request", model="gpt-5.3-codex", effort="medium")
            yield message("user", step.text)
            yield line("event_msg", type="user_message", message=step.text, images=[])
        elif step.kind == "assistant":
            yield line("event_msg", type="agent_message", message=step.text)
            yield message("assistant", step.text)
        elif step.kind == "thinking":
            yield line("event_msg", type="agent_reasoning", text=step.text)
            summary = [{"type": "summary_text", "text": step.text}]
            yield line("response_item", type="reasoning", summary=summary, content=None, encrypted_content="gAAAAB" * 9)
        elif step.kind == "tool":
            yield from _codex_tool(step, stamp, line)
        elif step.kind == "compaction":
            yield line("compacted", message=step.text, replacement_history=[])
            yield line("event_msg", type="context_compacted")
        elif step.kind == "side":
            call = stamp.short("call_")
            prompt = json.dumps({"message": step.text})
            yield line("response_item", type="function_call", name="spawn_agent", arguments=prompt, call_id=call)
            yield line("response_item", type="function_call_output", call_id=call, output='{"agent_id":"a1"}')


def _codex_tool(step: Step, stamp: _Stamp, line: Any) -> Iterator[dict[str, Any]]:
    call = stamp.short("call_")
    given = step.input or {}
    if step.tool == "Edit":
        patch = (
            f"*** Begin Patch\n*** Update File: {given['file_path']}\n@@\n"
            f"-{given['old_string']}\n+{given['new_string']}\n*** End Patch"
        )
        yield line(
            "response_item", type="custom_tool_call", status="completed", call_id=call, name="apply_patch", input=patch
        )
        output = json.dumps({"output": "Success. Updated the following files", "metadata": {"exit_code": 0}})
        yield line("response_item", type="custom_tool_call_output", call_id=call, output=output)
        return
    command = given.get("command") or f"sed -n 1,200p {given['file_path']}"
    arguments = json.dumps({"cmd": command, "workdir": FOLDER})
    yield line("response_item", type="function_call", name="exec_command", arguments=arguments, call_id=call)
    code = 1 if step.failed else 0
    output = f"Chunk ID: 4f1b2c\nWall time: 0.4 seconds\nProcess exited with code {code}\nOutput:\n{step.text}"
    yield line("response_item", type="function_call_output", call_id=call, output=output)
    yield line("event_msg", type="token_count", info=None)
