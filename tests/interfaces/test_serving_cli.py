"""`rem serve --open`: a browser with a window is started, without the token in its words; else the terminal is told."""

from __future__ import annotations

import webbrowser
from pathlib import Path
from threading import Event
from types import SimpleNamespace
from typing import Any

import pytest

from remanence.interfaces.cli import serving
from remanence.interfaces.tokens import Owner

URL, TOKEN = "http://127.0.0.1:7411", "rem_secret"


class Browser(webbrowser.BaseBrowser):
    """One that only notes what it is to show."""

    def __init__(self) -> None:
        super().__init__("noted")
        self.shown: list[str] = []
        self.began = Event()

    def open(self, url: str, new: int = 0, autoraise: bool = True) -> bool:
        self.shown.append(url)
        self.began.set()
        return True


def said(tmp_path: Path, *, is_opened: bool = True) -> None:
    store = str(tmp_path / "memory.db")
    Path(store).touch()
    door: Any = SimpleNamespace(db=None, as_json=False)
    address: Any = SimpleNamespace(url=URL)
    serving._say(door, store, store, address, Owner(TOKEN, made=True), is_opened)


def test_a_browser_is_started_with_a_file_that_leads_to_the_page(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    browser = Browser()
    monkeypatch.setattr(webbrowser, "get", lambda: browser)
    said(tmp_path)
    assert browser.began.wait(10)
    (shown,) = browser.shown
    assert TOKEN not in shown and shown.startswith("file://")
    file = Path(shown.removeprefix("file://"))
    assert f"{URL}/#token={TOKEN}" in file.read_text("utf-8") and file.stat().st_mode & 0o077 == 0
    told = capsys.readouterr().out
    assert "opened in your browser" in told and TOKEN not in told


@pytest.mark.parametrize("is_terminal", [True, False])
def test_without_a_browser_the_terminal_is_told_and_no_file(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str], is_terminal: bool
) -> None:
    monkeypatch.setattr(webbrowser, "get", lambda: webbrowser.GenericBrowser("w3m"))
    monkeypatch.setattr("sys.stdout.isatty", lambda: is_terminal)
    said(tmp_path)
    assert (f"{URL}/#token={TOKEN}" in capsys.readouterr().out) is is_terminal


def test_nothing_is_opened_unasked(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    monkeypatch.setattr(webbrowser, "get", lambda: pytest.fail("asked for a browser"))
    said(tmp_path, is_opened=False)
    assert TOKEN not in capsys.readouterr().out
