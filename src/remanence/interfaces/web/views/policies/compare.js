// Two policies on the memories that are really there: both forecasts on one plot, by rule, and where they differ.

import { ask, Problem } from "../../api.js";
import { rem } from "../../commands.js";
import { fill, h } from "../../dom.js";
import { command } from "../../parts/command.js";
import { nothing, waiting, wrong } from "../../parts/states.js";
import { counted, words } from "../../words.js";
import { reader } from "../plans/texts.js";
import { forecasts } from "./forecasts.js";
import { said } from "./sentences.js";
import { named, policies } from "./values.js";

const DAYS = 90;

export async function show(place, content) {
  const { signal } = place;
  const items = await policies(signal);
  const current = items.find((item) => item.current);
  const known = (key, otherwise) => items.find((item) => item.key === key) ?? otherwise;
  let one = known(place.query.get("one"), current);
  let other = known(place.query.get("other"), items.find((item) => item !== one));
  const view = forecasts(reader(signal), { label: `Live memories in the next ${DAYS} days under two policies` });
  const state = h("div", { role: "status" });
  const below = h("div");
  let asking = null;

  const select = (label, value, chosen) => {
    const element = h("select", { on: { change: () => chosen(known(element.value)) } }, items.map((item) => h("option", { value: item.key, selected: item === value }, item.title)));
    return h("label.field", h("span", label), element);
  };
  const draw = async () => {
    asking?.abort();
    asking = new AbortController();
    const mine = asking;
    signal.addEventListener("abort", () => mine.abort());
    place.note({ one: one.key, other: other.key });
    if (one === other) {
      view.hidden = view.rest.hidden = true;
      fill(state, nothing("They are the same", "Choose two policies that differ."));
      fill(below);
      return;
    }
    fill(state, waiting(3, "Making both forecasts"));
    const options = { signal: mine.signal };
    try {
      const isTurned = one.current; // a difference is to the one in force, and that comes second
      const [first, second, { items: differences }] = await Promise.all([
        ask("forecast", { days: DAYS, policy: named(one) }, options),
        ask("forecast", { days: DAYS, policy: named(other) }, options),
        ask("policies.diff", isTurned ? { one: other.name } : { one: one.name, other: named(other) }, options),
      ]);
      if (mine !== asking) return;
      fill(state);
      view.hidden = view.rest.hidden = false;
      view.put({ one: first, other: second, names: [one, other].map((item) => (one.name === other.name ? item.title : item.name)) });
      const rows = isTurned ? differences.map((row) => ({ name: row.name, one: row.other, other: row.one })) : differences;
      fill(below, table(rows, one.title, other.title), h("div.stack", command(rem("forecast", [], { policy: named(one), days: DAYS })), command(rem("forecast", [], { policy: named(other), days: DAYS })),
        command(rem("policy diff", isTurned ? [other.name] : [one.name, named(other)]))));
    } catch (problem) {
      if (problem.name === "AbortError" || problem.status === 401) return;
      if (!(problem instanceof Problem)) throw problem;
      fill(state, wrong(problem, draw));
    }
  };
  fill(
    content,
    h("section.card", h("h2", "On your own memories"),
      h("div.fields", select("One", one, (value) => { one = value; draw(); }), select("The other", other, (value) => { other = value; draw(); })),
      state, view, view.rest),
    below,
  );
  view.hidden = true;
  draw();
}

const value = (given) => {
  if (given === null || given === undefined) return "–";
  if (typeof given === "boolean") return given ? "yes" : "no";
  if (Array.isArray(given)) return given.length ? given.map((one) => (typeof one === "object" ? JSON.stringify(one) : String(one))).join(", ") : "none";
  return typeof given === "number" ? said(given) : words(given);
};

/** A setting as people read it: times have a unit, and a limit that is never reached is none. */
const valueOf = (name, given) => {
  if (given === "never" && /_tokens$/.test(name)) return "no limit";
  if (name.startsWith("ttl_days.") && typeof given === "number") return given < 1 ? `${said(given * 24)} hours` : counted(given, "day");
  return value(given);
};

/** A dotted name as words: "rule faded", "numbers.archive_below" → "archive below". */
const titled = (name) => words(name.replace(/^numbers\./, "").replace(/^ttl_days\./, "time of ").replace(".", ": "));

function table(rows, one, other) {
  if (!rows.length) return h("section.card", nothing("They differ in nothing but their names"));
  const order = (row) => (row.name.startsWith("rule ") ? 0 : row.name.startsWith("target ") ? 1 : 2);
  const sorted = [...rows].sort((first, second) => order(first) - order(second));
  return h("section.card.differences",
    h("h2", `Where they differ: ${counted(rows.length, "setting")}`),
    h("div.scrolls", { tabindex: "0", role: "group", "aria-label": "Where they differ" },
      h("table", h("thead", h("tr", h("th", { scope: "col" }, "setting"), h("th", { scope: "col", dir: "auto" }, one), h("th", { scope: "col", dir: "auto" }, other))),
        h("tbody", sorted.map((row) => h("tr", h("th", { scope: "row", dir: "auto" }, titled(row.name)), h("td", { dir: "auto", "data-of": one }, valueOf(row.name, row.one)), h("td", { dir: "auto", "data-of": other }, valueOf(row.name, row.other))))))));
}
