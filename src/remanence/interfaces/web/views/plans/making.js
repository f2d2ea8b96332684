// A plan from its order to its receipt: made with progress, looked at, chosen from, applied, taken back.

import { ask, namespace, Problem } from "../../api.js";
import { act, undo } from "../../acting.js";
import { commandOf, form, given } from "./order.js";
import { rem } from "../../commands.js";
import { fill, h } from "../../dom.js";
import { onEntries } from "../../live.js";
import { pastBreaker } from "../../parts/breaker.js";
import { command } from "../../parts/command.js";
import { confirm } from "../../parts/dialog.js";
import { nothing, progress, wrong } from "../../parts/states.js";
import { counted, memories, moment, number, short } from "../../words.js";
import { choice, sums } from "./choice.js";
import { diff } from "./diff.js";
import { growing, stays } from "./lines.js";
import { reader } from "./texts.js";


// The plan that was made last stays while one looks at a memory of it and comes back.
let kept = null;
let told = () => {};
onEntries((entries) => {
  if (!kept?.plan) return;
  const before = kept.moved.size;
  for (const entry of entries) if (kept.ids.has(entry.memory_id)) kept.moved.add(entry.memory_id);
  if (kept.moved.size !== before) told();
});

/** The tab: the order above, its plan below. */
export function show(place, content) {
  const owner = `${namespace() ?? ""} ${place.me.name} ${place.me.namespace}`;
  if (kept?.owner !== owner) kept = null;
  const below = h("div.plan-place");
  const wanted = place.query.get("plan");
  const first = kept && (!wanted || wanted === kept.order.kind) ? kept.order : { kind: wanted ?? "sweep", scope: place.query.get("scope") ?? "", topic: place.query.get("topic") ?? "" };
  if (wanted && kept && wanted !== kept.order.kind) kept = null;
  fill(content, form(first, (order) => make(order)), below);
  told = () => {};

  const make = async (order) => {
    place.note({ plan: order.kind, scope: order.scope, topic: order.kind === "compact" ? order.topic : "" });
    kept = null;
    told = () => {};
    const bar = progress("Making the plan");
    const stop = new AbortController();
    place.signal.addEventListener("abort", () => stop.abort());
    fill(below, h("div.card", bar, h("button.small", { type: "button", on: { click: () => stop.abort() } }, "Stop")));
    try {
      const plan = await ask(order.kind, given(order), { signal: stop.signal, shorten: 1200, progress: bar.told });
      kept = { owner, order, plan, made: choice(plan), ids: new Set(plan.changes.map((change) => change.memory_id)), moved: new Set(), at: Date.now() };
      draw(true);
    } catch (problem) {
      if (place.signal.aborted || problem.status === 401) return;
      if (problem.name === "AbortError") fill(below, nothing("Stopped", "No plan was made, and nothing was changed."));
      else if (problem instanceof Problem) fill(below, wrong(problem, () => make(order)));
      else throw problem;
    }
  };

  const draw = (isNew) => {
    const again = () => make(kept?.order ?? first);
    const drawn = planned(kept, place, { again, done: (receipt) => finished(receipt), gone: () => expired() });
    fill(below, drawn.element);
    told = () => drawn.moved();
    if (kept.moved.size) drawn.moved();
    if (isNew) below.querySelector("h2")?.focus({ preventScroll: false });
  };
  const expired = () => {
    const { order } = kept;
    kept = null;
    fill(below, h("div.card", { role: "alert" }, nothing("This plan is no longer kept", "A plan is kept for an hour, and until the server is started anew. Nothing was changed.",
      h("button.primary", { type: "button", on: { click: () => make(order) } }, "Make it anew"))));
    below.querySelector("button").focus();
  };
  const finished = (receipt) => {
    const { order } = kept;
    kept = null;
    fill(below, applied(receipt, place, () => make(order)));
    below.querySelector("h2").focus();
  };
  if (kept) draw(false);
}

