// A card that fetches what it shows by itself: it waits alone, fails alone, and can be asked to look again.

import { fill, h, newId } from "../dom.js";
import { waiting, wrong } from "./states.js";

/**
 * card("Tiers", async () => content, {wide, lines, beside}). The element has again(), which keeps what is shown until the
 * new is there, and leaves a part alone in which somebody has the focus.
 */
export function card(title, load, { wide = false, lines = 3, beside = null } = {}) {
  const id = newId("card");
  const body = h("div.card-body", waiting(lines, `Loading ${title}`));
  const element = h("section.card", { class: wide ? "wide" : "", "aria-labelledby": id }, h("div.row.apart", h("h2", { id }, title), beside), body);
  let last = 0;
  element.again = async ({ quietly = false } = {}) => {
    if (quietly && body.contains(document.activeElement)) return;
    const mine = (last += 1);
    try {
      const content = await load();
      if (mine === last) fill(body, content);
    } catch (problem) {
      if (problem.name === "AbortError" || mine !== last) return;
      if (problem.status === undefined) throw problem;
      if (problem.status !== 401 && problem.status !== 0) fill(body, wrong(problem, () => element.again()));
    }
  };
  element.again();
  return element;
}
