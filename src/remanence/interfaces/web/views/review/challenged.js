// Memories that contradict each other, side by side, and those that a person doubts: which of them holds.

import { act, settled } from "../../acting.js";
import { ask, Problem } from "../../api.js";
import { rem } from "../../commands.js";
import { fill, h } from "../../dom.js";
import * as badges from "../../parts/badges.js";
import { command } from "../../parts/command.js";
import { steps } from "../../parts/diff.js";
import { arrange } from "../../parts/keyed.js";
import { nothing, waiting, wrong } from "../../parts/states.js";
import { counted, decimal, number } from "../../words.js";
import { rest } from "./quarantined.js";
import { hint, keys, neighbour } from "./rows.js";

const PAGE = 20;
const MOST = 200;

export async function challenged(place, body) {
  const { signal } = place;
  const rows = new Map();
  let limit = PAGE;
  let pairs = [];
  let turns = 0;
  const list = h("ol.review-list", { "aria-label": "Challenged memories" });
  const summary = h("p.quiet", { "aria-live": "polite" });
  const empty = h("div");
  const further = h("button", { type: "button", on: { click: () => { limit = Math.min(limit + PAGE, MOST); load(); } } }, "Show more");
  const nameOf = ([one, other]) => `${one.id} ${other?.id ?? ""} ${one.revision} ${other?.revision ?? ""}`;

  async function load() {
    const turn = (turns += 1);
    try {
      const [page] = await Promise.all([ask("review.challenged", { limit }, { signal, shorten: 1200 }), place.recount()]);
      if (turn !== turns) return;
      pairs = page.items;
      draw();
    } catch (problem) {
      if (problem.name === "AbortError" || turn !== turns) return;
      if (problem.status === undefined) throw problem;
      fill(empty, wrong(problem, load));
    }
  }
  function draw() {
    const shown = new Set(pairs.map(nameOf));
    for (const name of [...rows.keys()]) if (!shown.has(name)) rows.delete(name);
    for (const pair of pairs) if (!rows.has(nameOf(pair))) rows.set(nameOf(pair), row(pair, (does, button) => settle(pair, does, button), signal));
    arrange(list, pairs.map((pair) => rows.get(nameOf(pair))));
    further.hidden = pairs.length < limit || limit >= MOST;
    summary.textContent = pairs.length ? `${counted(pairs.length, "question")} to settle${further.hidden ? "" : ", and more"}.` : "";
    fill(empty, pairs.length ? null : nothing("Nothing contradicts anything", "When two memories cannot both be true, or you doubt one, it is asked here which holds.", command(rem("review", [], { challenged: true }))));
  }
  async function settle(pair, does, button) {
    const after = neighbour(rows.get(nameOf(pair)));
    let left = null;
    const answer = await act({
      work: async () => {
        const done = await does.work();
        left = done.left;
        return done.answers;
      },
      said: () => (left ? `Half done: ${left.done}.` : does.said),
      notes: () => (left ? [h("p", { dir: "auto" }, `Not done, so the question stays: ${left.problem.message}`)] : []),
      command: does.command, button,
    });
    if (!answer || left) return;
    pairs = pairs.filter((one) => one !== pair);
    draw();
    if (after?.isConnected) after.focus();
  }

  // Not between the two halves of a deed: the row would be drawn as if it were to be settled still.
  place.onEntries(async () => {
    await settled();
    if (!signal.aborted) load();
  });
  place.onDone(() => !signal.aborted && load());
  keys(list, { a: "[data-does]", r: "[data-does=second], [data-does=forget]" }, signal);
  fill(body, h("p", "Only one of each pair is likely to be true. While nobody says which, both are recalled, marked as doubted."),
    h("div.row.apart.review-head", summary, hint(place, [["a", "the first is right"], ["r", "the second is, or forget"]])),
    list, empty, h("div.buttons", further));
  fill(empty, waiting(4));
  further.hidden = true;
  await load();
}

