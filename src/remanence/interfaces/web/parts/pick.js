// Find one memory by words it holds, or by its id, and take it.

import { ask } from "../api.js";
import { fill, h, newId } from "../dom.js";
import { beginning, isId } from "../words.js";
import { scope, state } from "./badges.js";

const PAUSE = 120;

/** A field with what it finds below; `taken(memory)` is called with the one that was taken. */
export function pick(label, taken, { except = null, filters = {} } = {}) {
  const found = h("ul.picks");
  const told = h("p.quiet", { role: "status" });
  let asking = null;
  let timer = null;
  const look = async () => {
    asking?.abort();
    asking = new AbortController();
    const { signal } = asking;
    const text = input.value.trim();
    if (!text) {
      fill(found);
      told.textContent = "";
      return;
    }
    try {
      const memories = isId(text)
        ? [await ask("get", { id: text }, { signal, shorten: 200 })]
        : (await ask("recall", { query: text, limit: 8, reinforce: false, include: "archived", ...filters }, { signal, shorten: 200 })).hits.map((hit) => hit.memory);
      const shown = memories.filter((one) => one.id !== except);
      fill(found, shown.map((one) =>
        h("li", h("button", { type: "button", on: { click: () => taken(one) } }, h("span", { dir: "auto" }, beginning(one.text, 120) || "(blank)")), h("span.marks", state(one.state), scope(one.scope)))));
      told.textContent = shown.length ? "" : "Nothing is found by that.";
    } catch (problem) {
      if (problem.name === "AbortError") return;
      fill(found);
      told.textContent = problem.message;
    }
  };
  const id = newId("pick");
  const input = h("input", {
    id, type: "search", dir: "auto", maxlength: 2000, autocomplete: "off",
    on: {
      input: () => {
        clearTimeout(timer);
        timer = setTimeout(look, PAUSE);
      },
      keydown: (event) => {
        if (event.key === "Enter") event.preventDefault(); // the form around it is not sent by looking
      },
    },
  });
  return h("div.pick", h("label.field", { for: id }, h("span", label), input), told, found);
}
