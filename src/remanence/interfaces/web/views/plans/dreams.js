// Past dreams: what each merged and freed, and whether it is regretted; and the two things a timer does, by hand.

import { ask } from "../../api.js";
import { act } from "../../acting.js";
import { rem } from "../../commands.js";
import { fill, h } from "../../dom.js";
import { state, when } from "../../parts/badges.js";
import { command } from "../../parts/command.js";
import { confirm } from "../../parts/dialog.js";
import { figure } from "../../parts/figure.js";
import { nothing, progress, waiting, wrong } from "../../parts/states.js";
import { takeBack } from "../../parts/taking_back.js";
import { counted, memories, number, short } from "../../words.js";
import { growing } from "./lines.js";
import { noted } from "./receipts.js";
import { named, reader } from "./texts.js";

const MOST = 50;

export async function show(place, content) {
  const cards = h("div.dreams");
  const report = h("div", { role: "status" });
  fill(
    content,
    h("div.grid", { "data-writes": "" },
      chore({ title: "Run the dream now", about: "Every step, applied as it goes: at most a fifth of a scope leaves recall, and each step has its receipt.", does: "Run the dream now", said: rem("dream", [], { apply: true }), run: dream }),
      chore({ title: "Run upkeep now", about: "What the timer does: sweep what is due, work off jobs, dream where that is due.", does: "Run upkeep now", said: rem("work", [], { once: true }), run: upkeep })),
    report,
    h("div.row.apart", h("h2", "What past dreams did"), command(rem("dream report"))),
    cards,
  );
  let turns = 0;
  const load = async () => {
    const turn = (turns += 1);
    try {
      const { items } = await ask("dreams.report", { limit: MOST }, { signal: place.signal, shorten: 200 });
      if (turn !== turns) return;
      const held = cards.contains(document.activeElement) ? document.activeElement.closest("[data-dream]")?.dataset.dream : null;
      const read = reader(place.signal); // states may be others than when they were read last
      if (items.length) fill(cards, items.map((one) => card(one, read, place.signal)));
      else fill(cards, nothing("No dream has changed anything yet", h("p", "See first what one would do: ", h("a", { href: "#/plans?plan=dream" }, "plan a dream"), "."), command(rem("dream"))));
      if (held) cards.querySelector(`[data-dream="${CSS.escape(held)}"] a`)?.focus();
    } catch (problem) {
      if (problem.name === "AbortError" || turn !== turns) return;
      if (problem.status === undefined) throw problem;
      fill(cards, wrong(problem, load));
    }
  };
  const followed = async (name, label, button, said, command) => {
    const bar = progress(label);
    fill(report, h("div.card", bar));
    const answer = await act({ work: () => ask(name, {}, { progress: bar.told, shorten: 200 }), said, command, button });
    fill(report);
    return answer;
  };
  async function dream(button) {
    const said = rem("dream", [], { apply: true });
    const text = "It applies what it proposes. Each step has a receipt and can be undone, except for captured raw events of more than 90 days ago, which go for good.";
    if (!(await confirm({ title: "Run the dream now?", text, command: said, yes: "Dream" }))) return;
    const answer = await followed("dreams.run", "Dreaming", button, (run) => (run.ran ? `Dreamt: ${number(run.made)} made, ${number(run.merged)} merged.` : `It did not run: ${run.why}`), said);
    if (answer) fill(report, dreamt(answer));
  }
  async function upkeep(button) {
    const said = rem("work", [], { once: true });
    if (!(await confirm({ title: "Run upkeep now?", text: "What is due by the policy leaves recall, as it would when the timer comes. It can be undone.", command: said, yes: "Run it" }))) return;
    const answer = await followed("upkeep", "Looking after the store", button, (run) => (run.ran ? `${memories(run.archived + run.forgotten)} left recall.` : `It did not run: ${run.why}`), said);
    if (answer) fill(report, kept(answer));
  }
  place.onDone(load);
  fill(cards, waiting(4));
  await load();
}

function chore({ title, about, does, said, run }) {
  const button = h("button", { type: "button", on: { click: () => run(button) } }, does);
  return h("section.card", h("h2", title), h("p", about), h("div.buttons", button), command(said));
}

const list = (items) => (items.length ? h("ul.warnings", items.slice(0, 20).map((one) => h("li", { dir: "auto" }, one))) : null);
/** A dream that wrote more than it took out freed nothing. */
const freed = (tokens) => (tokens < 0 ? figure(-tokens, "tokens more", { said: short }) : figure(tokens, "tokens freed", { said: short }));
const receiptLink = (id) => h("a", { href: `#/plans/receipt/${id}` }, id);

