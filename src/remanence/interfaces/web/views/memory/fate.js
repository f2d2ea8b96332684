// Why a memory stands where it does and what becomes of it: the curve, the nine factors, the words.

import { fill, h } from "../../dom.js";
import { counted, day, decimal, moment, words } from "../../words.js";
import { curve, meter, numbers } from "../../parts/plots.js";

const FACTORS = new Map([
  ["importance", "How much it was said to matter."],
  ["frequency", "How often it was recalled; 50 times is full."],
  ["recency", "How fresh it is, by the policy’s curve."],
  ["valence", "How strongly it is felt, either way."],
  ["stability", "How regularly it was recalled."],
  ["layer", "Semantic counts most, working nothing."],
  ["trust", "How far its source is believed."],
  ["confirmations", "How often it was confirmed; five times is full."],
  ["activation", "How near to mind it is, by its newest recalls."],
]);
const DONE = { archive: "archived", forget: "forgotten", promote: "promoted", supersede: "superseded" };
const LEFT = new Set(["archived", "forgotten", "superseded", "quarantined"]);

/** The curve from birth on; of a life that is over, until now, with its end marked. */
function life(told, history) {
  const { curve: drawn } = told;
  const isOver = LEFT.has(told.state);
  const left = isOver ? [...history].reverse().find((event) => event.memory_id === told.memory_id && event.state_after === told.state && event.state_before !== told.state) : null;
  const until = isOver ? drawn.moments.findIndex((one) => one > drawn.now) : -1;
  const length = until > 1 ? until : drawn.moments.length;
  const moments = drawn.moments.slice(0, length);
  const lines = [{ name: words(told.value_name), values: drawn.values.slice(0, length) }];
  if (told.value_name !== "retention") lines.push({ name: "retention", values: drawn.retention.slice(0, length), kind: "thin" });
  const action = DONE[told.next_action] ?? told.next_action;
  let ends = null;
  if (left) ends = { at: left.at < moments.at(-1) ? left.at : moments.at(-1), text: `${told.state} ${day(left.at)}` };
  else if (!isOver && (drawn.ends ?? told.due_at)) ends = { at: drawn.ends ?? told.due_at, text: `${action ?? "ends"} ${day(drawn.ends ?? told.due_at)}` };
  const bound = !isOver && drawn.bound !== null ? { value: drawn.bound, text: told.next_rule ? `rule ${told.next_rule}: below ${decimal(drawn.bound)}` : `below ${decimal(drawn.bound)}` } : null;
  const accesses = drawn.accesses.filter((one) => one <= moments.at(-1));
  const label = `${words(told.value_name)} of this memory from ${day(moments[0])} to ${day(moments.at(-1))}, now ${decimal(told.value)}${ends ? `, ${ends.text}` : ""}`;
  const every = Math.max(1, Math.floor(moments.length / 12));
  const rows = moments.map((one, at) => [one, at]).filter(([, at]) => at % every === 0 || at === moments.length - 1);
  return h(
    "div",
    h("div.legend", { "aria-hidden": "true" }, lines.map((one) => h("span", h("i", { class: one.kind === "thin" ? "archived" : "live" }), one.name)),
      accesses.length ? h("span", h("i.dots"), `recalled ${accesses.length > 1 ? `${accesses.length} times` : "once"}`) : null,
      bound || ends ? h("span", h("i.forgotten"), isOver ? "its end" : "the rule") : null),
    curve({ label, moments, lines, now: drawn.now, dots: accesses, bound, ends }),
    isOver
      ? h("p.quiet", left ? `Its life in recall ended ${moment(left.at)} (${words(left.reason)}); the line goes on as it would have.` : `It is ${told.state}: no rule acts on it.`)
      : h("p.quiet", told.due_at ? `What is dashed is ahead, if nobody recalls it: the rule ${told.next_rule} has it ${action} from ${day(told.due_at)} on.` : "What is dashed is ahead. No rule will ever act on it as things are."),
    numbers(["moment", ...lines.map((one) => one.name)], rows.map(([one, at]) => [moment(one), ...lines.map((line) => decimal(line.values[at], 3))])),
  );
}

/** In words: what it is, what protects it, what to do. */
function spoken(told) {
  const text = told.text.toLowerCase();
  const advice = told.advice.filter((one) => !text.includes(one.toLowerCase().replace(/^or /, ""))); // what is said is not said again
  return h(
    "div",
    told.text.split("\n").map((line) => h("p", { dir: "auto" }, line)),
    told.protected_by.length ? [h("h3", "Protected by"), h("ul", told.protected_by.map((one) => h("li", { dir: "auto" }, one)))] : null,
    advice.length ? [h("h3", "What one can do"), h("ul", advice.map((one) => h("li", { dir: "auto" }, one)))] : null,
    told.regrets ? h("p.notice", `${counted(told.regrets, "regret")}: after it had left, ${told.regrets === 1 ? "a recall" : "recalls"} would have had it.`) : null,
  );
}

/** The nine factors as bars, and what else rules measure. */
function factors(told) {
  const measures = Object.entries(told.measures);
  return h(
    "div.factors",
    meter({ name: words(told.value_name), share: told.value, value: decimal(told.value), kind: "good" }),
    Object.entries(told.parts).map(([name, share]) => h("div.part", meter({ name: words(name), share, value: decimal(share) }), h("small", FACTORS.get(name) ?? ""))),
    h("details.numbers", h("summary", "What rules measure"),
      h("dl.fact-list", measures.map(([name, value]) => [h("dt", words(name)), h("dd", decimal(value, Number.isInteger(value) ? 0 : 3))]),
        h("dt", "tier"), h("dd", told.tier), h("dt", "policy"), h("dd", h("bdi", told.policy)))),
  );
}

/** Fill the places of these parts. */
export function tell(places, told, history) {
  fill(places.life, life(told, history));
  fill(places.spoken, spoken(told));
  fill(places.factors, factors(told));
}