/** The plan itself: what it is, its groups, and the bar from which it is applied. */
function planned(state, place, { again, done, gone }) {
  const { plan, made, order } = state;
  const title = h("h2", { tabindex: "-1" });
  if (!plan.changes.length && !plan.claims.length) {
    title.append("Nothing is due");
    return {
      element: h("div.card", title, h("p", plan.verb === "sweep" ? "No rule of the policy holds for any memory now. Every one is where it belongs." : "There is nothing to propose. That is a good state."),
        warnings(plan), plan.note ? h("p.quiet", { dir: "auto" }, plan.note) : null),
      moved: () => {},
    };
  }
  const all = sums(plan.changes);
  title.append(`${counted(plan.changes.length, "change")}, nothing done yet`);
  const notice = h("div", { role: "status" });
  const head = h(
    "div.card",
    title,
    h("p.quiet", [plan.note, `made ${moment(state.at)}`].filter(Boolean).join(" · ")),
    h("div.figures",
      figure(all.leaving, "leave recall"), all.tokens ? figure(all.tokens, "tokens of those", short) : null,
      all.added ? figure(all.added, "new") : null, all.back ? figure(all.back, "come back") : null,
      all.adjusted ? figure(all.adjusted, "adjusted or offered") : null, plan.claims.length ? figure(plan.claims.length, "claims") : null),
    plan.refused ? h("p.notice.bad", h("strong", "The breaker would refuse all of it: "), `it takes ${plan.refused} out of recall, and an automatic plan may take a fifth. Choose fewer lines, or force it if it is right.`) : null,
    warnings(plan),
    notice,
  );
  const bar = applyBar(state, place, { look: () => shown.look(), done, gone });
  const shown = diff(made, reader(place.signal), bar.look);
  return {
    element: h("div.stack", head, shown, bar.element),
    moved: () => fill(notice, h("p.notice", `${memories(state.moved.size)} of this plan changed after it was made. What no longer fits is left alone. `, h("button.small", { type: "button", on: { click: again } }, "Make it anew"))),
  };
}

const figure = (value, name, said = number) => h("div.figure", h("b", said(value)), h("span", name));

/** What the plan warns of; what the breaker would refuse is said above. */
function warnings(plan) {
  const found = plan.warnings.filter((one) => !plan.refused || !one.includes(plan.refused));
  return found.length ? h("ul.warnings", found.slice(0, 20).map((one) => h("li", { dir: "auto" }, one))) : null;
}

