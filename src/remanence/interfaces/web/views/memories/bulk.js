// What is done to many memories at once: one call where there is one, else one a memory, with progress and an undo for all.

import { act, oneByOne } from "../../acting.js";
import { ask, Problem } from "../../api.js";
import { rem, some } from "../../commands.js";
import { fill, h } from "../../dom.js";
import { memories, number } from "../../words.js";
import { link } from "../../parts/badges.js";
import { confirm } from "../../parts/dialog.js";
import { progress, waiting } from "../../parts/states.js";
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
  const done = (answer) => answer !== undefined && chosen.clear();
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
      id: (changed) => changed.map((one) => one.id),
      command,
    });
    isBusy = false;
    if (answer) chosen.clear();
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

/** Forget all that the filters show, by a plan: its number is told before anything is done, its progress in `where`, which is drawn by `again`. */
export async function forgetMatching(place, filters, total, where, again) {
  const bySaying = narrowing(filters).every(([name]) => name === "scope" || name === "kind");
  const { scope, kind } = filters;
  const looking = h("div", waiting(2, "Making the plan"));
  const planned = async () => {
    const given = bySaying ? { scope: scope || undefined, kinds: kind || undefined } : { ids: await idsOf(filters, total, place.signal) };
    return await ask("plan_forget", given, { signal: place.signal });
  };
  const making = planned();
  making.then(
    (plan) => fill(looking, h("p", h("strong", `The plan forgets ${memories(plan.changes.length)}.`)), plan.warnings.map((one) => h("p.notice", { dir: "auto" }, one))),
    (problem) => problem.name !== "AbortError" && fill(looking, h("p.notice.bad", { role: "alert", dir: "auto" }, problem.message)),
  );
  const said = bySaying ? rem("forget", [], { scope, kind, yes: true }) : null;
  const sure = await confirm({
    title: `Forget all ${number(total)} that match?`,
    text: ["They leave every recall. It can be undone.", bySaying ? "" : "The command line has no such filter: it is given the ids."].filter(Boolean),
    preview: looking, yes: "Forget all", danger: true, typed: total > 20 ? String(total) : null, command: said,
  });
  if (!sure) return;
  const moving = progress("Forgetting");
  fill(where, moving);
  const plan = await making.catch(() => null); // what is wrong with it is told when it is done
  const receipt = await act({
    work: async () => await ask("apply", { plan: (await making).key }, { progress: moving.told }),
    said: ({ applied }) => `Forgot ${memories(applied.length)}.`,
    command: said ?? (plan ? rem("forget", some(plan.changes.map((one) => one.memory_id)), { yes: true }) : null),
  });
  if (!receipt) again();
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
