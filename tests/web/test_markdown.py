"""Markdown that nobody meant well: it is drawn, or left as text, and never slow."""

from __future__ import annotations

from typing import Any

from playwright.sync_api import Page

from tests.web.going import at

_DRAWN = """async (text) => {
  const { markdown } = await import("/page/parts/markdown.js");
  const begun = performance.now();
  const element = markdown(text);
  let deep = 0;
  for (let one = element.querySelector("blockquote"); one; one = one.querySelector("blockquote")) deep += 1;
  const seconds = (performance.now() - begun) / 1000;
  const names = [...element.children].slice(0, 9).map((one) => (one.querySelector("table") ?? one).localName);
  return { names, deep, text: element.textContent.slice(0, 100), length: element.textContent.length, seconds };
}"""
_MANY = 200_000
_SECONDS = 10
"""What is quadratic would take minutes."""


def drawn(page: Page, text: str) -> Any:
    at(page, "erase")
    return page.evaluate(_DRAWN, text)


def test_it_is_drawn_as_it_is_meant(page: Page) -> None:
    text = "# One #\n\n## C#\n\n> said\n> > again\n\nname | many\n--- | :-:\nA | 2\n\n- a\n- b\n\n#none"
    found = drawn(page, text)
    assert found["names"] == ["h2", "h3", "blockquote", "table", "ul", "p"]
    assert (found["deep"], found["text"]) == (2, "OneC#saidagainnamemanyA2ab#none")
    assert drawn(page, "a | b\n| - | x |")["names"] == ["p"]


def test_no_line_makes_it_slow(page: Page) -> None:
    texts = {
        "heading": "# a" + " " * _MANY + "b",
        "marks": "# a" + "#" * _MANY + "b",
        "rule": "a | b\n" + " " * _MANY + "x |",
        "dashes": "a | b\n" + "-" * _MANY,
        "item": "- " + " " * _MANY + "a\u2028b",
        "front": "---\na:" + " " * _MANY + "x\u2028y\n---\n",
        "items": "- " * _MANY + "x",
    }
    seconds = {name: drawn(page, text)["seconds"] for name, text in texts.items()}
    assert max(seconds.values()) < _SECONDS, seconds


def test_quotes_in_quotes_end_somewhere(page: Page) -> None:
    found = drawn(page, ">" * 100_000 + " deep")
    assert found["deep"] == 21
    assert found["text"].startswith(">>>")
    assert found["length"] > 99_000
