// Two forecasts side by side: live memories over the next days, what leaves by which rule, and who goes first.

import { fill, h, s } from "../../dom.js";
import { numbers, plot, ticks } from "../../parts/plots.js";
import { day, memories, number, short } from "../../words.js";
import { leavesAt, sign } from "../plans/lines.js";
import { named } from "../plans/texts.js";

const [LEFT, RIGHT, TOP, BOTTOM] = [50, 12, 10, 26];
const FIRST = 20;
const dayAt = (forecast, index) => new Date(new Date(forecast.at).getTime() + index * 86400000);

/** A place for one or two forecasts; put({one, other, names}) draws them, the old ones stay until then.
    What stands in tables is in `rest`, for another place. */
export function forecasts(read, { label = "Live memories in the next days" } = {}) {
  let shown = null;
  const legend = h("div.legend", { "aria-hidden": "true" });
  const figure = plot(label, (width) => drawn(shown, width));
  const said = h("p.forecast-said", { role: "status" });
  const rest = h("div");
  const element = h("div.forecasts", legend, figure, said);
  element.rest = rest;
  element.put = (given) => {
    shown = given;
    const { one, other, names } = given;
    fill(legend, h("span", h("i"), names[0]), other ? h("span", h("i.other"), names[1]) : null, ...cut(scale(given).base));
    figure.redraw();
    said.textContent = sentence(one, other, names);
    fill(rest, table(one, other, names), first(other ?? one, other ? one : null, read, other ? names[1] : names[0]), byDay(one, other, names));
  };
  return element;
}

function sentence(one, other, names) {
  const left = `In ${number(one.days)} days ${memories(one.leaves)} ${one.leaves === 1 ? "leaves" : "leave"} under ${names[0]}`;
  if (!other) return `${left}.`;
  const more = other.leaves - one.leaves;
  const than = more === 0 ? "just as many" : `${number(Math.abs(more))} ${more > 0 ? "more" : "fewer"}`;
  return `${left}, ${number(other.leaves)} under ${names[1]}: ${than}.`;
}

/** Said where the axis does not begin at nought, so that a small change is not taken for a great one. */
const cut = (base) => (base ? [h("span.cut-axis", `the axis begins at ${number(base)}, not at 0`)] : []);

/** The series, and the numbers of the axis: from nought only where that does not flatten what happens. */
function scale({ one, other }) {
  const series = [one.live, ...(other ? [other.live] : [])];
  const top = Math.max(...series.flat());
  const bottom = Math.min(...series.flat());
  const rough = ticks(top - bottom || 1);
  const step = rough[1] - rough[0];
  const base = bottom < top * 0.5 ? 0 : Math.max(0, Math.floor(bottom / step - 0.2) * step);
  return { series, base, levels: ticks(top - base || 1).map((level) => base + level) };
}

function drawn(given, width) {
  const height = width < 420 ? 150 : 240;
  if (!given) return s("svg", { viewBox: `0 0 ${width} ${height}`, height });
  const { one } = given;
  const { series, base, levels } = scale(given);
  const [wide, high] = [width - LEFT - RIGHT, height - TOP - BOTTOM];
  const x = (at) => LEFT + (at / Math.max(series[0].length - 1, 1)) * wide;
  const y = (value) => TOP + (1 - (value - base) / (levels.at(-1) - base)) * high;
  const parts = [];
  for (const level of levels) {
    parts.push(s("line.grid-line", { x1: LEFT, x2: width - RIGHT, y1: y(level), y2: y(level) }));
    parts.push(s("text", { x: LEFT - 7, y: y(level) + 4, "text-anchor": "end" }, level >= 10000 ? short(level) : number(level)));
  }
  series.forEach((values, at) => parts.push(s("path.line", { class: at ? "other" : "", d: values.map((value, index) => `${index ? "L" : "M"}${x(index).toFixed(1)} ${y(value).toFixed(1)}`).join("") })));
  // A zigzag where the axis is cut.
  if (base) parts.push(s("path.now.axis-cut", { fill: "none", d: `M${LEFT} ${TOP + high - 30}l-5 3 10 4 -10 4 5 3` }));
  const stops = width < 420 ? 2 : width < 620 ? 3 : 4;
  for (let stop = 0; stop <= stops; stop += 1) {
    const at = Math.round((stop / stops) * one.days);
    parts.push(s("text", { x: x(at), y: height - 8, "text-anchor": stop === 0 ? "start" : stop === stops ? "end" : "middle" }, stop ? day(dayAt(one, at)) : "today"));
  }
  return s("svg", { viewBox: `0 0 ${width} ${height}`, height }, parts);
}

function table(one, other, names) {
  const rules = [...new Set([...Object.keys(one.by_rule), ...Object.keys(other?.by_rule ?? {})])];
  if (!rules.length) return h("p.quiet", "No rule will hold for any memory in that time.");
  const of = (forecast, rule) => (Object.hasOwn(forecast.by_rule, rule) ? forecast.by_rule[rule] : 0);
  const difference = (value) => (value > 0 ? `+${number(value)}` : value < 0 ? `−${number(-value)}` : "0");
  const row = (name, mine, theirs) =>
    h("tr", h("th", { scope: "row", dir: "auto" }, name), h("td.number", number(mine)), other ? [h("td.number", number(theirs)), h("td.number", difference(theirs - mine))] : null);
  return h("div.scrolls", { tabindex: "0", role: "group", "aria-label": "What leaves, by rule" },
    h("table", h("caption", "What leaves, by rule"),
      h("thead", h("tr", h("th", { scope: "col" }, "rule"), h("th.number", { scope: "col", dir: "auto" }, names[0]), other ? [h("th.number", { scope: "col", dir: "auto" }, names[1]), h("th.number", { scope: "col" }, "difference")] : null)),
      h("tbody", rules.map((rule) => row(rule, of(one, rule), other ? of(other, rule) : 0)), row("in all", one.leaves, other?.leaves ?? 0))));
}

/** Who leaves first; those that stay under the other policy are marked where that is known. */
function first(forecast, before, read, name) {
  if (!forecast.leaving.length) return null;
  const known = before && before.leaving.length >= before.leaves ? new Set(before.leaving.map((one) => one.memory_id)) : null;
  const some = forecast.leaving.slice(0, FIRST);
  return h("details.first", { open: false },
    h("summary", `The first ${number(some.length)} to leave under ${name}`),
    h("ul.lines", some.map((one) => h("li.line.plain", sign(one.action), h("div.change", named(read, one.memory_id),
      h("div.marks", h("span", `${one.action} `, leavesAt(one.at, forecast.at)), h("span", { dir: "auto" }, `by “${one.rule}”`), known && !known.has(one.memory_id) ? h("span.tag", "stays otherwise") : null))))));
}

function byDay(one, other, names) {
  const step = Math.max(1, Math.floor(one.days / 9));
  const rows = [];
  for (let at = 0; at <= one.days; at += step) rows.push([day(dayAt(one, at)), number(one.live[at]), ...(other ? [number(other.live[at])] : [])]);
  return numbers(["live on", names[0], ...(other ? [names[1]] : [])], rows);
}