/** What a dream just did. */
function dreamt(run) {
  const receipts = Object.entries(run.receipts);
  return h(
    "section.card",
    h("h2", run.ran ? (receipts.length ? "The dream is done" : "The dream found nothing to do") : "The dream did not run"),
    run.why ? h("p", { dir: "auto" }, run.why) : null,
    h("div.figures", figure(run.merged, "merged"), figure(run.made, "made"), freed(run.tokens_freed), figure(run.pruned, "pruned"), figure(run.skipped, "left alone"), run.events ? figure(run.events, "raw events let go") : null),
    receipts.length ? h("p", "Receipts, each of which can be undone: ", receipts.map(([step, id], at) => [at ? ", " : "", `${step} `, receiptLink(id)])) : null,
    run.left.length ? h("p.quiet", `For the next run: ${run.left.join(", ")}`) : null,
    list(run.warnings),
  );
}

/** What upkeep just did. */
function kept(run) {
  const rules = Object.entries(run.by_rule);
  return h(
    "section.card",
    h("h2", run.ran ? "The store was looked after" : "Upkeep did not run"),
    run.why ? h("p", { dir: "auto" }, run.why) : null,
    h("div.figures", figure(run.archived, "archived"), figure(run.forgotten, "forgotten"), figure(run.moved, "changed layer"), figure(run.offered, "offered"), figure(run.embedded, "embedded"), figure(run.left, "left for later")),
    rules.length ? h("p", "By rule: ", rules.map(([rule, some]) => `${rule} ${number(some)}`).join(", ")) : h("p", "No rule held for any memory."),
    run.receipt_id ? h("p", "Its receipt is ", receiptLink(run.receipt_id), ".") : null,
    list(run.warnings),
    run.dream ? dreamt(run.dream) : null,
  );
}

/** A past dream: what came of it, and whether it is regretted. */
function card(one, read, signal) {
  const taken = (event) => takeBack(one.receipt_id, event.currentTarget, { signal });
  return h(
    "section.card",
    { "data-dream": one.receipt_id },
    h("div.row.apart",
      h("h3", receiptLink(one.receipt_id), " ", h("span.quiet", when(one.at))),
      one.undone ? h("span.undone", "undone by ", receiptLink(one.undone)) : h("button.small", { type: "button", "data-writes": "", "aria-label": `Undo ${one.receipt_id}`, on: { click: taken } }, "Undo")),
    one.note ? h("p.quiet", { dir: "auto" }, noted(one.note)) : null,
    h("div.figures", figure(one.made.length, "made"), figure(one.merged.length, "merged"), figure(one.archived, "left recall"), figure(one.adjusted, "adjusted"), freed(one.tokens_freed), figure(one.missed, one.missed === 1 ? "regret" : "regrets")),
    regrets(one, read),
    one.undone ? null : command(rem("undo", [one.receipt_id])),
  );
}

/** The way back of one memory; what is shown is drawn anew when it is done. */
function restoring(id) {
  const said = rem("restore", [id]);
  const button = h("button.small", { type: "button", "data-writes": "", "aria-label": `Restore ${id.slice(-12)}`, on: { click: () =>
    act({ work: () => ask("restore", { ids: [id] }, { shorten: 200 }), said: (answer) => (answer.applied.length ? "It is back in recall." : "It was left alone."), command: said, button }) } }, "Restore");
  return button;
}

/** Regrets: recalls since then that would have had what it took out. */
function regrets(one, read) {
  if (!one.missed) return h("p.quiet", "No regrets: no recall since then would have had what it took out.");
  const said = `${counted(one.missed, "regret")}: ${one.missed === 1 ? "a recall" : "recalls"} since then would have had something it took out of recall. Restore it, or undo the dream.`;
  return h(
    "div",
    h("p.notice", said),
    growing(one.missed_ids, (id) => h("li.line.plain", h("span.sign", { "aria-hidden": "true" }, "·"), h("div.change", named(read, id, (memory) => h("div.marks", state(memory.state), memory.state === "live" ? null : restoring(id))))), { size: 5, more: "memories", label: "Regretted" }),
    one.missed_ids.length ? command(rem("restore", one.missed_ids.slice(0, 5))) : null,
  );
}