/** What is chosen, what it amounts to, and the button that does it. */
function applyBar(state, place, { look, done, gone }) {
  const { plan, made, order } = state;
  const said = h("p.bar-said", { role: "status" });
  const commands = h("div");
  const all = h("input", { type: "checkbox", on: { change: () => { made.put(made.able, all.checked); look(); draw(); } } });
  const strict = h("input", { type: "checkbox" });
  const button = h("button.primary", { type: "button", "data-writes": "", on: { click: () => apply() } });
  const bar = h("div.busy");
  const draw = () => {
    const { possible, chosen } = made.of(made.units);
    const found = sums(made.changes());
    all.checked = possible > 0 && chosen === possible;
    all.indeterminate = chosen > 0 && chosen < possible;
    said.textContent = [
      `${number(found.lines)} of ${counted(plan.changes.length, "change")} chosen`,
      found.leaving ? `${memories(found.leaving)} ${found.leaving === 1 ? "leaves" : "leave"} recall` : "nothing leaves recall",
      found.tokens ? `${short(found.tokens)} tokens` : "",
      made.isWhole() && plan.refused ? "the breaker will refuse it" : "",
    ].filter(Boolean).join(" · ");
    button.disabled = !found.lines;
    button.textContent = found.lines ? `Apply ${counted(found.lines, "change")}` : "Nothing is chosen";
    fill(commands, asCommand(order, made, plan));
  };

  const send = async (force) => {
    const shown = progress("Applying");
    fill(bar, shown);
    try {
      return await ask("apply", { plan: plan.key, only: made.isWhole() ? undefined : made.only(), strict: strict.checked || undefined, force: force || undefined }, { progress: shown.told, shorten: 300 });
    } catch (problem) {
      if (problem.status !== 404) throw problem;
      gone(); // a state of this page, not a note in its corner
      throw new DOMException("No longer kept", "AbortError");
    } finally {
      fill(bar);
    }
  };
  const apply = async () => {
    const found = sums(made.changes());
    const events = made.isWhole() ? made.claims().reduce((sum, claim) => sum + (claim.evidence.events ?? 0), 0) : 0;
    const sure = await confirm({
      title: `Apply ${counted(found.lines, "change")}?`,
      text: [
        found.leaving ? `${memories(found.leaving)} will leave recall. Each can be restored, and all of it undone.` : "Nothing leaves recall by it, and all of it can be undone.",
        ...(events ? [h("p.notice.bad", `${counted(events, "captured raw event")} will be let go for good: no undo brings them back.`)] : []),
      ],
      command: whole(order, made, plan),
      yes: "Apply",
    });
    if (!sure) return;
    const receipt = await act({
      work: () => pastBreaker(send, {
        about: "This is what protects you from a rule that takes too much. It can be undone, but agents will miss what left until then.",
        command: whole(order, made, plan, { force: true }),
        yes: "Apply it anyway",
      }),
      said: (answer) => `${counted(answer.applied.length, "memory", "memories")} changed by ${answer.id}${Object.keys(answer.skipped).length ? `, ${number(Object.keys(answer.skipped).length)} left alone` : ""}.`,
      command: whole(order, made, plan),
      button,
    });
    if (receipt) done(receipt);
  };
  draw();
  return {
    element: h("div.card.plan-bar", h("div.row.apart", h("label.choice", all, "All of it"), h("label.choice", { "data-writes": "" }, strict, "All or nothing"), button), said, bar, commands),
    look: draw,
  };
}

/** The command that does the same, where there is one. */
function whole(order, made, plan, more = {}) {
  // A claim without lines, such as old events that go for good, is part of the whole, and chosen by itself alone.
  const isAll = made.isWhole();
  const keys = order.kind === "dream" && (!isAll || more.force) ? { only: made.claims().map((claim) => claim.key).join(",") } : {};
  if (!isAll && order.kind !== "dream") return null;
  return commandOf(order, { ...keys, apply: true, ...more });
}

function asCommand(order, made, plan) {
  const said = made.changes().length ? whole(order, made, plan) : null;
  return said ? command(said) : h("p.quiet", `On the command line this plan is applied whole: ${commandOf(order, { apply: true })}`);
}

/** What was done. */
function applied(receipt, place, again) {
  const skipped = Object.entries(receipt.skipped);
  const read = reader(place.signal);
  const state = h("div", { role: "status" });
  const back = h("button", { type: "button", "data-writes": "", on: { click: () => takeBack() } }, `Undo ${receipt.id}`);
  const takeBack = async () => {
    back.disabled = true;
    const answer = await undo(receipt.id);
    if (answer) fill(state, h("p.notice", `Undone by ${answer.id}: ${memories(answer.applied.length)} changed back.`));
    else back.disabled = false;
  };
  const nothingDone = !receipt.applied.length;
  return h(
    "div.card",
    h("h2", { tabindex: "-1" }, nothingDone ? "Nothing was changed" : `Applied: ${memories(receipt.applied.length)} changed`),
    h("p", nothingDone ? "Everything in it had moved on, or was only offered." : ["The receipt is ", h("a", { href: `#/plans/receipt/${receipt.id}` }, receipt.id), ". It can be undone at any time."]),
    skipped.length ? h("h3", `${memories(skipped.length)} ${skipped.length === 1 ? "was" : "were"} left alone`) : null,
    skipped.length ? growing(skipped, ([id, why]) => stays(read, id, why), { size: 20, more: "left alone", label: "Left alone" }) : null,
    state,
    h("div.buttons", nothingDone ? null : back, h("button", { type: "button", on: { click: again } }, "Plan again")),
    nothingDone ? null : command(rem("undo", [receipt.id])),
  );
}
