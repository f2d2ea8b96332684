"""Lists, tables, keys, turns, logs, code and JSON: each gives statements that stand alone."""

from __future__ import annotations

import pytest

from remanence.extraction import texts

CASES: dict[str, tuple[str, list[str]]] = {
    "an item needs its announcement": (
        "Requirements:\n- must run offline\n- no inbound ports",
        ["Requirements: must run offline", "Requirements: no inbound ports"],
    ),
    "an item that is a sentence does not": (
        "## Notes\n- The cache uses Redis.\n- Tests are green.",
        ["The cache uses Redis.", "Tests are green."],
    ),
    "nested items carry their parents": (
        "- Storage\n  - snapshots\n    - every 6 hours",
        ["Storage: snapshots: every 6 hours"],
    ),
    "boxes are open or done": (
        "## Action items\n- [ ] Jorge: order two nodes\n- [x] Helen: clean up",
        ["Action items: Open: Jorge: order two nodes", "Action items: Done: Helen: clean up"],
    ),
    "a change carries its version": (
        "## 3.4.0\n### Removed\n* The `legacy_auth` setting",
        ["3.4.0: Removed: The `legacy_auth` setting"],
    ),
    "a Markdown table": (
        "| Service | Owner | Port |\n|---|---|---|\n| billing | Anna | 8443 |\n| mailer | | 25 |\n| | | |",
        ["Service: billing; Owner: Anna; Port: 8443", "Service: mailer; Port: 25"],
    ),
    "changes below a word": (
        "Release 4.2.0\nAdded\n- Export to EPUB\nFixed\n- Wrong time zone",
        ["Release 4.2.0: Added: Export to EPUB", "Release 4.2.0: Fixed: Wrong time zone"],
    ),
    "a review by mail": (
        "@dagny commented on this pull request.\n\nIn lib/ingest/worker.ex:\n\n> +  def tick(s), do: s\n\n"
        "The timer is never cancelled.\n\n—\nReply to this email directly or view it on GitHub.",
        ["lib/ingest/worker.ex — The timer is never cancelled."],
    ),
    "each claim of a remark keeps its place": (
        "- [src/auth/session.py:44] IDs are logged in plain text; the log must be masked.",
        [
            "[src/auth/session.py:44] IDs are logged in plain text.",
            "[src/auth/session.py:44] The log must be masked.",
        ],
    ),
    "a line of rules makes no heading of a log": (
        "[06:40:10] proofer INFO humidity 78 %\n[06:41:00] proofer ERROR tank empty\n==========",
        ["[06:40:10] proofer INFO humidity 78 %", "[06:41:00] proofer ERROR tank empty"],
    ),
    "a reaction is no item": (
        "Ines  9:02 AM\nthe slot moved to 14:20\nKofi  9:10 AM\n👍 i'll bring the tow bar",
        ["Ines: the slot moved to 14:20", "Kofi will bring the tow bar"],
    ),
    "numbered notes say a thing once": (
        "Note 1: The bell is broken.\nNote 2: The bell is broken.",
        ["The bell is broken."],
    ),
    "who answers is named": (
        "Sara: Who covers the Friday shift?\nLuis: Me.\nSara: great, thanks!",
        ["Who covers the Friday shift: Luis"],
    ),
    "a table by tabs": ("city\tmayor\nTarvik\tIngrid Moe", ["city: Tarvik; mayor: Ingrid Moe"]),
    "a table by blanks": (
        "Name       Role\nAnna Berg  Architect\nLuis       SRE",
        ["Name: Anna Berg; Role: Architect", "Name: Luis; Role: SRE"],
    ),
    "a table by commas": (
        "id,name,seats\n1,Acme,250\n2,Globex,5",
        ["id: 1; name: Acme; seats: 250", "id: 2; name: Globex; seats: 5"],
    ),
    "keys and values": (
        "Owner: Anna Berg\nDeadline: 3 March\nRepo: https://git.example.org/core.git",
        ["Owner: Anna Berg", "Deadline: 3 March", "Repo: https://git.example.org/core.git"],
    ),
    "keys below a key": (
        "database:\n  host: db-7.internal\n  port: 5433",
        ["database host: db-7.internal", "database port: 5433"],
    ),
    "settings below a section": (
        "[cache]\nttl_seconds = 900\nbackend=redis",
        ["cache ttl_seconds: 900", "cache backend: redis"],
    ),
    "turns name who speaks": (
        "Tom: I'll rotate the keys on Friday.\nAna: ok cool\nTom: The staging key is in Vault.\nAna: I prefer tabs.",
        [
            "Tom will rotate the keys on Friday.",
            "Tom: The staging key is in Vault.",
            "Ana prefers tabs.",
        ],
    ),
    "time stamps of turns are no facts": (
        "[10:33] Oskar: I opened ticket PB-881\n[10:41] Miro: fyi the branch is release/4.7\n[10:42] Oskar: lol right",
        ["Oskar opened ticket PB-881", "Miro: the branch is release/4.7"],
    ),
    "an answer is completed from its question": (
        "Q: Which port does the console use?\nA: 8443.\n\nQ: Is it free?\nA: No, it costs 5 euros.",
        ["Which port does the console use: 8443.", "The console costs 5 euros."],
    ),
    "a personal answer names who gives it": (
        "Interviewer: Where did you grow up?\nMirela: In Constanta.",
        ["Mirela: Where did you grow up: In Constanta."],
    ),
    "events once, heartbeats never": (
        "2024-08-12 03:14:07 INFO [job] Starting export\n"
        "2024-08-12 03:14:10 DEBUG [beat] alive\n"
        "2024-08-12 03:15:41 ERROR [job] Upload failed\n"
        "2024-08-12 03:16:41 ERROR [job] Upload failed",
        ["2024-08-12 03:14:07 INFO [job] Starting export", "2024-08-12 03:15:41 ERROR [job] Upload failed"],
    ),
    "of a stack trace its error": (
        'Traceback (most recent call last):\n  File "/srv/a.py", line 2, in f\nConnectionError: refused',
        ["ConnectionError: refused"],
    ),
    "progress is dropped": (
        "$ npm run build\n[=====>     ] 50%\n[===========] 100%\nBuild failed after 38.2 s",
        ["Build failed after 38.2 s"],
    ),
    "code gives nothing, a command with its sentence": (
        "```python\nimport os\nx = 1\n```\n\nRun the tests with:\n\n```\nmake test\n```\n",
        ["Run the tests with: make test"],
    ),
    "remarks carry file and line": (
        "src/pool.py:88 — the connection is never returned. Use a context manager.\n\n"
        "**File: `api/export.go`**\n\n> Line 57: `limit` is taken without a bound.",
        [
            "src/pool.py:88 — the connection is never returned.",
            "src/pool.py:88 — Use a context manager.",
            "api/export.go Line 57 — `limit` is taken without a bound.",
        ],
    ),
    "wrapped lines are one sentence": (
        "The lease for the site ends on 30 June and it\nwill not be renewed by the city of Malmö\nthis year.",
        [
            "The lease for the site ends on 30 June.",
            "The lease for the site will not be renewed by the city of Malmö this year.",
        ],
    ),
    "lines of notes are not": (
        "deploy freeze starts friday\nanna owns the rollback plan\nno staging access for contractors",
        ["deploy freeze starts friday", "anna owns the rollback plan", "no staging access for contractors"],
    ),
    "JSON": (
        '{"service": "billing", "env": {"debug": false}, "owners": ["anna", "tom"], "hosts": [{"a": 1, "b": 2}]}',
        ["service: billing", "env debug: false", "owners: anna, tom", "a: 1; b: 2"],
    ),
    "JSON, a line each": (
        '{"ts": 1, "level": "error", "msg": "timeout"}\n{"ts": 2, "level": "error", "msg": "timeout"}\n'
        '{"level": "debug"}',
        ["ts: 1; level: error; msg: timeout"],
    ),
    "Chinese and Japanese lists": (
        "要件：\n・オフラインで動作すること\n・応答時間は200ms以下",
        ["要件：オフラインで動作すること", "応答時間は200ms以下"],
    ),
}


@pytest.mark.parametrize("name", CASES)
def test_shape(name: str) -> None:
    text, statements = CASES[name]
    assert texts(text) == statements
