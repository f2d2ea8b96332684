"""Secrets: what is found in labelled samples, what the finder costs, and what hostile texts do to it.

    python benchmarks/redaction.py [--data FOLDER_OR_ARCHIVE]

The samples are CredSweeper's (tests/samples with tests/data/output.json, as a .tar.xz or unpacked). A label counts as
found where no character of its value is left but signs. Containers (archives, pictures, documents) are left out: text
is what comes to us. Costs are of the process's CPU, median of some runs.
"""

from __future__ import annotations

import argparse
import json
import random
import statistics
import string
import sys
import tarfile
import tempfile
import time
from collections import defaultdict
from collections.abc import Callable
from pathlib import Path

from remanence.guard.secrets import find, redact

CLEAN = (
    "Ann prefers short commit messages and wants every migration to be reversible. The staging cluster runs in "
    "Frankfurt, the nightly job starts at 02:30 and takes about forty minutes; ask Ben first."
)
WITH_NAMES = "The password policy wants twelve characters, the token bucket holds 500 tokens, the API key page is slow."


def median_ms(job: Callable[[], object], runs: int = 9) -> float:
    took = []
    for _ in range(runs):
        begun = time.process_time()
        job()
        took.append((time.process_time() - begun) * 1000)
    return statistics.median(took)


