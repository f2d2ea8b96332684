// Erasing for good: whom or what it is about, what goes along and why, a word that must be written, and the proof.

import { act } from "../acting.js";
import { ask } from "../api.js";
import { onStore, rem, some } from "../commands.js";
import { fill, h } from "../dom.js";
import { command } from "../parts/command.js";
import { confirm } from "../parts/dialog.js";
import { nothing, progress, wrong } from "../parts/states.js";
import { toast } from "../parts/toast.js";
import { memories, number } from "../words.js";
import { MOST_IDS, read } from "./erase/address.js";
import { certificate } from "./erase/certificate.js";
import { preview } from "./erase/preview.js";
import { drop } from "./memories/chosen.js";

const WAYS = [["about", "A person or thing"], ["scope", "A scope"], ["ids", "Chosen memories"]];

/** What was looked at is not what there is now, or the server knows of it no longer. */
const AGAIN = new Set(["plan_out_of_date", "not_found"]);

export async function show(place) {
  const { main, signal } = place;
  if (!place.can.whole) {
    fill(main, place.heading(), nothing("Your token does not reach this far", "Erasing follows what was made from a memory, wherever that stands: it needs a token for all of the store.", command(onStore("token create NAME"))));
    return null;
  }
  const state = read(place.query);
  const shown = h("div");
  const form = asking(place, state, (given) => look(given));
  let turn = 0;

  const look = async (given, { said = null } = {}) => {
    const mine = (turn += 1);
    const bar = progress("Looking at what would go");
    fill(shown, h("section.card", bar));
    try {
      const plan = await ask("plan_purge", given, { signal, shorten: 200, progress: bar.told });
      if (mine !== turn) return;
      fill(shown, preview(plan, { signal, given, said, without: (ids) => look({ ids }, { said: "Without those you took out" }), erase: (gone) => erase(given, gone, plan) }));
      shown.querySelector("h2")?.focus();
    } catch (problem) {
      if (problem.name === "AbortError" || mine !== turn) return;
      fill(shown, problem.status === 404 && given.about ? nothing("Nothing here names that", h("p", { dir: "auto" }, problem.message), command(rem("entities"))) : wrong(problem, () => look(given)));
    }
  };
  const erase = async (given, gone, plan) => {
    const word = given.about ?? given.scope ?? "ERASE";
    const reason = await confirm({
      title: gone ? `Erase ${memories(gone)} for good?` : "Erase what was captured for good?",
      text: [h("p.notice.bad", "This cannot be undone. No restore, no undo and no support brings it back; only a backup you made yourself still has it."),
        "The texts are destroyed, the file is written anew, and then searched for what may be left of them.",
        given.ids && some(given.ids).length < given.ids.length ? `The command names the first ${some(given.ids).length} of ${number(given.ids.length)}.` : ""].filter(Boolean),
      field: { label: "Why; it is kept in the journal and on the certificate", attributes: { dir: "auto", placeholder: "asked for by the person it is about" } },
      typed: word, command: said(given, "REASON"), yes: "Erase for good", danger: true,
    });
    if (!reason) return;
    const bar = progress("Erasing, and searching the file for what is left. Keep this page open");
    fill(shown, h("section.card", bar));
    form.inert = true;
    // Not given up when the page is left: a purge is done whole or not at all.
    const proof = await act({
      work: () => ask("purge", { ...given, reason, plan: plan.key }, { progress: bar.told }),
      said: ({ purged }) => `${memories(purged.length)} erased for good.`,
      command: said(given, reason),
      failed: (problem) => {
        if (signal.aborted) toast({ text: problem.message, bad: true, command: said(given, reason) });
        else if (AGAIN.has(problem.code)) look(given, { said: "More would go than you were shown, or it was too long ago. Nothing was erased: this is how it is now." });
        else fill(shown, wrong(problem, () => look(given)));
      },
    });
    form.inert = false;
    if (!proof) return;
    drop(proof.purged);
    if (signal.aborted) return;
    fill(shown, certificate(proof, { subject: given.about ?? given.scope ?? null, namespace: place.me.namespace, signal }));
    shown.querySelector("h2")?.focus();
  };
  fill(main, place.heading(),
    h("p.lead", "For good, with proof: what is erased here is destroyed together with its older versions and with what was made from it. You see all of it first. To take something out of recall only, forget it instead: that can be undone."),
    form, shown);
  if (state.way === "ids" || place.query.get(state.way)) form.requestSubmit();
  return null;
}

