// What is done to many memories at once: one call where there is one, else one a memory, with progress and an undo for all.

import { act } from "../../acting.js";
import { ask, Problem } from "../../api.js";
import { rem, some } from "../../commands.js";
import { fill, h } from "../../dom.js";
import { counted, memories, number } from "../../words.js";
import { link } from "../../parts/badges.js";
import { confirm } from "../../parts/dialog.js";
import { progress, waiting } from "../../parts/states.js";
import { toast } from "../../parts/toast.js";
import { purge } from "../memory/purging.js";
import { listed, narrowing } from "./address.js";

const ONE_BY_ONE = [
  ["pin", "Pin", "Pinned"], ["unpin", "Unpin", "Unpinned"], ["confirm", "Confirm", "Confirmed"], ["promote", "Promote", "Promoted"], ["demote", "Demote", "Demoted"],
];
const AT_ONCE = 3;
const MOST = 10000;
const STEP = 1000;
const SHOWN = 5;

/** The bar of the choice; element.tell() draws it anew. `after` is called when something was done. */
export function bar(place, chosen, after) {
  const element = h("section.bulk", { "aria-label": "Chosen memories", hidden: true });
  let isBusy = false;
  const done = (answer) => {
    if (answer === undefined) return;
    chosen.clear();
    after();
  };
  const forget = async (event) => {
    const ids = chosen.ids();
    const button = event.currentTarget;
    const command = rem("forget", some(ids), { yes: true });
    const sure = await confirm({
      title: `Forget ${memories(ids.length)}?`, text: ["They leave every recall. It can be undone.", rest(ids)].filter(Boolean), yes: "Forget", command, preview: sample(chosen.all()),
    });
    if (sure) done(await act({ work: () => ask("forget", { ids }), said: (answer) => `Forgot ${memories(answer.applied.length)}.`, command, button }));
  };
  const restore = async (event) => {
    const ids = chosen.ids();
    done(await act({ work: () => ask("restore", { ids }), said: (answer) => `Restored ${memories(answer.applied.length)}.`, command: rem("restore", some(ids)), button: event.currentTarget }));
  };
  const each = async (verb, said) => {
    isBusy = true;
    const items = chosen.all();
    const moving = progress(said);
    fill(element, moving);
    moving.told(0, items.length);
    const { done: changed, failed } = await oneByOne(items, (one) => ask(verb, { id: one.id }, { shorten: 100 }), (count) => moving.told(count, items.length));
    isBusy = false;
    const receipts = await receiptsOf(verb, changed);
    const told = failed.slice(0, SHOWN).map(([one, problem]) => h("p", { dir: "auto" }, `${one.id.slice(-12)} was left alone: ${problem.message}`));
    if (failed.length > SHOWN) told.push(h("p", `and ${number(failed.length - SHOWN)} more.`));
    const command = some(items, 10).map((one) => rem(verb, [one.id])).join(" && ");
    toast({
      text: `${said} ${memories(changed.length)}.${failed.length ? ` ${number(failed.length)} failed.` : ""}`, notes: told, bad: !changed.length, command,
      undo: receipts.length ? () => undoAll(receipts).then(() => after()) : null,
    });
    chosen.clear();
    after(receipts);
  };
  const purged = async () => {
    const certificate = await purge(chosen.all());
    if (certificate) done(certificate);
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
    const button = (name, text, click, kind = "") => h("button", { type: "button", class: kind, "data-writes": "", "data-does": name, on: { click } }, text);
    fill(
      element,
      h("p", { role: "status" }, h("strong", `${number(chosen.size)} chosen`), away ? ` · ${number(away)} not on this page` : ""),
      h("div.row",
        button("forget", "Forget…", forget), button("restore", "Restore", restore),
        ONE_BY_ONE.map(([verb, name, said]) => button(verb, name, () => each(verb, said))),
        place.can.whole ? button("purge", "Purge…", purged, "danger") : null,
        h("button.quiet", { type: "button", on: { click: chosen.clear } }, "Choose none")),
    );
    if (held) element.querySelector(`[data-does="${held}"]`)?.focus();
  };
  return element;
}