def hostile(size: int = 100_000) -> dict[str, str]:
    """Texts made to be slow, each of `size` characters."""
    r = random.Random(7)
    alnum = string.ascii_letters + string.digits
    drawn = "".join(r.choices(alnum + "+/", k=size))
    units = {
        "one letter": "a",
        "one digit": "1",
        "one space": " ",
        "one dash": "-",
        "one line end": "\n",
        "quotes": '"',
        "words: password": "password ",
        "words: password is": "password is ",
        "words: password for": "password for ",
        "words: the secret token": "the secret token key ",
        "words: is the": "x1 is the ",
        "names set to nothing": "password=",
        "names with colons": "token: ",
        "names in quotes": '"password": "',
        "names and open quotes": "password='",
        "long names": "password" + "_a" * 20 + " ",
        "passpass": "pass",
        "keys": "key key=",
        "private, open": "<private>",
        "private, half": "<private ",
        "private, nested": "<private>a</private",
        "pem, begun": "-----BEGIN RSA PRIVATE KEY-----",
        "pem, half": "-----BEGIN ",
        "pem, lines": "-----BEGIN PRIVATE KEY-----\nMIIEvQIBADANBgkqhkiG9w0BAQEF\n",
        "addresses": "a://",
        "addresses with users": "a://b:c",
        "at signs": "a:b@",
        "queries": "?token=",
        "jwt": "eyJ",
        "jwt, dots": "eyJhbGciOi.",
        "sk": "sk-",
        "sk, longer": "sk-" + "a" * 17 + "-",
        "sendgrid": "SG.",
        "telegram": "12345678:AA",
        "discord": "M" * 24 + ".",
        "hex": "0123456789abcdef",
        "uuids": "123e4567-e89b-12d3-a456-426614174000 ",
        "bearer": "Bearer ",
        "basic": "Authorization: Basic ",
        "login": "login with ",
        "login pairs": "login a / ",
        "pins": "pin is 12 ",
        "seed words": "seed phrase abandon ",
        "recovery codes": "recovery codes 1234-",
        "mysql": "mysql -u ",
        "curl": "curl -u a",
        "echo": "echo aaaa ",
        "flags": "--password ",
        "cookies": "cookie: a=b; ",
        "marks": "[redacted:password] ",
        "zero width": "p\u200ba\u200bs\u200bs\u200b",
        "full width": "\uff50\uff41\uff53\uff53",
        "han": "密码是",
        "kana": "パスワードは",
        "lines of base64": drawn[:64] + "\n",
        "hashes": "$2b$12$",
        "dollars": "$6$a$",
        "secrets": "password=Zq3vT9xLm2 ",
        "emails": "a@b.",
        "tags": "<password>",
        "cells": "| password |",
        "pgpass": "a:1:b:c:",
        "questions": "password? -> ",
        "corrections": "the password isn't x1y2 ",
        "changes": "change password from a1b2 to ",
        "lists of logins": "logins: a:b, ",
        "lists of codes": "recovery codes: a1b2-c3d4, ",
        "passphrases": "passphrase: one two three ",
    }
    made = {name: (unit * (size // len(unit) + 1))[:size] for name, unit in units.items()}
    made["no spaces"] = drawn
    made["every mark"] = "".join(r.choices(_marks(), k=size // 5))[:size]
    made["every word"] = " ".join(
        r.choices([*_marks(), "is", "password", "the", "for", "token", "login", "/", ":", "="], k=size // 6)
    )[:size]
    return made


def _marks() -> list[str]:
    from remanence.guard.secrets.patterns import SHAPES

    return [mark for shape in SHAPES for mark in shape.marks]


def labelled(folder: Path) -> None:
    labels = json.loads((folder / "tests/data/output.json").read_text(encoding="utf-8"))
    by_rule: dict[str, list[bool]] = defaultdict(list)
    missed: list[str] = []
    texts: dict[str, tuple[str, str] | None] = {}
    for label in labels:
        path = label["line_data_list"][0]["path"]
        if path not in texts:
            text = _read(folder / path)
            texts[path] = None if text is None else (text, _blanked(text))
        found = texts[path]
        if found is None:
            continue
        gone = all(_gone(*found, line) for line in label["line_data_list"])
        by_rule[label["rule"]].append(gone)
        if not gone:
            line = label["line_data_list"][0]
            where = f"{label['rule']}: {path}:{line['line_num']}"
            missed.append(f"{where}: {line['line'].strip()[:80]!r} value {line['value'][:40]!r}")
    every = [gone for rule in by_rule.values() for gone in rule]
    print(f"\nlabelled values gone: {sum(every)} of {len(every)} ({sum(every) / len(every):.1%})")
    for rule, gone in sorted(by_rule.items(), key=lambda item: sum(item[1]) - len(item[1])):
        if not all(gone):
            print(f"  {rule}: {sum(gone)} of {len(gone)}")
    print("missed:")
    for line in missed:
        print("  " + line)
    left_out = sorted(path for path, text in texts.items() if text is None)
    print(f"left out (no text): {', '.join(left_out)}")


def _read(path: Path) -> str | None:
    if not path.exists():
        return None
    data = path.read_bytes()
    if data.startswith((b"\xff\xfe", b"\xfe\xff")):
        return data.decode("utf-16")
    if b"\0" in data[:4000]:
        return None
    try:
        return data.decode("utf-8")
    except UnicodeDecodeError:
        return data.decode("latin-1")


def _blanked(text: str) -> str:
    """The text with a NUL for each character of a secret, so that places stay."""
    chars = list(text)
    for _, start, end in find(text):
        for at in range(start, end):
            if chars[at] != "\n":
                chars[at] = "\0"
    return "".join(chars)


def _gone(text: str, blanked: str, line: dict) -> bool:
    lines, left = text.split("\n"), blanked.split("\n")
    number, value = line["line_num"] - 1, line["value"]
    if not 0 <= number < len(lines) or value not in lines[number]:
        return value not in blanked and value.split("\n")[0] not in blanked
    at = (
        line["value_start"]
        if lines[number].startswith(value, max(0, line["value_start"]))
        else lines[number].find(value)
    )
    rest = left[number][at : at + len(value)]
    return sum(c.isalnum() for c in rest) <= len(value) * 0.1


def costs() -> None:
    def many(text: str) -> float:
        return median_ms(lambda: [find(text) for _ in range(200)]) / 200

    print("ms a text: clean, 200 characters", f"{many(CLEAN):.4f}")
    print("ms a text: with telling words", f"{many(WITH_NAMES):.4f}")
    try:
        sys.path.insert(0, str(Path(__file__).resolve().parent.parent))
        from tests.guard.benign_texts import benign
        from tests.guard.secret_texts import with_secrets
    except ImportError:
        return
    cases, clean = with_secrets(), benign()
    for name, texts in (("with secrets", [case.text for case in cases]), ("benign", clean)):
        took = [median_ms(lambda text=text: redact(text), 3) for text in texts]  # type: ignore[misc]
        print(f"ms a text: {name}, median {statistics.median(took):.3f}, worst {max(took):.3f}")
    found = sum(case.value not in redact(case.text).text for case in cases)
    false = sum(bool(find(text)) for text in clean)
    print(f"recall {found} of {len(cases)} ({found / len(cases):.2%})")
    print(f"false {false} of {len(clean)} ({false / len(clean):.2%})")
    from tests.guard.benign_texts import benign_outside
    from tests.guard.secret_texts import outside

    told, plain = outside(), benign_outside()
    found = sum(all(value not in redact(text).text for value in values) for text, values in told)
    false = sum(bool(find(text)) for text in plain)
    print(
        f"rounds from outside: recall {found} of {len(told)} ({found / len(told):.2%}), false {false} of {len(plain)}"
    )
    for name, texts in (("notes", [CLEAN]), ("notes about secrets", [*clean, *plain])):
        joined = "\n".join(texts)
        million = (joined * (1_000_000 // len(joined) + 1))[:1_000_000]
        took_ms = median_ms(lambda text=million: find(text), 3)  # type: ignore[misc]
        print(f"ms for 1,000,000 characters of {name}: {took_ms:.0f}")
    took = {name: median_ms(lambda text=text: redact(text), 3) for name, text in hostile().items()}  # type: ignore[misc]
    print("ms for 100,000 hostile characters, slowest first:")
    for name, ms in sorted(took.items(), key=lambda item: -item[1])[:12]:
        print(f"  {name}: {ms:.0f}")


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--data", type=Path, help="CredSweeper's samples: a folder or a .tar.xz")
    args = parser.parse_args()
    costs()
    if args.data is None:
        return
    if args.data.is_dir() and (args.data / "tests/data/output.json").exists():
        labelled(args.data)
        return
    archive = args.data if args.data.is_file() else next(args.data.rglob("credsweeper_samples.tar.xz"))
    with tempfile.TemporaryDirectory() as folder, tarfile.open(archive) as packed:
        packed.extractall(folder, filter="data")
        labelled(next(Path(folder).rglob("tests/data/output.json")).parents[2])


if __name__ == "__main__":
    main()
