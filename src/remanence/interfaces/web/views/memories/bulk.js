// What is done to many memories at once: one call where there is one, else one a memory, with progress and an undo for all.

import { act, oneByOne } from "../../acting.js";
import { ask, Problem } from "../../api.js";
import { rem, some } from "../../commands.js";
import { fill, h } from "../../dom.js";
import { memories, number } from "../../words.js";
import { link } from "../../parts/badges.js";
import { confirm, dialog } from "../../parts/dialog.js";
import { nothing, progress, waiting, wrong } from "../../parts/states.js";
import { toast } from "../../parts/toast.js";
import { eraseHref, MOST_IDS } from "../erase/address.js";
import { listed, narrowing } from "./address.js";

const ONE_BY_ONE = [
  ["pin", "Pin", "Pinned"], ["unpin", "Unpin", "Unpinned"], ["confirm", "Confirm", "Confirmed"], ["promote", "Promote", "Promoted"], ["demote", "Demote", "Demoted"],
];
const STEP = 1000;
const SHOWN = 5;
const TOLD = 3; // of commands and failures, in a corner

/** The bar of the choice; element.tell() draws it anew. What was done is no longer chosen. */
export function bar(place, chosen) {
  const element = h("section.bulk", { "aria-label": "Chosen memories", hidden: true });
  let isBusy = false;
  /** What was left alone stays chosen. */
  const done = (answer, ids) => answer && chosen.drop(ids.filter((id) => !Object.hasOwn(answer.skipped, id)));
  const forget = async (event) => {
    const ids = chosen.ids();
    const button = event.currentTarget;
    const command = rem("forget", some(ids), { yes: true });
    const sure = await confirm({
      title: `Forget ${memories(ids.length)}?`, text: ["They leave every recall. It can be undone.", rest(ids)].filter(Boolean), yes: "Forget", command, preview: sample(chosen.all()),
    });
    if (sure) done(await act({ work: () => ask("forget", { ids }), said: (answer) => `Forgot ${memories(answer.applied.length)}.`, command, button }), ids);
  };
  const restore = async (event) => {
    const ids = chosen.ids();
    done(await act({ work: () => ask("restore", { ids }), said: (answer) => `Restored ${memories(answer.applied.length)}.`, command: rem("restore", some(ids)), button: event.currentTarget }), ids);
  };
  const each = async (verb, said) => {
    const items = chosen.all();
    const command = some(items, TOLD).map((one) => rem(verb, [one.id])).join(" && ");
    const moving = progress(said);
    let failed = [];
    isBusy = true;
    fill(element, moving);
    moving.told(0, items.length);
    const answer = await act({
      work: async () => {
        const found = await oneByOne(items, (one) => ask(verb, { id: one.id }, { shorten: 100 }), (count) => moving.told(count, items.length));
        failed = found.failed;
        if (!found.done.length) throw failed[0][1];
        return found.done.map(([, memory]) => memory);
      },
      said: (changed) => `${said} ${memories(changed.length)}.${failed.length ? ` ${number(failed.length)} failed.` : ""}`,
      notes: () => leftAlone(failed),
      failed: (problem) => problem.status !== 401 && toast({ text: `${said} none of ${memories(items.length)}.`, bad: true, notes: leftAlone(failed), command }),
      command,
    });
    isBusy = false;
    if (answer) chosen.drop(answer.map((one) => one.id));
    else element.tell();
  };
  element.tell = () => {
    if (isBusy) return;
    element.hidden = !chosen.size;
    if (!chosen.size) {
      element.replaceChildren();
      return;
    }
    const held = document.activeElement?.closest(".bulk") ? document.activeElement.dataset.does : null;
    const away = chosen.size - chosen.here().filter((one) => chosen.has(one.id)).length;
    const button = (name, text, click) => h("button", { type: "button", "data-writes": "", "data-does": name, on: { click } }, text);
    fill(
      element,
      h("p", { role: "status" }, h("strong", `${number(chosen.size)} chosen`), away ? ` · ${number(away)} not on this page` : ""),
      h("div.row",
        button("forget", "Forget…", forget), button("restore", "Restore", restore),
        ONE_BY_ONE.map(([verb, name, said]) => button(verb, name, () => each(verb, said))),
        place.can.whole ? h("a.button.danger-link", { href: eraseHref(chosen.ids()), "data-writes": "", "data-does": "purge" }, "Purge…") : null,
        h("button.quiet", { type: "button", "data-does": "none", on: { click: chosen.clear } }, "Choose none")),
    );
    if (held) element.querySelector(`[data-does="${held}"]`)?.focus();
  };
  return element;
}

