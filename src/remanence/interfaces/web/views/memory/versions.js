// The versions of a memory, any two compared; and its journal, with an undo for each receipt.

import { oneByOne } from "../../acting.js";
import { fill, h } from "../../dom.js";
import { day, decimal, moment, number, words } from "../../words.js";
import { idLink, state } from "../../parts/badges.js";
import { diff } from "../../parts/diff.js";
import { briefOf, takeBack } from "../../parts/taking_back.js";
import { noted } from "../plans/receipts.js";
import { changed, changes } from "./fields.js";

const SHOWN = 30;
const MARKS = { add: "+", adjust: "~", archive: "−", forget: "−", supersede: "−", quarantine: "−", restore: "^", purge: "×" };

/** Two versions and what differs, chosen from all that are still there. */
export function versions(history, id) {
  const known = new Map();
  for (const { memory } of history) if (memory && !known.has(memory.id)) known.set(memory.id, memory);
  for (const { memory } of history) if (memory) known.set(memory.id, memory); // as it was last
  const all = [...known.values()].sort((one, other) => one.version - other.version || (one.created_at < other.created_at ? -1 : 1));
  if (all.length < 2) return h("p.quiet", "There is only this version.");
  const at = Math.max(all.findIndex((one) => one.id === id), 0);
  const choose = (chosen, label) => {
    const select = h("select", { on: { change: () => draw() } }, all.map((one, index) => h("option", { value: index, selected: index === chosen }, `Version ${one.version}, ${day(one.created_at)}${one.id === id ? " (this)" : ""}`)));
    return { select, label: h("label.field", h("span", label), select) };
  };
  const before = choose(at > 0 ? at - 1 : at, "From");
  const after = choose(at > 0 ? at : at + 1, "To");
  const place = h("div", { "aria-live": "polite" });
  const draw = () => {
    const [one, other] = [all[before.select.value], all[after.select.value]];
    const pairs = changed(one, other, { text: false });
    fill(
      place,
      one.cut || other.cut ? h("p.notice", `The first ${number(Math.max(one.text.length, other.text.length))} characters are compared.`) : null,
      diff(one.text, other.text),
      pairs.length ? changes(pairs) : null,
      h("p.marks", idLink(one.id), state(one.state), "→", idLink(other.id), state(other.state)),
    );
  };
  draw();
  return h("div", h("div.fields", before.label, after.label), place);
}

/** What happened to it, newest first. */
export function journal(place, history, id, { isGone = false } = {}) {
  const events = [...history].reverse();
  const list = h("ol.journal");
  const more = h("div");
  const draw = (from) => {
    for (const event of events.slice(from, from + SHOWN)) list.append(line(place, event, id, isGone));
    const left = events.length - from - SHOWN;
    fill(more, left > 0 ? h("button.small", { type: "button", on: { click: () => draw(from + SHOWN) } }, `Show ${number(Math.min(left, SHOWN))} more`) : null);
  };
  draw(0);
  return h("div", list, more);
}

/** Mark what was taken back in a history, event by event: `undone_by` is the receipt that did it, where it still holds. */
export async function withUndone(history, { isWhole, signal }) {
  const undos = [...new Set(history.filter(({ verb }) => verb === "undo").map((event) => event.receipt_id))].slice(-SHOWN);
  const undone = new Map();
  const { done } = await oneByOne(undos, (one) => briefOf(one, { isWhole, signal }));
  // The newest first: an undo that was itself taken back has taken back nothing.
  for (const [one, { undoes }] of done.reverse()) if (undoes && !undone.has(one)) undone.set(undoes, one);
  return history.map((event) => ({ ...event, undone_by: undone.get(event.receipt_id) ?? null }));
}

function line(place, event, id, isGone) {
  const evidence = Object.entries(event.evidence ?? {});
  const isMove = event.state_before !== event.state_after && event.state_after;
  const receipt = (name) => (place.can.whole ? h("a.id", { href: `#/plans/receipt/${name}` }, name) : h("span.id", name));
  const taken = (click) => takeBack(event.receipt_id, click.currentTarget, { isWhole: place.can.whole, signal: place.signal });
  return h(
    "li",
    h("span.sign", { "aria-hidden": "true" }, MARKS[event.action] ?? "~"),
    h("div.what",
      h("span", h("strong", words(event.verb)), `: ${words(event.reason)}`), " ", isMove ? state(event.state_after) : null,
      event.memory_id !== id ? [" ", idLink(event.memory_id)] : null,
      event.note ? [" ", h("bdi", `“${noted(event.note)}”`)] : null,
      evidence.length ? h("div.quiet-text", evidence.map(([name, value]) => `${words(name)} ${decimal(value)}`).join(", ")) : null,
      event.undone_by ? h("div.quiet-text", "undone by ", receipt(event.undone_by)) : null,
      h("div.quiet-text", h("time", { datetime: event.at }, moment(event.at)))),
    receipt(event.receipt_id),
    isGone || event.action === "purge" || event.undone_by
      ? h("span")
      : h("button.small.quiet", { type: "button", "data-writes": "", "data-does": event.receipt_id, "aria-label": `Undo ${event.receipt_id}`, on: { click: taken } }, "Undo"),
  );
}
