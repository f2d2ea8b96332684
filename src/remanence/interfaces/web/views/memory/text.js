// The text of a memory, whole; a very long one begins, and is drawn in pieces when it is wanted.

import { ask } from "../../api.js";
import { h } from "../../dom.js";
import { number, percent } from "../../words.js";

export const FIRST = 4000;
const PIECE = 20000;

/** Where a piece ends: after a line, else after a word, else between two whole characters. */
function ending(whole, at) {
  const most = at + PIECE;
  if (most >= whole.length) return whole.length;
  const found = Math.max(whole.lastIndexOf("\n", most - 1), whole.lastIndexOf(" ", most - 1)) + 1;
  if (found > at) return found;
  return /[\uD800-\uDBFF]/.test(whole[most - 1]) ? most + 1 : most;
}

/** The text; memory.cut says that the rest has not come. */
export function text(memory, signal) {
  const element = h("div.text.whole", { dir: "auto" }, memory.text || "(blank)");
  if (!memory.cut) return element;
  const told = h("p.quiet", { role: "status" }, `The first ${number([...memory.text].length)} of ${number(memory.cut)} characters. `);
  const all = async () => {
    button.disabled = true;
    try {
      const { text: whole } = await ask("get", { id: memory.id }, { signal });
      element.replaceChildren();
      for (let at = 0; at < whole.length; ) {
        const end = ending(whole, at);
        // Blocks of their own: the browser lays out those that are seen.
        element.append(h("div.piece.text", { dir: "auto" }, whole.slice(at, end)));
        at = end;
        told.textContent = at < whole.length ? percent(at / whole.length) : `${number(memory.cut)} characters.`;
        await new Promise((resolve) => setTimeout(resolve));
        if (signal.aborted) return;
      }
      button.remove();
    } catch (problem) {
      if (problem.name === "AbortError") return;
      button.disabled = false;
      told.textContent = problem.message;
    }
  };
  const button = h("button.small", { type: "button", on: { click: all } }, "Show all");
  return h("div", element, h("div.row", told, button));
}

