// Past receipts, newest first: what was done, by which verb, how much of it, and the way back.

import { ask } from "../../api.js";
import { rem } from "../../commands.js";
import { fill, h } from "../../dom.js";
import { when } from "../../parts/badges.js";
import { command } from "../../parts/command.js";
import { nothing, waiting, wrong } from "../../parts/states.js";
import { isUndoable, takeBack } from "../../parts/taking_back.js";
import { counted, number } from "../../words.js";
import { sign } from "./lines.js";

const PAGE = 50;
const VERBS = ["sweep", "dream", "dedup", "consolidate", "compact", "upkeep", "undo", "remember", "revise", "forget", "restore", "purge", "absorb", "pin", "confirm", "challenge", "import"];

/** The note of a receipt as people read it: that no language model had a part in it goes without saying. */
export const noted = (note) => (note ?? "").replace(/; llm: false$/, "").replace(/; llm: true \((.*)\)$/s, "; with a language model: $1");

/** The actions of a receipt, counted, with their signs. */
export function actions(counts) {
  const found = Object.entries(counts);
  return found.length ? found.map(([action, some]) => h("span.counted", sign(action), `${number(some)} ${action}`)) : h("span.quiet", "nothing changed");
}

export async function show(place, content) {
  const verb = place.query.get("verb") ?? "";
  const list = h("ul.receipts", { "aria-label": "Receipts" });
  const state = h("div");
  const news = h("div", { role: "status" });
  const more = h("button", { type: "button", hidden: true, on: { click: () => load(true) } }, "Show older ones");
  let cursor = null;
  let isFirst = true;

  const choose = h("select", { name: "verb", on: { change: () => { place.note({ verb: choose.value }); place.again(); } } },
    h("option", { value: "" }, "every verb"), [...new Set([...VERBS, verb].filter(Boolean))].map((one) => h("option", { value: one, selected: one === verb }, one)));
  fill(content, h("div.row.apart.receipts-head", h("label.field.short-field", h("span", "Done by"), choose), command(rem("receipts", [], { verb }))), news, list, state, more);

  const row = (brief) => {
    const item = h("li.card.receipt", { "data-receipt": brief.id });
    const taken = async (event) => {
      const answer = await takeBack(brief.id, event.currentTarget, { signal: place.signal });
      if (!answer || !item.isConnected) return;
      fill(item, drawn({ ...brief, undone_by: answer.id }));
      item.querySelector("a")?.focus();
    };
    const drawn = (one) => [
      h("div.receipt-what",
        h("p.receipt-title", h("a", { href: `#/plans/receipt/${one.id}` }, one.id), " ", h("strong", one.verb), " ", h("span.quiet", when(one.at))),
        h("div.marks", actions(one.actions), one.note ? h("span", { dir: "auto" }, noted(one.note)) : null,
          one.undoes ? h("span", "took back ", h("a", { href: `#/plans/receipt/${one.undoes}` }, one.undoes)) : null,
          one.undone_by ? h("span.undone", "undone by ", h("a", { href: `#/plans/receipt/${one.undone_by}` }, one.undone_by)) : null)),
      isUndoable(one) ? h("button.small", { type: "button", "data-writes": "", "aria-label": `${one.undoes ? "Redo" : "Undo"} ${one.undoes || one.id}`, on: { click: taken } }, one.undoes ? "Redo" : "Undo") : null,
    ];
    return fill(item, drawn(brief));
  };

  const load = async (isAsked) => {
    more.disabled = true;
    if (isFirst) fill(state, waiting(5));
    try {
      const answer = await ask("receipts", { limit: PAGE, verb: verb || undefined, cursor }, { signal: place.signal });
      cursor = answer.next;
      fill(state);
      const rows = answer.items.map(row);
      list.append(...rows);
      more.hidden = !cursor;
      if (isFirst && !rows.length) {
        fill(state, verb
          ? nothing(`Nothing was done by ${verb} yet`, h("p", h("a", { href: "#/plans/receipts" }, "Show every receipt")))
          : nothing("Nothing has been done yet", "Every change leaves a receipt here, and can be taken back by it.", command(rem("remember", ["The staging database runs PostgreSQL"]))));
      }
      isFirst = false;
      if (isAsked) rows[0]?.querySelector("a")?.focus();
    } catch (problem) {
      if (problem.name === "AbortError" || problem.status === 401) return;
      fill(state, wrong(problem, () => load(isAsked)));
    } finally {
      more.disabled = false;
    }
  };
  const unseen = new Set();
  place.onEntries((entries) => {
    for (const entry of entries) if (!list.querySelector(`[data-receipt="${CSS.escape(entry.receipt_id)}"]`) && (!verb || entry.verb === verb)) unseen.add(entry.receipt_id);
    if (unseen.size) fill(news, h("p.notice", `${counted(unseen.size, "new receipt")} since this list was made. `, h("button.small", { type: "button", on: { click: place.again } }, "Show")));
  });
  await load(false);
}
