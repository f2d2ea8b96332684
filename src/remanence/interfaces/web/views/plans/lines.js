// One change as a line of a diff: its sign, the memory, what is written, why, and the numbers behind it.

import { fill, h } from "../../dom.js";
import { idLink, scope, tag, when } from "../../parts/badges.js";
import { diff } from "../../parts/diff.js";
import { beginning, decimal, isId, number, words } from "../../words.js";
import { mark } from "./choice.js";
import { LENGTH, named } from "./texts.js";

const SAID = new Map([
  ["add", "is added"], ["adjust", "is adjusted"], ["archive", "is archived"], ["forget", "is forgotten"], ["supersede", "is superseded"],
  ["quarantine", "is quarantined"], ["restore", "comes back"], ["purge", "is purged"], ["promote", "goes one layer up"],
  ["demote", "goes one layer down"], ["compact", "is offered to the dream"], ["review", "is put up for review"],
]);

/** The sign of an action, for the eye; the word beside it is for everybody. */
export const sign = (action) => h("span.sign", { class: `sign-${action}`, "aria-hidden": "true" }, mark(action));

/** When something leaves; what is due leaves at the next sweep, which is not "just now". */
export const leavesAt = (at, now) => (new Date(at) - new Date(now) < 60000 ? h("span", "due now") : when(at));

/** Numbers by name as people read them: "idle 322 days", "worth 0.30". */
export function evidence(given) {
  return Object.entries(given ?? {}).map(([name, value]) => h("span.evidence", measure(name, value)));
}

function measure(name, value) {
  if (typeof value !== "number") return `${words(name)} ${value}`;
  const whole = Number.isInteger(value) ? number(value) : decimal(value, Math.abs(value) >= 10 ? 0 : 2);
  if (name.endsWith("_days")) return `${words(name.slice(0, -5))} ${whole} ${value === 1 ? "day" : "days"}`;
  return `${words(name)} ${whole}`;
}

/** The fields that a change writes, before and after; a state alone is said by its action. */
function written(change) {
  const names = Object.keys(change.after ?? {}).filter((name) => name !== "state");
  return names.slice(0, 4).map((name) => {
    const [before, after] = [change.before?.[name], change.after[name]];
    if (Array.isArray(before) && Array.isArray(after)) return h("span.evidence", `${words(name)} ${number(before.length)} → ${number(after.length)}`);
    return h("span.evidence", `${words(name)} `, value(before), " → ", value(after));
  });
}

function value(one) {
  if (one === null || one === undefined) return "none";
  if (typeof one === "string" && isId(one)) return idLink(one);
  if (typeof one === "number") return Number.isInteger(one) ? number(one) : decimal(one);
  return h("span", { dir: "auto" }, beginning(typeof one === "object" ? JSON.stringify(one) : String(one), 60));
}

/** What stands of a change: beside a checkbox in a plan, alone in a receipt. `why` false leaves out the reason, which the group says. */
export function line(change, read, { why = true } = {}) {
  const marks = (memory) => [scope(memory.scope), tag(memory.kind)];
  const what = change.memory
    ? h("div", added(change.memory, read), h("div.marks", marks(change.memory)))
    : named(read, change.memory_id, (memory) => h("div.marks", marks(memory)));
  return h(
    "div.change",
    what,
    h("div.marks", h("span", `${SAID.get(change.action) ?? change.action}`), why ? h("span", { dir: "auto" }, change.reason) : null, written(change), evidence(change.evidence)),
  );
}

/** The text that is new, a long one from its beginning; where it takes the place of another, what is other in it is marked. */
function added(memory, read) {
  const isLong = (one) => one.cut || one.text.length > LENGTH;
  const isCut = isLong(memory);
  const text = isCut ? beginning(memory.text, LENGTH) : memory.text;
  const element = h("div.new-text", h("p.text", { dir: "auto" }, text, isCut ? h("span.quiet", ` (${number(memory.cut ?? memory.text.length)} characters)`) : null));
  if (memory.supersedes) {
    read(memory.supersedes).then((old) => {
      if (!old) return;
      fill(element, diff(isLong(old) ? beginning(old.text, LENGTH) : old.text, text), isCut || isLong(old) ? h("p.quiet", `The first ${number(LENGTH)} characters of both are compared.`) : null);
    });
  }
  return element;
}

/** A memory that stays as it is, and why. */
export const stays = (read, id, why) =>
  h("li.line.plain", h("span.sign", { "aria-hidden": "true" }, "="), h("div.change", named(read, id), h("div.marks", h("span", { dir: "auto" }, why))));

/** A list that is drawn a part at a time: growing(items, draw, {size, first, more: "lines"}). */
export function growing(items, draw, { size = 100, first = size, more = "lines", label = null } = {}) {
  const list = h("ul.lines", { "aria-label": label });
  const button = h("button.small", { type: "button", on: { click: () => grow(true) } });
  const element = h("div", list, button);
  let shown = 0;
  const grow = (isAsked) => {
    const next = items.slice(shown, shown + (isAsked ? size : first)).map(draw);
    list.append(...next);
    shown += next.length;
    const left = items.length - shown;
    button.hidden = left <= 0;
    button.textContent = `Show ${number(Math.min(size, left))} more of ${number(left)} ${more}`;
    if (isAsked && left <= 0) next[0]?.querySelector("a, input, button")?.focus();
  };
  grow(false);
  return element;
}
