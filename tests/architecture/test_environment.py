"""Settings is the only reader of the environment, so that one page can list every variable.

But for the hook, which is done before the settings are loaded; tests/sessions/test_switches.py holds it against them.
"""

from __future__ import annotations

from tests.architecture.sources import PACKAGE, modules, references

READERS = {"os.environ", "os.environb", "os.getenv", "os.getenvb"}
DOORS = (PACKAGE / "settings" / "__init__.py", PACKAGE / "sessions" / "hook.py")


def environment_reads(source: str) -> list[str]:
    # `os.environ.get` holds `os.environ` as an inner node, so whole names are enough.
    return [f"{line}: {name}" for line, name in references(source) if name in READERS]


def test_only_settings_reads_the_environment() -> None:
    found = [
        f"{path.relative_to(PACKAGE)}:{read}"
        for path in modules()
        if path not in DOORS
        for read in environment_reads(path.read_text("utf-8"))
    ]
    assert not found, "read it in settings/ and pass the value on:\n" + "\n".join(found)


def test_a_read_is_seen() -> None:
    assert environment_reads('import os\nx = os.environ.get("A")')
    assert environment_reads("from os import getenv")
    assert not environment_reads("import os\nx = os.getpid()")
