// Sliders for a policy's numbers, and beside them what each move would do to the memories that are really there.

import { ask, Problem } from "../../api.js";
import { rem } from "../../commands.js";
import { fill, h } from "../../dom.js";
import { command } from "../../parts/command.js";
import { nothing, waiting, wrong } from "../../parts/states.js";
import { act } from "../../acting.js";
import { counted } from "../../words.js";
import { reader } from "../plans/texts.js";
import { forecasts } from "./forecasts.js";
import { numbersOf } from "./numbers.js";
import { slider } from "./slider.js";
import { download, fileOf, use, used } from "./using.js";
import { changed, former, named, policies, valuesOf } from "./values.js";

const PAUSE = 250;
const DAYS = 90;

export async function show(place, content) {
  const { signal } = place;
  const items = await policies(signal);
  const inForce = items.find((item) => item.current);
  const from = place.query.get("from") ?? inForce.key;
  const one = items.find((item) => item.key === from);
  if (!one) {
    fill(content, nothing(`There is no policy “${from.slice(0, 60)}” here`, h("p", h("a", { href: "#/policies/change" }, "Begin with the one in force"))));
    return;
  }
  const base = await ask("policies.show", { name: named(one) }, { signal });
  const values = await valuesOf(base, one.isPreset, signal);
  const before = one.current && !one.isPreset ? { policy: values, name: one.name } : await former(items, signal);
  if (!values) {
    fill(content, nothing(`${base.name} has rules that only its file can say`, "Save it, change it there, and choose it again:",
      command(`${rem("policy show", [], { yaml: true })} > ${fileOf(base.name)}`), command(rem("policy use", [fileOf(base.name)]))));
    return;
  }
  const changes = new Map();
  const name = h("input", { type: "text", value: one.isPreset ? "mine" : base.name, maxlength: 80, required: true, dir: "auto" });
  const nameNow = () => name.value.trim() || "mine";
  const object = () => ({ ...changed(values, changes.values()), name: nameNow() });
  const isSame = () => !changes.size && one.current;

  const view = forecasts(reader(signal), { label: `Live memories in the next ${DAYS} days, under the policy in force and under the changed one` });
  const trouble = h("div", { role: "status" });
  const state = h("p.quiet.forecast-state", "Making the forecast…");
  const commands = h("div");
  const result = h("div", { role: "status" });
  let current = null;
  let asking = null;
  let timer = null;

  const forecast = async () => {
    asking?.abort();
    asking = new AbortController();
    const mine = asking;
    signal.addEventListener("abort", () => mine.abort());
    state.textContent = "Making the forecast…";
    view.setAttribute("aria-busy", "true");
    try {
      current ??= await ask("forecast", { days: DAYS }, { signal });
      const other = isSame() ? null : await ask("forecast", { days: DAYS, policy: object() }, { signal: mine.signal });
      if (mine !== asking) return;
      fill(trouble);
      view.put({ one: current, other, names: [`${inForce.name} (in force)`, changes.size ? nameNow() : base.name] });
      state.textContent = isSame() ? "Move a slider, and see here what it would do." : "If nobody recalled anything, and sweeps ran daily. Nothing is changed by looking.";
    } catch (problem) {
      if (problem.name === "AbortError" || problem.status === 401) return;
      if (!(problem instanceof Problem)) throw problem;
      state.textContent = "The forecast beside is that of the numbers before.";
      fill(trouble, problem.status === 422 ? refused(problem) : wrong(problem, forecast));
    } finally {
      if (mine === asking) view.removeAttribute("aria-busy");
    }
  };
  const moved = () => {
    clearTimeout(timer);
    timer = setTimeout(forecast, PAUSE);
    look();
  };
  signal.addEventListener("abort", () => clearTimeout(timer));

  const sliders = numbersOf(base).map((number) => slider(number, (value) => {
    if (value === number.value) changes.delete(number.name);
    else changes.set(number.name, [number.path, value]);
    moved();
  }));
  const firsts = sliders.filter((element) => element.isFirst);
  const others = sliders.filter((element) => !element.isFirst);
  const reset = h("button.small", { type: "button", on: { click: () => { sliders.forEach((element) => element.reset()); } } }, "Reset all");
  const summary = h("span.quiet", { role: "status" });
  const save = h("button", { type: "button", on: { click: (event) => saved(event.currentTarget) } }, "Save as YAML");
  const apply = h("button.primary", { type: "button", "data-writes": "", on: { click: (event) => applied(event.currentTarget) } }, "Use it");
  const look = () => {
    summary.textContent = changes.size ? `${counted(changes.size, "number")} changed` : "nothing changed yet";
    reset.disabled = !changes.size;
    apply.disabled = isSame();
    const file = fileOf(nameNow());
    const isOwn = changes.size || !one.isPreset;
    fill(commands, command(rem("forecast", [], { policy: isSame() ? null : isOwn ? file : base.name, days: DAYS })), isSame() ? null : command(rem("policy use", [isOwn ? file : base.name])));
  };
  const saved = async (button) => {
    const file = fileOf(nameNow());
    await act({
      work: async () => {
        const { text } = await ask("policies.yaml", { name: object() }, { signal });
        download(text, file);
        return {};
      },
      said: () => `Saved as ${file}.`,
      command: rem("policy check", [file]),
      button,
    });
  };
  const again = () => {
    place.note({ from: null });
    place.again();
  };
  const applied = (button) => {
    const isOwn = changes.size || !one.isPreset;
    return use({ policy: isOwn ? object() : base.name, name: isOwn ? nameNow() : base.name, former: before, place: result, button, again });
  };
  name.addEventListener("input", look);
  const choose = h("select", { name: "from", on: { change: () => { place.note({ from: choose.value === inForce.key ? null : choose.value }); place.again(); } } },
    items.map((item) => h("option", { value: item.key, selected: item === one }, item.title)));
  used(result, again);

  fill(
    content,
    result,
    h("div.change-layout",
      h("section.card.sliders", { "aria-label": "Numbers" },
        h("div.row.apart", h("label.field.short-field", h("span", "Begin with"), choose), h("div.row", summary, reset)),
        h("h2", "What its rules ask"), firsts,
        others.length ? h("details.more-numbers", h("summary", `${counted(others.length, "more number")}: the curve, tiers and weights`), others) : null),
      h("div.forecast-side",
        h("section.card.forecast-card", { "aria-label": "Forecast" }, h("h2", `The next ${DAYS} days of your memories`), state, trouble, view),
        h("section.card.forecast-after", { "aria-label": "Save or use it" },
          h("form.inline", { on: { submit: (event) => event.preventDefault() } }, h("label.field.short-field", h("span", "Name"), name), save, apply),
          commands, view.rest))),
  );
  fill(trouble, waiting(4));
  look();
  forecast();
}

/** The server's own words on numbers that do not fit together. */
function refused(problem) {
  const problems = problem.told?.problems ?? [problem.message];
  return h("div.notice.bad", h("p", h("strong", "These numbers do not make a policy:")), h("ul", problems.map((one) => h("li", { dir: "auto" }, one.replace(/^policy: /, "")))));
}
