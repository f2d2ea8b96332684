// A plan from its order to its receipt: made with progress, looked at, chosen from, applied, taken back.

import { ask, namespace, onAnswers, Problem } from "../../api.js";
import { act } from "../../acting.js";
import { rem } from "../../commands.js";
import { fill, h } from "../../dom.js";
import { onEntries } from "../../live.js";
import { pastBreaker } from "../../parts/breaker.js";
import { command } from "../../parts/command.js";
import { confirm } from "../../parts/dialog.js";
import { figure } from "../../parts/figure.js";
import { nothing, progress, wrong } from "../../parts/states.js";
import { takeBack } from "../../parts/taking_back.js";
import { counted, memories, moment, number, short } from "../../words.js";
import { choice, sums } from "./choice.js";
import { groups } from "./groups.js";
import { growing, stays } from "./lines.js";
import { commandOf, form, given } from "./order.js";
import { noted } from "./receipts.js";
import { reader } from "./texts.js";

/** So many lines can be named one by one: more are longer than what a server takes at once. */
const MOST_NAMED = 39000;

// The plan that was made last, and what became of it: it stays while one looks at a memory of it and comes back.
let kept = null;
let shown = null; // where it is looked at: draw() when it has become something else, moved() when others changed it
onEntries((entries) => {
  if (!kept || kept.isApplying || kept.receipt) return; // what is changed by applying it did not move away from it
  const before = kept.moved.size;
  for (const entry of entries) if (kept.ids.has(entry.memory_id)) kept.moved.add(entry.memory_id);
  if (kept.moved.size !== before) shown?.moved();
});
onAnswers((what) => {
  if (what === "left" || what === "moved") kept = null;
});

/** The tab: the order above, its plan below. */
export function show(place, content) {
  const owner = `${namespace() ?? ""} ${place.me.name} ${place.me.namespace}`;
  const wanted = place.query.get("plan");
  if (kept?.owner !== owner || (wanted && wanted !== kept.order.kind && !kept.isApplying)) kept = null;
  const first = kept?.order ?? { kind: wanted ?? "sweep", scope: place.query.get("scope") ?? "", topic: place.query.get("topic") ?? "" };
  const below = h("div.plan-place");
  let making = null;
  const here = {
    draw: () => {
      draw();
      below.querySelector("h2, button")?.focus();
    },
    moved: () => {},
  };
  fill(content, form(first, (order) => make(order)), below);

  const make = async (order) => {
    place.note({ plan: order.kind, scope: order.scope, topic: order.kind === "compact" ? order.topic : "" });
    making?.abort();
    making = new AbortController();
    const mine = making;
    kept = null;
    const bar = progress("Making the plan");
    fill(below, h("div.card", bar, h("button.small", { type: "button", on: { click: () => mine.abort() } }, "Stop")));
    try {
      const plan = await ask(order.kind, given(order), { signal: AbortSignal.any([place.signal, mine.signal]), shorten: 1200, progress: bar.told });
      if (mine !== making) return;
      kept = {
        owner, order, plan, made: choice(plan), ids: new Set(plan.changes.map((change) => change.memory_id)), moved: new Set(), at: Date.now(),
        isApplying: false, isGone: false, receipt: null, events: 0, bar: h("div.busy"),
      };
      draw();
      below.querySelector("h2")?.focus({ preventScroll: false });
    } catch (problem) {
      if (place.signal.aborted || mine !== making || problem.status === 401) return;
      if (problem.name === "AbortError") fill(below, nothing("Stopped", "No plan was made, and nothing was changed."));
      else if (problem instanceof Problem) fill(below, wrong(problem, () => make(order)));
      else throw problem;
    }
  };
  /** What has become of the plan that is kept. */
  const draw = () => {
    const state = kept;
    const again = () => make(state.order);
    here.moved = () => {};
    if (state.receipt) fill(below, applied(state, place, again));
    else if (state.isGone) fill(below, gone(again));
    else if (state.isApplying) fill(below, h("div.card", h("h2", { tabindex: "-1" }, "This plan is being applied"), h("p", "Its receipt is told here when it is done."), state.bar));
    else {
      const drawn = planned(state, place, again);
      fill(below, drawn.element);
      here.moved = drawn.moved;
      if (state.moved.size) drawn.moved();
    }
  };
  shown = here;
  place.signal.addEventListener("abort", () => {
    if (shown !== here) return;
    shown = null;
    if (kept?.receipt) kept = null; // it was seen
  });
  if (kept) draw();
}