/** Which were left alone, and why: no more of them than a toast has room for. */
function leftAlone(failed) {
  const told = failed.slice(0, TOLD).map(([one, problem]) => h("p", { dir: "auto" }, `${one.id.slice(-12)} was left alone: ${problem.message}`));
  return failed.length > told.length ? [...told, h("p", `and ${number(failed.length - told.length)} more.`)] : told;
}

const rest = (ids) => (ids.length > some(ids).length ? `The command shows the first ${some(ids).length} of ${number(ids.length)} ids.` : "");

/** The first of many, to see what is meant. */
function sample(items) {
  const more = items.length - SHOWN;
  return h("ul.sample", items.slice(0, SHOWN).map((one) => h("li", link(one, 90))), more > 0 ? h("li.quiet-text", `and ${number(more)} more`) : null);
}

/**
 * Forget all that the filters show, by a plan. It is asked about when it is there, by its own number; its progress is
 * told in `where`, which is drawn by `again`.
 */
export async function forgetMatching(place, filters, total, where, again) {
  const bySaying = narrowing(filters).every(([name]) => name === "scope" || name === "kind");
  const { scope, kind } = filters;
  const plan = await planned(async (signal) => {
    const given = bySaying ? { scope: scope || undefined, kinds: kind || undefined } : { ids: await idsOf(filters, total, signal) };
    return await ask("plan_forget", given, { signal, shorten: 100 });
  }, place.signal);
  if (!plan) return;
  const count = plan.changes.length;
  const said = bySaying ? rem("forget", [], { scope, kind, yes: true }) : rem("forget", some(plan.changes.map((one) => one.memory_id)), { yes: true });
  const sure = await confirm({
    title: `Forget all ${number(count)} that match?`,
    text: [
      h("p", h("strong", `The plan forgets ${memories(count)}.`), " They leave every recall. It can be undone."),
      ...plan.warnings.map((one) => h("p.notice", { dir: "auto" }, one)),
      ...(bySaying ? [] : ["The command line has no such filter: it is given the ids.", rest(plan.changes)].filter(Boolean)),
    ],
    yes: "Forget all", danger: true, typed: count > 20 ? String(count) : null, command: said,
  });
  if (!sure) return;
  const moving = progress("Forgetting");
  fill(where, moving);
  const receipt = await act({
    work: () => ask("apply", { plan: plan.key }, { progress: moving.told, shorten: 100 }),
    said: ({ applied }) => `Forgot ${memories(applied.length)}.`,
    command: said,
  });
  if (!receipt) again();
}

/** The plan, waited for in front of the page; undefined where somebody would rather not, or there is nothing in it. */
async function planned(make, outer) {
  const stopped = new AbortController();
  const plan = await dialog("Making the plan", (close) => {
    const content = h("div");
    const begin = async () => {
      fill(content, waiting(2, "Making the plan"));
      try {
        const made = await make(AbortSignal.any([outer, stopped.signal]));
        if (made.changes.length) close(made);
        else fill(content, nothing("Nothing is left that matches", "Somebody else has changed it meanwhile."));
      } catch (problem) {
        if (problem.name === "AbortError") return;
        if (!(problem instanceof Problem)) throw problem;
        fill(content, wrong(problem, begin));
      }
    };
    begin();
    return [content, h("div.dialog-buttons", h("button", { type: "button", on: { click: () => close() } }, "Cancel"))];
  });
  stopped.abort();
  return plan;
}

async function idsOf(filters, total, signal) {
  const ids = [];
  let cursor;
  do {
    if (Math.max(total, ids.length) > MOST_IDS) throw new Problem(422, "too_many", `More than ${number(MOST_IDS)} match: narrow the filters, or name a scope or kind alone.`);
    const page = await ask("list", { ...listed(filters), limit: STEP, cursor }, { signal, shorten: 1 });
    ids.push(...page.items.map((one) => one.id));
    cursor = page.next;
  } while (cursor);
  return ids;
}