const rest = (ids) => (ids.length > some(ids).length ? `The command shows the first ${some(ids).length} of ${number(ids.length)} ids.` : "");

/** The first of many, to see what is meant. */
function sample(items) {
  const more = items.length - SHOWN;
  return h("ul.sample", items.slice(0, SHOWN).map((one) => h("li", link(one, 90))), more > 0 ? h("li.quiet-text", `and ${number(more)} more`) : null);
}

async function oneByOne(items, work, told) {
  const left = [...items];
  const done = [];
  const failed = [];
  const worker = async () => {
    while (left.length) {
      const one = left.shift();
      try {
        await work(one);
        done.push(one);
      } catch (problem) {
        if (!(problem instanceof Problem)) throw problem;
        failed.push([one, problem]);
        if (problem.status === 401 || problem.status === 0) left.length = 0;
      }
      told(done.length + failed.length);
    }
  };
  await Promise.all(Array.from({ length: AT_ONCE }, worker));
  return { done, failed };
}

/** The receipts of what was just done: the calls for one memory answer with the memory, and the journal knows. */
async function receiptsOf(verb, items) {
  if (!items.length) return [];
  try {
    const { items: entries } = await ask("journal", { limit: Math.min(1000, items.length * 2 + 20) });
    const wanted = new Set(items.map((one) => one.id));
    const found = new Set();
    for (const entry of entries) {
      if (entry.verb === verb && wanted.delete(entry.memory_id)) found.add(entry.receipt_id);
    }
    return [...found];
  } catch {
    return [];
  }
}

async function undoAll(receipts) {
  const { done, failed } = await oneByOne(receipts, (receipt_id) => ask("undo", { receipt_id }), () => {});
  toast({ text: `${counted(done.length, "change")} undone.${failed.length ? ` ${number(failed.length)} failed.` : ""}`, bad: !done.length, command: rem("undo", [receipts[0]]) });
}

/** Forget all that the filters show, by a plan: its number is told before anything is done, its progress in `where`. */
export async function forgetMatching(place, filters, total, where, after) {
  const bySaying = narrowing(filters).every(([name]) => name === "scope" || name === "kind");
  const { scope, kind } = filters;
  const looking = h("div", waiting(2, "Making the plan"));
  let plan = null;
  const making = (async () => {
    const given = bySaying ? { scope: scope || undefined, kinds: kind || undefined } : { ids: await idsOf(filters, place.signal) };
    plan = await ask("plan_forget", given, { signal: place.signal });
    fill(looking, h("p", h("strong", `The plan forgets ${memories(plan.changes.length)}.`)), plan.warnings.map((one) => h("p.notice", { dir: "auto" }, one)));
  })().catch((problem) => {
    fill(looking, h("p.notice.bad", { role: "alert" }, problem.message));
  });
  const sure = await confirm({
    title: `Forget all ${number(total)} that match?`,
    text: ["They leave every recall. It can be undone.", bySaying ? "" : "The command line has no such filter: it is given the ids."].filter(Boolean),
    preview: looking, yes: "Forget all", danger: true, typed: total > 20 ? String(total) : null,
    command: bySaying ? rem("forget", [], { scope, kind, yes: true }) : null,
  });
  if (!sure) return;
  await making;
  if (!plan) return;
  const moving = progress("Forgetting");
  fill(where, moving);
  await act({
    work: () => ask("apply", { plan: plan.key }, { progress: moving.told }),
    said: (receipt) => `Forgot ${memories(receipt.applied.length)}.`,
    command: bySaying ? rem("forget", [], { scope, kind, yes: true }) : rem("forget", some(plan.changes.map((one) => one.memory_id)), { yes: true }),
  });
  after();
}

async function idsOf(filters, signal) {
  const ids = [];
  let cursor;
  do {
    const page = await ask("list", { ...listed(filters), limit: STEP, cursor }, { signal, shorten: 1 });
    ids.push(...page.items.map((one) => one.id));
    cursor = page.next;
  } while (cursor && ids.length < MOST);
  if (cursor) throw new Problem(422, "too_many", `More than ${number(MOST)} match: narrow the filters, or name a scope or kind alone.`);
  return ids;
}