const keep = (memory) => ({ ask: () => ask("confirm", { id: memory.id }, { shorten: 1 }), done: "one is confirmed", command: rem("confirm", [memory.id]) });
const drop = (memory) => ({ ask: () => ask("forget", { ids: [memory.id] }), done: "one is forgotten, softly", command: rem("forget", [memory.id], { yes: true }) });

/**
 * Several steps as one thing that is done. The one that is about the challenged memory comes last, so that the
 * question stays where that fails: `left` says then what was done before, and the problem.
 */
function deed(said, ...steps) {
  return {
    work: async () => {
      const answers = [];
      for (const step of steps) {
        try {
          answers.push(await step.ask());
        } catch (problem) {
          if (!(problem instanceof Problem) || !answers.length) throw problem;
          return { answers, left: { problem, done: steps.slice(0, answers.length).map(({ done }) => done).join(", ") } };
        }
      }
      return { answers, left: null };
    },
    command: steps.map(({ command: one }) => one).join(" && "),
    said,
  };
}

/** Both texts as pieces, with marks around what the other does not say. */
function told(one, other) {
  const found = steps(one, other);
  const pieces = (how) => found.filter((step) => step.how === "same" || step.how === how).map((step) => (step.how === "same" || !step.text.trim() ? step.text : h("mark", step.text)));
  return [pieces("removed"), pieces("added")];
}

function row([one, other], settle, signal) {
  const does = (name, words, what, deeds, danger = false) => ({
    element: h("button", { type: "button", "data-does": name, "data-writes": "", class: danger ? "danger" : "", on: { click: (event) => settle(deeds, event.currentTarget) } }, words),
    what, command: deeds.command,
  });
  const canDrop = (memory) => memory.state === "live" || memory.state === "archived";
  const settling = "Settled: one confirmed, the other forgotten, softly.";
  const buttons = other
    ? [
        does("first", "The first is right", "Confirms the first and forgets the second, softly.", deed(settling, ...(canDrop(other) ? [drop(other)] : []), keep(one))),
        does("second", "The second is right", "Confirms the second and forgets the first, softly.", deed(settling, keep(other), drop(one))),
        does("both", "Both hold", "Confirms both; neither is doubted any more.", deed("Both confirmed.", keep(other), keep(one))),
      ]
    : [
        does("confirm", "It holds", "Confirms it; it is doubted no more.", deed("Confirmed.", keep(one))),
        does("forget", "Forget it", "Forgets it, softly.", deed("Forgotten, softly.", drop(one)), true),
      ];
  const [first, second] = other ? told(one.text, other.text) : [[one.text], null];
  return h(
    "li.card.review-pair",
    { "data-row": "", "data-id": one.id, tabindex: "-1" },
    h("div.pair", side(one, first, other ? "The first" : "Doubted by a person", signal), other ? side(other, second, "The second", signal) : null),
    h("div.buttons", buttons.map(({ element }) => element)),
    h("details.happens", h("summary", "What each would do"), buttons.map(({ element, what, command: said }) => h("div", h("p", h("strong", element.textContent), ": ", what), command(said)))),
  );
}

function side(memory, pieces, title, signal) {
  const text = h("div.text", { dir: "auto" }, pieces);
  return h(
    "section.side",
    { "aria-label": title },
    h("p.side-title", title, memory.state === "live" ? null : [" ", badges.state(memory.state)]),
    text,
    rest(memory, text, signal),
    h("dl.measures",
      h("dt", "From"), h("dd", memory.source), h("dt", "Trust"), h("dd", decimal(memory.trust)), h("dt", "Learned"), h("dd", badges.when(memory.created_at)),
      h("dt", "Confirmed"), h("dd", memory.confirmations ? counted(memory.confirmations, "time") : "never"), h("dt", "Recalled"), h("dd", `${number(memory.access_count)}×`)),
    h("div.marks", badges.tag(memory.kind), badges.scope(memory.scope), h("a", { href: `#/memory/${memory.id}` }, "All of it")),
  );
}