const gone = (again) => h("div.card", { role: "alert" }, nothing("This plan is no longer kept", "A plan is kept for an hour, and until the server is started anew. Nothing was changed.",
  h("button.primary", { type: "button", on: { click: again } }, "Make it anew")));

/** The plan itself: what it is, its groups, and the bar from which it is applied. */
function planned(state, place, again) {
  const { plan, made } = state;
  const title = h("h2", { tabindex: "-1" });
  if (!plan.changes.length && !plan.claims.length) {
    const isSkipped = plan.warnings.length > 0 && plan.warnings.every((one) => one.includes(" skipped: "));
    title.append(isSkipped ? "Nothing was looked at" : "Nothing is due");
    const why = plan.verb === "sweep" ? "No rule of the policy holds for any memory now. Every one is where it belongs." : "There is nothing to propose. That is a good state.";
    return {
      element: h("div.card", title, h("p", isSkipped ? "Every step was skipped, so nothing is proposed." : why),
        warnings(plan), plan.note ? h("p.quiet", { dir: "auto" }, noted(plan.note)) : null),
      moved: () => {},
    };
  }
  const all = sums(plan.changes);
  title.append(`${plan.changes.length ? counted(plan.changes.length, "change") : counted(plan.claims.length, "claim")}, nothing done yet`);
  const notice = h("div", { role: "status" });
  const head = h(
    "div.card",
    title,
    h("p.quiet", [noted(plan.note), `made ${moment(state.at)}`].filter(Boolean).join(" · ")),
    h("div.figures",
      figure(all.leaving, "leave recall"), all.tokens ? figure(all.tokens, "tokens of those", { said: short }) : null,
      all.added ? figure(all.added, "new") : null, all.back ? figure(all.back, "come back") : null,
      all.adjusted ? figure(all.adjusted, "adjusted or offered") : null, plan.claims.length ? figure(plan.claims.length, "claims") : null),
    plan.refused ? h("p.notice.bad", h("strong", "The breaker would refuse all of it: "), `it takes ${plan.refused} out of recall, and an automatic plan may take a fifth. Choose fewer lines, or force it if it is right.`) : null,
    warnings(plan),
    notice,
  );
  const bar = applyBar(state, () => listed.look());
  const listed = groups(made, reader(place.signal), bar.look);
  return {
    element: h("div.stack", head, listed, bar.element),
    moved: () => fill(notice, h("p.notice", `${memories(state.moved.size)} of this plan changed after it was made. What no longer fits is left alone. `, h("button.small", { type: "button", on: { click: again } }, "Make it anew"))),
  };
}

/** What the plan warns of; what the breaker would refuse is said above. */
function warnings(plan) {
  const found = plan.warnings.filter((one) => !plan.refused || !one.includes(plan.refused));
  return found.length ? h("ul.warnings", found.slice(0, 20).map((one) => h("li", { dir: "auto" }, one))) : null;
}

