"""Pictures: the memory in the middle of its lineage, and words that nothing runs through, whatever the width."""

from __future__ import annotations

from typing import Any

import pytest
from playwright.sync_api import Page, expect

from tests.web.going import at

WIDTHS = (330, 560)

_SHOWN = """async ([file, code, width]) => {
  const module = await import(`/page/${file}`);
  const place = document.createElement("div");
  place.id = "picture";
  place.style.width = `${width}px`;
  document.getElementById("picture")?.remove();
  document.getElementById("main").prepend(place);
  place.append(...[new Map(Object.entries(MAKERS)).get(code)(module)].flat());
}"""

_MAKERS = """{
  curve: ({ curve }) => {
    const day = (index) => new Date(Date.UTC(2026, 3, 16) + index * 86400000).toISOString();
    const moments = Array.from({ length: 263 }, (_, index) => day(index));
    return curve({
      label: "worth", moments, now: day(215), ends: { at: day(233), text: "archived Dec 5, 2026" },
      lines: [{ name: "worth", values: moments.map((_, at) => 0.3 + 0.1 * Math.exp(-at / 20)) },
        { name: "retention", values: moments.map((_, at) => (1 + at / 20) ** -0.4), kind: "thin" }],
      bound: { value: 0.3, text: "rule faded: below 0.30" },
    });
  },
  star: ({ star }) => {
    const others = Array.from({ length: 16 }, (_, at) => [`a rather long name ${at}`, 16 - at]);
    return star("Maria Lindqvist", others);
  },
  lineage: ({ ties }) => {
    const memory = (id) => ({ id, text: `The text of ${id}`, kind: "fact", state: "live", version: 1 });
    const others = Array.from({ length: 54 }, (_, at) => `other${at}`);
    return ties({
      id: "mine", more: false, purged: [], memories: ["mine", "card", "newer", ...others].map(memory),
      links: [
        ...["mine", ...others].map((from) => ({ from, to: "card", how: "made" })),
        { from: "card", to: "newer", how: "version" },
      ],
    });
  },
  card: ({ ties }) => {
    const memory = (id) => ({ id, text: `The text of ${id}`, kind: "fact", state: "live", version: 1 });
    const others = Array.from({ length: 30 }, (_, at) => `other${at}`);
    const made = (to) => others.map((from) => ({ from, to, how: "made" }));
    return ties({
      id: "v3", more: true, purged: [], memories: ["v3", "v2", "v1", ...others].map(memory),
      links: [
        { from: "v1", to: "v2", how: "version" }, { from: "v2", to: "v3", how: "version" },
        ...["v1", "v2", "v3"].flatMap(made),
      ],
    });
  },
}"""

_CROSSED = """() => {
  const found = [];
  const within = (x, y, box) =>
    x > box.x + 1 && x < box.x + box.width - 1 && y > box.y + 3 && y < box.y + box.height - 3;
  for (const text of document.querySelectorAll("#picture .bound-text, #picture .now-text")) {
    const box = text.getBBox();
    for (const path of document.querySelectorAll("#picture path.line")) {
      for (let at = 0; at <= path.getTotalLength(); at += 1) {
        const point = path.getPointAtLength(at);
        if (within(point.x, point.y, box)) { found.push(`${text.textContent} and a line`); break; }
      }
    }
    for (const line of document.querySelectorAll("#picture line.now, #picture line.bound")) {
      const [x, y] = [line.x1.baseVal.value, line.y1.baseVal.value];
      const isUpright = x === line.x2.baseVal.value;
      const isCrossed = isUpright ? within(x, box.y + box.height / 2, box) : within(box.x + box.width / 2, y, box);
      if (isCrossed) found.push(`${text.textContent} and ${line.getAttribute("class")}`);
    }
  }
  return found;
}"""

_OVERLAPS = """() => {
  const boxes = [...document.querySelectorAll("#picture a text")].map((text) => [text.textContent, text.getBBox()]);
  const wide = document.querySelector("#picture svg").viewBox.baseVal.width;
  const leaving = boxes.filter(([, box]) => box.x < -1 || box.x + box.width > wide + 1);
  const found = leaving.map(([name]) => `${name} leaves the picture`);
  const meet = (one, two, from, size) => one[from] < two[from] + two[size] && two[from] < one[from] + one[size];
  boxes.forEach(([name, one], at) => boxes.slice(at + 1).forEach(([other, two]) => {
    if (meet(one, two, "x", "width") && Math.abs(one.y - two.y) < one.height - 2) found.push(`${name} and ${other}`);
  }));
  return found;
}"""

_IN_THE_MIDDLE = """() => {
  const graph = document.querySelector("#picture .graph").getBoundingClientRect();
  const box = document.querySelector("#picture .graph .current rect").getBoundingClientRect();
  return box.left >= graph.left && box.right <= graph.right && box.top >= graph.top && box.bottom <= graph.bottom;
}"""


def picture(page: Page, file: str, code: str, width: int) -> None:
    """Draw something by a part of the page, at a width."""
    page.evaluate(_SHOWN.replace("MAKERS", _MAKERS), [file, code, width])
    expect(page.locator("#picture svg")).to_be_visible()


@pytest.fixture
def drawing(page: Page) -> Page:
    at(page, "erase")
    return page


def test_nothing_runs_through_the_words_of_a_picture(drawing: Page) -> None:
    for width in WIDTHS:
        picture(drawing, "parts/plots.js", "curve", width)
        expect(drawing.locator("#picture .bound-text")).to_have_count(2)
        assert drawing.evaluate(_CROSSED) == []
        picture(drawing, "views/entities/graph.js", "star", width)
        expect(drawing.locator("#picture a text")).to_have_count(16)
        assert drawing.evaluate(_OVERLAPS) == []


def test_the_memory_is_in_the_middle_of_its_lineage(drawing: Page) -> None:
    for width in WIDTHS:
        picture(drawing, "views/memory/ties.js", "lineage", width)
        graph = drawing.locator("#picture .graph")
        expect(graph.locator(".node")).to_have_count(4)  # it, its card, the newer one, and the others in one
        expect(graph.locator(".folded")).to_contain_text("and 54 more")
        expect(graph.locator("a.folded")).to_have_attribute("href", "#/memory/card")
        drawing.wait_for_function(_IN_THE_MIDDLE)
        picture(drawing, "views/memory/ties.js", "card", width)
        assert graph.locator(".node").count() <= 16
        expect(graph.locator("g.folded")).to_contain_text("and 26 more")
        drawing.wait_for_function(_IN_THE_MIDDLE)
        expect(drawing.get_by_text("Only the 33 nearest were read")).to_be_visible()


def test_an_axis_that_is_cut_says_so(drawing: Page) -> None:
    def said(live: list[int]) -> Any:
        return drawing.evaluate(
            """async (live) => {
              const { forecasts } = await import("/page/views/policies/forecasts.js");
              const made = forecasts(async () => null);
              document.getElementById("main").replaceChildren(made);
              const rest = { at: "2026-11-17T12:00:00Z", days: live.length - 1, leaves: 1, by_rule: {}, leaving: [] };
              made.put({ one: { live, ...rest }, names: ["balanced"] });
              await new Promise((done) => new MutationObserver(done).observe(made, { childList: true, subtree: true }));
              return [made.querySelector(".cut-axis")?.textContent ?? null, made.querySelectorAll(".axis-cut").length];
            }""",
            live,
        )

    assert said([967, 947, 900, 874]) == ["the axis begins at 850, not at 0", 1]
    assert said([967, 300, 100, 20]) == [None, 0]
