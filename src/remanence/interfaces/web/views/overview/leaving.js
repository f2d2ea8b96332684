// What is about to leave: how many by each rule, and which ones, the first first; a rule that is pressed shows its own alone.

import { rem } from "../../commands.js";
import { fill, h } from "../../dom.js";
import { command } from "../../parts/command.js";
import { meter } from "../../parts/plots.js";
import { nothing } from "../../parts/states.js";
import { memories, number } from "../../words.js";
import { growing, leavesAt } from "../plans/lines.js";
import { named } from "../plans/texts.js";

const FIRST = 5;
const MORE = 20;

/** A function from a forecast and a reader of texts to the content of the card; the rule that was pressed stays so. */
export function leaving() {
  let only = null;
  return (forecast, read) => {
    const said = command(rem("forecast", [], { days: forecast.days }));
    const warnings = forecast.warnings.map((one) => h("p.notice", one));
    const rules = Object.entries(forecast.by_rule);
    if (!rules.length) return [warnings, nothing("Nothing is about to leave", `Under ${forecast.policy} no rule acts on anything within ${forecast.days} days.`), said];
    if (!Object.hasOwn(forecast.by_rule, only ?? "")) only = null;
    const most = Math.max(...rules.map(([, count]) => count));
    const list = h("div");
    const buttons = rules.map(([rule]) => h("button.rule-only", { type: "button", "data-rule": rule, "data-does": `rule ${rule}`, dir: "auto", on: { click: () => press(only === rule ? null : rule) } }, rule));
    const press = (rule) => {
      only = rule;
      for (const one of buttons) one.setAttribute("aria-pressed", String(one.dataset.rule === only));
      const some = forecast.leaving.filter((one) => only === null || one.rule === only);
      const unlisted = (only === null ? forecast.leaves : forecast.by_rule[only]) - some.length;
      fill(list,
        h("h3", only === null ? "First to go" : ["First to go by ", h("bdi", only)]),
        growing(some, (one) => row(one, forecast, read), { first: FIRST, size: MORE, more: "memories", label: "First to go" }),
        unlisted > 0 ? h("p.quiet", `${memories(unlisted)} more, later than these.`) : null);
    };
    press(only);
    return [
      warnings,
      rules.map(([rule, count], at) => meter({ name: buttons[at], share: count / most, value: number(count), kind: "archived" })),
      list,
      h("p", h("a", { href: "#/plans?plan=sweep" }, "Plan the next sweep")),
      said,
    ];
  };
}

const row = (one, forecast, read) =>
  h("li.line.alone", h("div.change", named(read, one.memory_id), h("div.marks", h("span", { dir: "auto" }, `${one.action}, ${one.rule}`), leavesAt(one.at, forecast.at))));
