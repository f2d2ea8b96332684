// One receipt: all it changed, line by line, what it left alone, and the way back.

import { ask } from "../../api.js";
import { rem } from "../../commands.js";
import { fill, h } from "../../dom.js";
import { when } from "../../parts/badges.js";
import { command } from "../../parts/command.js";
import { nothing } from "../../parts/states.js";
import { memories, moment, number } from "../../words.js";
import { growing, line, sign, stays } from "./lines.js";
import { actions, isUndoable, takeBack } from "./receipts.js";
import { named, reader } from "./texts.js";

export async function show(place, content) {
  const id = place.path[1] ?? "";
  if (!/^r\d{1,18}$/.test(id)) {
    fill(content, nothing(`There is no receipt “${id.slice(0, 40)}”`, h("p", h("a", { href: "#/plans/receipts" }, "All receipts"))));
    return;
  }
  const [receipt, brief] = await Promise.all([ask("receipt", { receipt_id: id }, { signal: place.signal, shorten: 1200 }), briefly(id, place.signal)]);
  const read = reader(place.signal);
  const counts = brief?.actions ?? tally(receipt.changes ?? []);
  const known = brief ?? { ...receipt, actions: counts, memories: receipt.applied.length, undone_by: null };
  const skipped = Object.entries(receipt.skipped);
  const state = h("div", { role: "status" });
  const buttons = h("div.buttons");
  const look = (one) => {
    fill(buttons,
      isUndoable(one) ? h("button", { type: "button", "data-writes": "", on: { click: (event) => taken(one, event.currentTarget) } }, one.undoes ? `Redo ${one.undoes}` : `Undo ${one.id}`) : null,
      h("a.button", { href: "#/plans/receipts" }, "All receipts"));
    fill(state,
      one.undone_by ? h("p.notice", "It was undone by ", h("a", { href: `#/plans/receipt/${one.undone_by}` }, one.undone_by), ".") : null,
      one.undoes ? h("p", "It took back ", h("a", { href: `#/plans/receipt/${one.undoes}` }, one.undoes), ".") : null);
  };
  const taken = async (one, button) => {
    const answer = await takeBack(one, button);
    if (answer) {
      look({ ...one, undone_by: answer.id });
      state.querySelector("a")?.focus();
    }
  };
  look(known);
  fill(
    content,
    h("section.card",
      h("h2", `${receipt.id}: ${receipt.verb}`),
      h("p.quiet", when(receipt.at), ` · ${moment(receipt.at)}`, receipt.note ? [" · ", h("span", { dir: "auto" }, receipt.note)] : null),
      h("div.marks", actions(counts)),
      state, buttons, command(rem("undo", [receipt.id]), { label: "To take it back" })),
    h("section.card",
      h("h2", `${memories(receipt.applied.length)} changed`),
      receipt.changes
        ? growing(receipt.changes, (change) => h("li.line.plain", sign(change.action), line(change, read)), { label: "Changes" })
        : [h("p.quiet", `More than ${number(1000)} changes: only the memories are named here.`),
          growing(receipt.applied, (one) => h("li.line.plain", h("span.sign", { "aria-hidden": "true" }, "·"), named(read, one)), { label: "Changed memories", more: "memories" })],
      receipt.applied.length ? null : h("p.quiet", "It changed nothing.")),
    skipped.length
      ? h("section.card", h("h2", `${memories(skipped.length)} left alone`), growing(skipped, ([one, why]) => stays(read, one, why), { label: "Left alone" }))
      : null,
  );
}

/** The receipt in brief, which knows whether it was undone: the one before the next. */
async function briefly(id, signal) {
  const next = `r${BigInt(id.slice(1)) + 1n}`;
  const { items } = await ask("receipts", { before: next, limit: 1 }, { signal });
  return items.find((one) => one.id === id) ?? null;
}

function tally(changes) {
  const found = new Map();
  for (const change of changes) found.set(change.action, (found.get(change.action) ?? 0) + 1);
  return Object.fromEntries(found);
}
