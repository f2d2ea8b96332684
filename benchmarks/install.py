"""What an installation takes: bytes of an empty environment with model and server, and the first recall in it.

Installs this tree, as a wheel would be, from the package index into an environment of its own, away from the tree;
needs the network. Nothing is left behind.

    python benchmarks/install.py [--extras serve] [--json out.json] [--markdown out.md]
"""

from __future__ import annotations

import argparse
import json
import os
import subprocess
import sys
import tempfile
import time
from pathlib import Path

TREE = Path(__file__).resolve().parent.parent


def folder_bytes(folder: Path) -> int:
    return sum(path.lstat().st_size for path in folder.rglob("*") if not path.is_dir())


def measured(extras: str) -> dict[str, float]:
    with tempfile.TemporaryDirectory(prefix="remanence-install-") as given:
        home = Path(given)
        made = home / "venv"
        plain = {name: value for name, value in os.environ.items() if not name.startswith(("REMANENCE_", "PYTHON"))}
        plain |= {"HOME": given, "XDG_CONFIG_HOME": given, "XDG_DATA_HOME": given}

        def timed(*words: str | Path) -> float:
            began = time.perf_counter()
            subprocess.run(list(map(str, words)), cwd=home, env=plain, check=True, stdout=subprocess.DEVNULL)
            return time.perf_counter() - began

        timed(sys.executable, "-m", "venv", made)
        before = folder_bytes(made)
        pip = (made / "bin" / "python", "-m", "pip", "install", "-qq", "--disable-pip-version-check")
        installing = timed(*pip, f"{TREE}[{extras}]" if extras else TREE)
        db = ("--db", home / "memory.db")
        rem = made / "bin" / "rem"
        remember = timed(rem, *db, "remember", "The heron nests by the lake")
        recall = timed(rem, *db, "recall", "where is the bird's nest")
        again = timed(rem, *db, "recall", "where is the bird's nest")
        return {
            "megabytes": (folder_bytes(made) - before) / 1e6,
            "installing_seconds": installing,
            "first_remember_seconds": remember,
            "first_recall_seconds": recall,
            "recall_seconds": again,
        }


def table(found: dict[str, float], extras: str) -> str:
    rows = {
        f"installed, `remanence[{extras}]`, MB": f"{found['megabytes']:.0f}",
        "installing, s": f"{found['installing_seconds']:.0f}",
        "first `rem remember`, which makes the store, s": f"{found['first_remember_seconds']:.2f}",
        "first `rem recall` after it, s": f"{found['first_recall_seconds']:.2f}",
        "`rem recall` again, s": f"{found['recall_seconds']:.2f}",
    }
    return "\n".join(["| | |", "|---|--:|", *(f"| {name} | {value} |" for name, value in rows.items())])


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--extras", default="serve", help="extras to install with it")
    parser.add_argument("--json", type=Path, help="write the figures there")
    parser.add_argument("--markdown", type=Path, help="write the table there")
    options = parser.parse_args()
    found = measured(options.extras)
    text = table(found, options.extras)
    print(text)
    if options.json:
        options.json.write_text(json.dumps(found, indent=1) + "\n", encoding="utf-8")
    if options.markdown:
        options.markdown.write_text(text + "\n", encoding="utf-8")


if __name__ == "__main__":
    main()
