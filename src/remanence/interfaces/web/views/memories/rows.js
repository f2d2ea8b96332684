// Rows of the list: a memory on a line, and the parts of its rank for who wants to know.

import { add, h, newId } from "../../dom.js";
import { beginning, counted, day, decimal, words } from "../../words.js";
import { link, scope, state, tag, when } from "../../parts/badges.js";
import { meter } from "../../parts/plots.js";

const PARTS = new Map([
  ["answer", "How well it answers, by words and by meaning: what its rank begins with."],
  ["text", "The telling words of the question that it holds; rare ones count more."],
  ["vector", "How near it is in meaning."],
  ["file", "It names the file that was asked for."],
  ["retention", "How fresh it is: multiplies by 0.9 to 1."],
  ["worth", "What it is worth keeping: multiplies by 0.9 to 1.1."],
  ["trust", "How far its source is believed: multiplies by 0.95 to 1."],
  ["useful", "What was said of its use: multiplies by 0.8 to 1.2."],
  ["newest", "Of versions of one statement the newest has the best place: its rank was multiplied by this."],
  ["repeats", "A better hit says the same: it counts half."],
  ["session", "Its session has enough better hits: it counts half."],
]);

/** The marks below a text. */
function marks(memory) {
  return [
    tag(words(memory.kind)), h("span", memory.layer), h("span", `from ${memory.source}`),
    memory.pinned ? h("span", "pinned") : null,
    memory.challenged_by ? h("span.doubted", "challenged") : null,
    memory.version > 1 ? h("span", `version ${memory.version}`) : null,
    memory.expires_at ? h("span", `expires ${day(memory.expires_at)}`) : null,
  ];
}

/** What a list is ordered by, said of one memory. */
function by(memory, order) {
  if (order === "importance") return `importance ${decimal(memory.importance)}`;
  if (order === "recalls") return counted(memory.access_count, "recall");
  if (order === "recalled") return memory.access_count ? ["recalled ", when(memory.last_accessed_at)] : "never recalled";
  return when(memory.created_at);
}

/** One row. `hit` where it was found by a search; `chosen` is the choice it takes part in; `order` that of the list. */
export function row(memory, { hit = null, chosen, canWrite, order = "newest" }) {
  const text = memory.text.trim() ? beginning(memory.text, 60) : "(blank)";
  const box = h("input", {
    type: "checkbox", "aria-label": `Choose: ${text}`, checked: chosen.has(memory.id),
    on: { click: (event) => chosen.take(memory, box.checked, event.shiftKey) },
  });
  const element = h(
    "li.item", { "data-row": memory.id, class: chosen.has(memory.id) ? "chosen" : "" },
    canWrite ? h("label.box", box) : h("span"),
    h("div.what", link(memory, 200), h("div.marks", memory.state === "live" ? null : state(memory.state), scope(memory.scope), marks(memory))),
    hit ? rank(hit, () => element) : h("div.since", by(memory, order)),
  );
  return element;
}

/** The rank as a button that opens its parts below the row. */
function rank(hit, rowOf) {
  const id = newId("parts");
  let drawn = null;
  const turn = () => {
    if (!drawn) {
      drawn = h("div.parts", { id }, parts(hit));
      add(rowOf(), drawn);
    } else drawn.hidden = !drawn.hidden;
    button.setAttribute("aria-expanded", String(!drawn.hidden));
  };
  const button = h("button.quiet.small.rank", { type: "button", "aria-expanded": "false", "aria-controls": id, "aria-label": `Rank ${decimal(hit.rank)}: its parts`, on: { click: turn } },
    h("span.bar", { "aria-hidden": "true" }, h("span", { vars: { "--share": Math.min(hit.rank, 1).toFixed(3) } })), decimal(hit.rank));
  return h("div.since", button);
}

/** The parts of a rank, with what each means. */
function parts(hit) {
  return [
    h("p.quiet", `Rank ${decimal(hit.rank, 3)}. Born ${day(hit.memory.created_at)}.`),
    Object.entries(hit.parts).map(([name, value]) =>
      h("div.part", meter({ name: words(name), share: value, value: decimal(value), kind: name === "answer" ? "good" : "" }), h("small", PARTS.get(name) ?? ""))),
  ];
}
