// One receipt: all it changed, line by line, what it left alone, and the way back.

import { ask } from "../../api.js";
import { rem } from "../../commands.js";
import { fill, h } from "../../dom.js";
import { when } from "../../parts/badges.js";
import { command } from "../../parts/command.js";
import { nothing } from "../../parts/states.js";
import { briefOf, isUndoable, takeBack } from "../../parts/taking_back.js";
import { memories, moment, number } from "../../words.js";
import { growing, line, sign, stays } from "./lines.js";
import { actions, noted } from "./receipts.js";
import { named, reader } from "./texts.js";

export async function show(place, content) {
  const id = place.path[1] ?? "";
  if (!/^r\d{1,18}$/.test(id)) {
    fill(content, nothing(`There is no receipt “${id.slice(0, 40)}”`, h("p", h("a", { href: "#/plans/receipts" }, "All receipts"))));
    return;
  }
  const { signal } = place;
  const isWhole = place.can.whole;
  const [receipt, brief] = await Promise.all([ask("receipt", { receipt_id: id }, { signal, shorten: 1200 }), briefOf(id, { isWhole, signal })]);
  const read = reader(signal);
  const skipped = Object.entries(receipt.skipped);
  const state = h("div", { role: "status" });
  const buttons = h("div.buttons");
  const look = (one) => {
    fill(buttons,
      isUndoable(one) ? h("button", { type: "button", "data-writes": "", on: { click: (event) => taken(one, event.currentTarget) } }, one.undoes ? `Redo ${one.undoes}` : `Undo ${one.id}`) : null,
      isWhole ? h("a.button", { href: "#/plans/receipts" }, "All receipts") : null);
    fill(state,
      one.undone_by ? h("p.notice", "It was undone by ", h("a", { href: `#/plans/receipt/${one.undone_by}` }, one.undone_by), ".") : null,
      one.undoes ? h("p", "It took back ", h("a", { href: `#/plans/receipt/${one.undoes}` }, one.undoes), ".") : null);
  };
  const taken = async (one, button) => {
    const answer = await takeBack(one.id, button, { isWhole, signal });
    if (answer) {
      look({ ...one, undone_by: answer.id });
      state.querySelector("a")?.focus();
    }
  };
  look(brief);
  fill(
    content,
    h("section.card",
      h("h2", `${receipt.id}: ${receipt.verb}`),
      h("p.quiet", when(receipt.at), ` · ${moment(receipt.at)}`, receipt.note ? [" · ", h("span", { dir: "auto" }, noted(receipt.note))] : null),
      h("div.marks", actions(brief.actions)),
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
