// What to plan: the five kinds of plans, what each can be told, and the command that makes the same one.

import { rem } from "../../commands.js";
import { fill, h } from "../../dom.js";
import { command } from "../../parts/command.js";

const KINDS = [
  ["sweep", "Sweep", "What the policy’s rules would do now."],
  ["dedup", "Duplicates", "Older memories that a newer one says just as well."],
  ["dream", "Dream", "Summaries, cards, bridges, doubts: claim by claim."],
  ["consolidate", "Consolidate", "Facts of session summaries, insights, procedures."],
  ["compact", "Compact a topic", "One summary of what is remembered about it."],
];
const STEPS = ["curve", "cluster", "cards", "bridges", "beliefs", "drift", "prune"];
const TIERS = ["semantic", "reflect", "procedural", "decay"];

const titleOf = (kind) => KINDS.find(([name]) => name === kind)[1];

/** The command of an order: {kind, scope, full, steps, tiers, topic}. */
export function commandOf(order, more = {}) {
  const { kind } = order;
  const options = { scope: order.scope, ...(kind === "sweep" ? { full: order.full } : {}) };
  if (kind === "dream") options.steps = order.steps?.join(",");
  if (kind === "consolidate") options.tier = order.tiers;
  return rem(kind, kind === "compact" ? [order.topic || "TOPIC"] : [], { ...options, ...more });
}

/** What the call is given. */
export function given(order) {
  const { kind } = order;
  return {
    scope: order.scope || undefined,
    full: kind === "sweep" && order.full ? true : undefined,
    steps: kind === "dream" ? order.steps : undefined,
    tiers: kind === "consolidate" ? order.tiers : undefined,
    topic: kind === "compact" ? order.topic : undefined,
  };
}

/** The form; `ordered(order)` is called when it is sent. */
export function form(first, ordered) {
  const isKnown = KINDS.some(([kind]) => kind === first.kind);
  let kind = isKnown ? first.kind : "sweep";
  let planned = kind;
  const scope = h("input", { type: "text", value: first.scope ?? "", placeholder: "everywhere", pattern: "/.*", maxlength: 1024, dir: "ltr", title: "A scope begins with /" });
  const topic = h("input", { type: "text", value: first.topic ?? "", maxlength: 200, dir: "auto" });
  const full = h("input", { type: "checkbox", checked: first.full });
  const many = (names, chosen) => names.map((name) => [name, h("input", { type: "checkbox", checked: !chosen || chosen.includes(name), value: name })]);
  const steps = many(STEPS, first.steps);
  const tiers = many(TIERS, first.tiers);
  const some = (boxes) => {
    const names = boxes.filter(([, box]) => box.checked).map(([name]) => name);
    return names.length === boxes.length || !names.length ? undefined : names;
  };
  const order = () => ({ kind, scope: scope.value.trim(), topic: topic.value.trim(), full: full.checked, steps: some(steps), tiers: some(tiers) });
  const place = h("div");
  const extras = h("div.order-extras");
  const choices = (legend, boxes) => h("fieldset", h("legend", legend), h("div.row", boxes.map(([name, box]) => h("label.choice", box, name))));
  const parts = {
    sweep: h("label.choice", full, "Read every memory, not only those that are marked as due (slower)"),
    dream: choices("Steps", steps),
    consolidate: choices("Tiers", tiers),
    compact: h("label.field", h("span", "Topic"), topic),
  };
  const look = () => {
    topic.required = kind === "compact";
    fill(extras, parts[kind]);
    fill(place, command(commandOf(order())));
    // A plan of another kind is not what this form is about: it is put away, and comes back with its kind.
    element.toggleAttribute("data-other", kind !== planned);
    kept.textContent = `The plan of “${titleOf(planned)}” is kept: choose that again to see it.`;
  };
  const submit = (event) => {
    event.preventDefault();
    planned = kind;
    look();
    ordered(order());
  };
  const radio = ([name, title, about]) =>
    h("label.order-kind", h("input", { type: "radio", name: "kind", value: name, checked: name === kind, on: { change: () => { kind = name; look(); } } }), h("span", h("strong", title), h("small", about)));
  const button = h("button.primary", { type: "submit" }, "Make the plan");
  const kept = h("p.quiet.order-kept");
  const element = h(
    "form.card.order",
    { on: { submit, input: () => fill(place, command(commandOf(order()))) } },
    h("fieldset", h("legend", "What should be planned?"), h("div.order-kinds", KINDS.map(radio))),
    h("div.fields", h("label.field", h("span", "Scope, with what is below it"), scope), extras),
    h("div.row", button, h("span.quiet", "Making a plan changes nothing.")),
    kept,
    place,
  );
  look();
  return element;
}