/** The command; more ids than one would copy are left to the page. */
function said(given, reason) {
  const { ids, ...rest } = given;
  return rem("purge", ids ? some(ids) : [], { ...rest, reason, yes: true });
}

/** The form that says whom or what. */
function asking(place, state, ready) {
  const inside = h("div");
  const about = h("input", { type: "text", name: "about", maxlength: 1000, required: true, dir: "auto", list: "erase-names", value: place.query.get("about") ?? "", autocomplete: "off", placeholder: "Maria Keller" });
  const names = h("datalist#erase-names");
  const scope = h("input", { type: "text", name: "scope", maxlength: 1024, required: true, pattern: "/.*", dir: "ltr", list: "erase-scopes", value: place.query.get("scope") ?? "", placeholder: "/project/api" });
  const scopes = h("datalist#erase-scopes");
  const tree = h("div.scope-choices");
  const offered = h("div");
  const fields = {
    about: () => [h("label.field", h("span", "Name, as memories have it; other names they go by are found too"), about), names, offered],
    scope: () => [h("label.field", h("span", "Scope; all that is below it goes too, and the captured sessions of its projects"), scope), scopes, tree],
    ids: () => h("p", `${memories(state.ids.length)}, chosen on another page.`, state.ids.length > MOST_IDS ? h("strong", ` One purge takes ${number(MOST_IDS)} at most; the first of them are taken.`) : ""),
  };
  const button = h("button.primary", { type: "submit" }, "Show what would go");
  const turn = (way) => {
    state.way = way;
    fill(inside, fields[way]());
    if (way === "about") suggest();
    if (way === "scope") list();
  };
  let known = null;
  const suggest = async () => {
    try {
      known ??= (await ask("entities.list", { limit: 200 }, { signal: place.signal })).items;
      fill(names, known.map(({ name }) => h("option", { value: name })));
      fill(offered, known.length ? h("div.suggested", h("span.quiet", "Most named: "), known.slice(0, 8).map(({ name }) => h("button.small", { type: "button", dir: "auto", on: { click: () => { about.value = name; form.requestSubmit(); } } }, name))) : null);
    } catch {
      // Suggestions are a help: a name can be written without them.
    }
  };
  let all = null;
  const list = async () => {
    try {
      all ??= Object.entries((await ask("stats", {}, { signal: place.signal })).scopes);
      const sums = new Map();
      for (const [path, count] of all) for (const above of lineage(path)) sums.set(above, (sums.get(above) ?? 0) + count);
      const rows = [...sums].sort(([one], [other]) => (one < other ? -1 : 1));
      fill(scopes, rows.slice(0, 500).map(([path]) => h("option", { value: path })));
      fill(tree, h("ul.plain.scope-tree", rows.slice(0, 60).map(([path, count]) => h("li", { vars: { "--depth": path === "/" ? 0 : path.split("/").length - 1 } },
        h("button.quiet.small", { type: "button", dir: "ltr", on: { click: () => { scope.value = path; form.requestSubmit(); } } }, path), " ", h("span.quiet", `${number(count)} live`)))),
      rows.length > 60 ? h("p.quiet", `and ${number(rows.length - 60)} more scopes: write one above`) : null);
    } catch {
      // As above.
    }
  };
  const submit = (event) => {
    event.preventDefault();
    const given = state.way === "about" ? { about: about.value.trim() } : state.way === "scope" ? { scope: scope.value.trim() } : { ids: state.ids.slice(0, MOST_IDS) };
    if (state.way !== "ids" && !given[state.way]) return;
    if (state.way !== "ids") place.note({ about: given.about ?? null, scope: given.scope ?? null, ids: null });
    ready(given);
  };
  const ways = WAYS.filter(([way]) => way !== "ids" || state.ids.length);
  const form = h("form.card.erase-form", { on: { submit } },
    h("fieldset", h("legend", "Erase everything about"), h("div.row", ways.map(([way, title]) =>
      h("label.choice", h("input", { type: "radio", name: "way", value: way, checked: way === state.way, on: { change: () => turn(way) } }), title)))),
    inside, h("div.buttons", button));
  turn(state.way);
  return form;
}

/** A scope and all above it. */
function lineage(path) {
  if (path === "/") return ["/"];
  const parts = path.split("/").slice(1);
  return ["/", ...parts.map((_, at) => `/${parts.slice(0, at + 1).join("/")}`)];
}