/** What is chosen, what it amounts to, and the button that does it. */
function applyBar(state, look) {
  const { plan, made, order, bar } = state;
  const said = h("p.bar-said", { role: "status" });
  const commands = h("div");
  const all = h("input", { type: "checkbox", on: { change: () => { made.put(made.able, all.checked); look(); draw(); } } });
  const strict = h("input", { type: "checkbox", on: { change: () => draw() } });
  const button = h("button.primary", { type: "button", "data-writes": "", on: { click: () => apply() } });
  /** What would be applied, in words; what has no lines of its own is named where there are none at all. */
  const what = () => {
    const [lines, bare] = [made.changes().length, made.bare().length];
    return lines ? counted(lines, "change") : bare ? counted(bare, "claim") : "";
  };
  const isTooLong = () => !made.isWhole() && made.changes().length > MOST_NAMED;
  const written = (more) => (strict.checked ? null : whole(order, made, plan, more));
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
      isTooLong() ? `more than ${number(MOST_NAMED)} cannot be named one by one: choose all of it, or fewer` : "",
    ].filter(Boolean).join(" · ");
    all.disabled = !possible;
    button.disabled = !what() || isTooLong();
    button.textContent = what() ? `Apply ${what()}` : "Nothing is chosen";
    fill(commands, strict.checked ? h("p.quiet", "The command line has no “All or nothing”: there, what no longer fits is left alone.") : asCommand(order, made, plan));
  };

  const send = async (force) => {
    const done = progress("Applying");
    fill(bar, done);
    try {
      return await ask("apply", { plan: plan.key, only: made.isWhole() ? undefined : made.only(), strict: strict.checked || undefined, force: force || undefined }, { progress: done.told, shorten: 300 });
    } catch (problem) {
      if (problem.status !== 404) throw problem;
      state.isGone = true; // a state of this page, not a note in its corner
      throw new DOMException("No longer kept", "AbortError");
    } finally {
      fill(bar);
    }
  };
  const apply = async () => {
    const found = sums(made.changes());
    const events = made.bare().reduce((sum, claim) => sum + (claim.evidence.events ?? 0), 0);
    const sure = await confirm({
      title: `Apply ${what()}?`,
      text: [
        found.leaving ? `${memories(found.leaving)} will leave recall. Each can be restored, and all of it undone.` : found.lines ? "Nothing leaves recall by it, and all of it can be undone." : "No memory is changed by it.",
        ...(events ? [h("p.notice.bad", `${counted(events, "captured raw event")} will be let go for good: no undo brings them back.`)] : []),
      ],
      command: written(),
      yes: "Apply",
    });
    if (!sure) return;
    Object.assign(state, { isApplying: true, events });
    state.receipt = await act({
      work: () => pastBreaker(send, {
        about: "This is what protects you from a rule that takes too much. It can be undone, but agents will miss what left until then.",
        command: written({ force: true }),
        yes: "Apply it anyway",
      }),
      said: (answer) => [`${memories(answer.applied.length)} changed by ${answer.id}`, ...letGo(events), ...(Object.keys(answer.skipped).length ? [`${number(Object.keys(answer.skipped).length)} left alone`] : [])].join(", ") + ".",
      command: written(),
      button,
    });
    state.isApplying = false;
    // Whoever looks at this plan now, here or after coming back, sees what has become of it.
    if (kept === state && (state.receipt || state.isGone || !button.isConnected)) shown?.draw();
  };
  draw();
  return {
    element: h("div.card.plan-bar", h("div.row.apart", h("label.choice", all, "All of it"), h("label.choice", { "data-writes": "" }, strict, "All or nothing: where one line no longer fits, none is applied"), button), said, bar, commands),
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
  const said = made.claims().length || made.changes().length ? whole(order, made, plan) : null;
  return said ? command(said) : h("p.quiet", `On the command line this plan is applied whole: ${commandOf(order, { apply: true })}`);
}

const letGo = (events) => (events ? [`${counted(events, "captured raw event")} let go for good`] : []);

/** What was done. */
function applied({ receipt, events }, place, again) {
  const skipped = Object.entries(receipt.skipped);
  const read = reader(place.signal);
  const state = h("div", { role: "status" });
  const back = h("button", { type: "button", "data-writes": "", on: { click: () => taken() } }, `Undo ${receipt.id}`);
  const taken = async () => {
    const answer = await takeBack(receipt.id, back, { isWhole: place.can.whole, signal: place.signal });
    if (!answer) return;
    fill(state, h("p.notice", `Undone by ${answer.id}: ${memories(answer.applied.length)} changed back.`));
    back.hidden = true;
  };
  const nothingDone = !receipt.applied.length;
  return h(
    "div.card",
    h("h2", { tabindex: "-1" }, nothingDone ? (events ? "Applied: no memory changed" : "Nothing was changed") : `Applied: ${memories(receipt.applied.length)} changed`),
    letGo(events).map((said) => h("p", `${said}.`)),
    h("p", nothingDone ? (events ? "No memory was in it." : "Everything in it had moved on, or was only offered.") : ["The receipt is ", h("a", { href: `#/plans/receipt/${receipt.id}` }, receipt.id), ". It can be undone at any time."]),
    skipped.length ? h("h3", `${memories(skipped.length)} ${skipped.length === 1 ? "was" : "were"} left alone`) : null,
    skipped.length ? growing(skipped, ([id, why]) => stays(read, id, why), { size: 20, more: "left alone", label: "Left alone" }) : null,
    state,
    h("div.buttons", nothingDone ? null : back, h("button", { type: "button", on: { click: again } }, "Plan again")),
    nothingDone ? null : command(rem("undo", [receipt.id])),
  );
}
