"""Exports as ChatGPT, Claude and mem0 write them, small and invented; and archives, sound and hostile."""

import io
import json
import zipfile
from pathlib import Path
from typing import Any

GITHUB = "ghp_" + "x7Qm2vT9kLp4" * 3
BEGUN = 1_760_000_000.0
"""October 2025, as ChatGPT writes moments."""


def node(id: str, parent: str | None, role: str, *parts: Any, **more: Any) -> dict[str, Any]:
    """A node of ChatGPT's tree; `content` and other fields of the message may be given."""
    content = more.pop("content", {"content_type": "text", "parts": list(parts)})
    message = {
        "id": id,
        "author": {"role": role, "name": more.pop("name", None), "metadata": {}},
        "create_time": BEGUN + len(id),
        "update_time": None,
        "content": content,
        "status": "finished_successfully",
        "end_turn": True,
        "weight": 1.0,
        "metadata": more.pop("metadata", {}),
        "recipient": more.pop("recipient", "all"),
        "channel": None,
    }
    return {"id": id, "message": message, "parent": parent, "children": []}


def chatgpt(id: str = "6f0c1f7e-0000-4000-8000-000000000001", last: str = "a-2-kept") -> dict[str, Any]:
    """A conversation with a hidden prompt, reasoning, a call of a tool, a picture, and an answer asked for anew."""
    hidden = {"is_visually_hidden_from_conversation": True}
    code = {"content_type": "code", "language": "python", "text": "sum([1999, 501])"}
    nodes = [
        {"id": "root", "message": None, "parent": None, "children": ["sys"]},
        node("sys", "root", "system", "", metadata=hidden),
        node(
            "custom",
            "sys",
            "user",
            content={"content_type": "user_editable_context", "user_profile": "I am Ana", "user_instructions": "short"},
        ),
        node("u-1", "custom", "user", "Add 19.99 and 5.01 in cents for the Lisbon invoice."),
        node("think", "u-1", "assistant", content={"content_type": "thoughts", "thoughts": [{"content": "cents"}]}),
        node("call", "think", "assistant", content=code, recipient="python"),
        node("result", "call", "tool", content={"content_type": "execution_output", "text": "2500"}, name="python"),
        node("a-1", "result", "assistant", "That is 2,500 cents."),
        node(
            "u-2",
            "a-1",
            "user",
            {"content_type": "image_asset_pointer", "asset_pointer": "file-service://x"},
            "We decided to send invoices on the first of a month.",
            content={
                "content_type": "multimodal_text",
                "parts": [
                    {"content_type": "image_asset_pointer", "asset_pointer": "file-service://x"},
                    "We decided to send invoices on the first of a month.",
                ],
            },
        ),
        node("a-2-dropped", "u-2", "assistant", "An answer that was asked for anew."),
        node("a-2-kept", "u-2", "assistant", "Noted: invoices go out on the first."),
    ]
    return {
        "title": "Lisbon invoices",
        "create_time": BEGUN,
        "update_time": BEGUN + 99,
        "mapping": {one["id"]: one for one in nodes},
        "current_node": last,
        "conversation_id": id,
        "id": id,
    }


def claude(id: str = "0d9e1c52-0000-4000-8000-000000000002", turns: int = 1) -> dict[str, Any]:
    """A conversation of Claude with thinking, a tool and an attachment."""
    messages: list[dict[str, Any]] = []
    for turn in range(turns):
        stamp = f"2025-11-{turn % 28 + 1:02d}T09:00:00.000000Z"
        about = {"created_at": stamp, "updated_at": stamp, "attachments": [], "files": []}
        asked = f"Which port does service {turn} use in staging?"
        messages.append(
            {
                "uuid": f"h-{turn}",
                "text": asked,
                "content": [{"type": "text", "text": asked}],
                "sender": "human",
                **about,
            }
        )
        blocks = [
            {"type": "thinking", "thinking": "Look it up."},
            {"type": "tool_use", "id": f"toolu_{turn}", "name": "web_search", "input": {"query": f"service {turn}"}},
            {"type": "tool_result", "tool_use_id": f"toolu_{turn}", "content": [{"type": "text", "text": "port 8080"}]},
            {"type": "text", "text": f"Service {turn} listens on 8080."},
        ]
        messages.append({"uuid": f"a-{turn}", "text": "", "content": blocks, "sender": "assistant", **about})
    return {
        "uuid": id,
        "name": "Ports",
        "summary": "",
        "created_at": "2025-11-01T09:00:00.000000Z",
        "updated_at": "2025-11-01T09:05:00.000000Z",
        "account": {"uuid": "acc"},
        "chat_messages": messages,
    }


def mem0(number: int = 3) -> list[dict[str, Any]]:
    """Memories as mem0 lists them."""
    texts = (
        "Prefers tea over coffee in the morning",
        "Works at Acme as a platform engineer",
        "Is allergic to peanuts",
    )
    return [
        {
            "id": f"m-{n}",
            "memory": texts[n] if n < len(texts) else f"Visited customer number {n} in the north",
            "hash": f"{n:032x}",
            "user_id": "ana",
            "categories": ["personal"],
            "metadata": {"type": "profile"},
            "created_at": "2025-07-25T23:57:00.108347-07:00",
            "updated_at": None,
        }
        for n in range(number)
    ]


def archive(path: Path, **members: Any) -> Path:
    """A zip file of JSON documents, by name with __ for the dot."""
    with zipfile.ZipFile(path, "w", zipfile.ZIP_DEFLATED) as made:
        for name, value in members.items():
            made.writestr(name.replace("__", "."), json.dumps(value))
    return path


def encrypted(path: Path, name: str, content: bytes) -> Path:
    """A zip file whose one member says that it is encrypted."""
    raw = io.BytesIO()
    with zipfile.ZipFile(raw, "w") as made:
        made.writestr(name, content)
    data = bytearray(raw.getvalue())
    for mark, offset in ((b"PK\x03\x04", 6), (b"PK\x01\x02", 8)):
        data[data.index(mark) + offset] |= 1
    path.write_bytes(bytes(data))
    return path
