// Plots, drawn as SVG at the width they have: areas over days, lines over time, bars. Each can be read out in numbers.

import { fill, h, s } from "../dom.js";
import { day, number, short } from "../words.js";

const LEFT = 44;
const RIGHT = 12;
const TOP = 10;
const BOTTOM = 26;

/** A figure that draws itself anew when its width changes: draw(width) gives the SVG. */
export function plot(label, draw, { className = "" } = {}) {
  const place = h("div");
  const element = h("figure.plot", { class: className }, place);
  let last = 0;
  const watcher = new ResizeObserver(([entry]) => {
    const width = Math.round(entry.contentRect.width);
    if (!width || width === last) return;
    last = width;
    const svg = draw(width);
    svg.setAttribute("role", "img");
    svg.setAttribute("aria-label", label);
    fill(place, svg);
  });
  watcher.observe(element);
  element.redraw = (again) => {
    draw = again ?? draw;
    last = 0;
    watcher.unobserve(element);
    watcher.observe(element);
  };
  return element;
}

/** Round numbers from 0 to at least `top`, about `count` of them. */
export function ticks(top, count = 4) {
  if (!(top > 0)) return [0, 1];
  const rough = top / count;
  const power = 10 ** Math.floor(Math.log10(rough));
  const step = Math.max([1, 2, 2.5, 5, 10].find((one) => one * power >= rough) * power, top >= count ? 1 : 0);
  const found = [];
  for (let value = 0; value < top + step; value += step) found.push(Number(value.toPrecision(12)));
  return found;
}

const path = (points) => points.map(([x, y], at) => `${at ? "L" : "M"}${x.toFixed(1)} ${y.toFixed(1)}`).join("");

/**
 * Series over days, stacked: areas({label, first: "2026-08-19", series: [{name, values, kind}], split: index of today}).
 * `kind` is live, archived or forgotten, which gives the colour.
 */
export function areas({ label, first, series, height = 220, split = null, stacked = true }) {
  const length = series[0].values.length;
  const dayAt = (index) => new Date(new Date(`${first}T12:00:00Z`).getTime() + index * 86400000);
  const reading = h("div.reading", { "aria-hidden": "true" });
  const draw = (width) => {
    const sums = Array.from({ length }, (_, at) => series.reduce((sum, one) => (stacked ? sum + one.values[at] : Math.max(sum, one.values[at])), 0));
    const levels = ticks(Math.max(...sums, 1));
    const top = levels.at(-1);
    const wide = width - LEFT - RIGHT;
    const high = height - TOP - BOTTOM;
    const x = (at) => LEFT + (length > 1 ? (at / (length - 1)) * wide : wide / 2);
    const y = (value) => TOP + (1 - value / top) * high;
    const drawn = [];
    for (const level of levels) {
      drawn.push(s("line.grid-line", { x1: LEFT, x2: width - RIGHT, y1: y(level), y2: y(level) }));
      drawn.push(s("text", { x: LEFT - 7, y: y(level) + 4, "text-anchor": "end" }, short(level)));
    }
    let base = Array(length).fill(0);
    for (const one of series) {
      const upper = one.values.map((value, at) => value + (stacked ? base[at] : 0));
      const points = [...upper.map((value, at) => [x(at), y(value)]), ...base.map((value, at) => [x(at), y(stacked ? value : 0)]).reverse()];
      drawn.push(s("path", { class: `area-${one.kind ?? one.name}`, d: `${path(points)}Z` }));
      if (stacked) base = upper;
    }
    const stops = width < 420 ? 2 : 4;
    for (let stop = 0; stop <= stops; stop += 1) {
      const at = Math.round((stop / stops) * (length - 1));
      drawn.push(s("text", { x: x(at), y: height - 8, "text-anchor": stop === 0 ? "start" : stop === stops ? "end" : "middle" }, day(dayAt(at))));
    }
    if (split !== null) {
      drawn.push(s("line.now", { x1: x(split), x2: x(split), y1: TOP, y2: TOP + high }));
      drawn.push(s("text", { x: x(split) + 4, y: TOP + 10 }, "now"));
    }
    const cursor = s("line.cursor", { y1: TOP, y2: TOP + high, visibility: "hidden" });
    drawn.push(cursor);
    const svg = s("svg", { viewBox: `0 0 ${width} ${height}`, height }, drawn);
    svg.addEventListener("pointermove", (event) => {
      const box = svg.getBoundingClientRect();
      const at = Math.max(0, Math.min(length - 1, Math.round(((event.clientX - box.left - LEFT) / wide) * (length - 1))));
      cursor.setAttribute("x1", x(at));
      cursor.setAttribute("x2", x(at));
      cursor.setAttribute("visibility", "visible");
      reading.textContent = `${day(dayAt(at))}: ${series.map((one) => `${one.name} ${number(one.values[at])}`).join(", ")}`;
    });
    svg.addEventListener("pointerleave", () => {
      cursor.setAttribute("visibility", "hidden");
      reading.textContent = "";
    });
    return svg;
  };
  const rows = () => {
    const step = Math.max(1, Math.floor((length - 1) / 12));
    const found = new Set([length - 1, ...(split === null ? [] : [split])]);
    for (let at = 0; at < length; at += step) found.add(at);
    return [...found].sort((one, other) => one - other);
  };
  return h(
    "div",
    h("div.legend", { "aria-hidden": "true" }, series.map((one) => h("span", h("i", { class: one.kind ?? one.name }), one.name))),
    plot(label, draw),
    reading,
    numbers(["day", ...series.map((one) => one.name)], rows().map((at) => [at === split ? `${day(dayAt(at))}, now` : day(dayAt(at)), ...series.map((one) => number(one.values[at]))])),
  );
}

/** The numbers behind a plot, for who would rather read them. */
export function numbers(head, rows) {
  return h(
    "details.numbers",
    h("summary", "The numbers"),
    h("div.scrolls", { tabindex: "0", role: "group", "aria-label": "The numbers" },
      h("table", h("thead", h("tr", head.map((one, at) => h("th", { scope: "col", class: at ? "number" : "" }, one)))),
        h("tbody", rows.map((row) => h("tr", row.map((one, at) => h("td", { class: at ? "number" : "" }, one))))))),
  );
}

/**
 * The first of these places of a text, [{x, y, anchor}], that nothing runs through: neither a path (a list of points)
 * nor an upright line, nor another text (a box). Where there is none, the one that is crossed least.
 */
function spot(text, places, { paths, uprights, boxes }) {
  const wide = text.length * 6.8;
  const boxOf = ({ x, y, anchor }) => {
    const left = anchor === "end" ? x - wide : anchor === "middle" ? x - wide / 2 : x;
    return { left, right: left + wide, top: y - 12, bottom: y + 5 };
  };
  const crossed = (box) => {
    let times = uprights.filter((x) => x > box.left - 2 && x < box.right + 2).length * 10;
    times += boxes.filter((one) => one.left < box.right && box.left < one.right && one.top < box.bottom && box.top < one.bottom).length * 50;
    for (const points of paths) {
      for (let at = 1; at < points.length; at += 1) {
        const [[x1, y1], [x2, y2]] = [points[at - 1], points[at]];
        if (x2 < box.left || x1 > box.right) continue;
        const y = (x) => (x2 > x1 ? y1 + ((Math.min(Math.max(x, x1), x2) - x1) / (x2 - x1)) * (y2 - y1) : y1);
        const [one, other] = [y(box.left), y(box.right)];
        if (Math.min(one, other) < box.bottom && Math.max(one, other) > box.top) times += 1;
      }
    }
    return times;
  };
  let best = null;
  for (const place of places) {
    const box = boxOf(place);
    const times = crossed(box);
    if (!best || times < best.times) best = { ...place, box, times };
    if (!times) break;
  }
  boxes.push(best.box);
  return { x: best.x, y: best.y, "text-anchor": best.anchor };
}

/**
 * A value over time: curve({label, moments, lines: [{name, values, kind}], now, dots, bound: {value, text}, ends: {at, text}}).
 * Values go from 0 to 1; what is after now is dashed. `kind` "thin" or "other" sets a line apart.
 */
export function curve({ label, moments, lines, now, dots = [], bound = null, ends = null, height = 260 }) {
  const times = moments.map((one) => new Date(one).getTime());
  const nowAt = new Date(now).getTime();
  const draw = (width) => {
    const wide = width - LEFT - RIGHT;
    const high = height - TOP - BOTTOM;
    const span = Math.max(times.at(-1) - times[0], 1);
    const x = (time) => LEFT + ((time - times[0]) / span) * wide;
    const y = (value) => TOP + (1 - Math.min(Math.max(value, 0), 1)) * high;
    const inside = (text, one) => (one.anchor === "start" ? one.x + text.length * 6.8 < width : one.x - text.length * 6.8 > 0);
    const drawn = [];
    for (const level of [0, 0.25, 0.5, 0.75, 1]) {
      drawn.push(s("line.grid-line", { x1: LEFT, x2: width - RIGHT, y1: y(level), y2: y(level) }));
      drawn.push(s("text", { x: LEFT - 7, y: y(level) + 4, "text-anchor": "end" }, level.toFixed(2)));
    }
    const held = { paths: [], uprights: [], boxes: [] }; // what a text is not to lie on
    for (const one of lines) {
      const points = one.values.map((value, at) => [times[at], x(times[at]), y(value)]);
      const kind = one.kind ?? "";
      held.paths.push(points.map(([, px, py]) => [px, py]));
      drawn.push(s("path.line", { class: kind, d: path(points.filter(([time]) => time <= nowAt).map(([, px, py]) => [px, py])) }));
      drawn.push(s("path.line.ahead", { class: kind, d: path(points.filter(([time]) => time >= nowAt).map(([, px, py]) => [px, py])) }));
    }
    if (bound) {
      drawn.push(s("line.bound", { x1: LEFT, x2: width - RIGHT, y1: y(bound.value), y2: y(bound.value) }));
    }
    const isIn = (time) => time >= times[0] && time <= times.at(-1);
    const endAt = ends ? new Date(ends.at).getTime() : NaN;
    held.uprights.push(...[nowAt, endAt].filter(isIn).map(x));
    const sidesOf = (time, text) => [{ x: x(time) + 5, anchor: "start" }, { x: x(time) - 5, anchor: "end" }].filter((one) => inside(text, one));
    if (isIn(nowAt)) {
      drawn.push(s("line.now", { x1: x(nowAt), x2: x(nowAt), y1: TOP, y2: TOP + high }));
      // Below the axis, unless it would cover the first or last day.
      const isNear = x(nowAt) < LEFT + 110 || x(nowAt) > width - RIGHT - 110;
      const places = isNear ? [TOP + high - 6, TOP + high - 24, TOP + 12].flatMap((value) => sidesOf(nowAt, "now").map((side) => ({ ...side, y: value }))) : [];
      drawn.push(s("text.now-text", isNear ? spot("now", places, held) : { x: x(nowAt), y: height - 8, "text-anchor": "middle" }, "now"));
    }
    if (isIn(endAt)) {
      drawn.push(s("line.bound", { x1: x(endAt), x2: x(endAt), y1: TOP, y2: TOP + high }));
      // Beside its line; where there is no room for that, beyond the one of now.
      const sides = [...sidesOf(endAt, ends.text), ...(isIn(nowAt) ? sidesOf(nowAt, ends.text) : [])];
      const down = Array.from({ length: Math.floor((high - 30) / 12) }, (_, at) => TOP + 14 + at * 12).filter((value) => !bound || Math.abs(value - 4 - y(bound.value)) > 10);
      drawn.push(s("text.bound-text", spot(ends.text, sides.flatMap((side) => down.map((value) => ({ ...side, y: value }))), held), ends.text));
    }
    if (bound) {
      const across = [{ x: LEFT + 6, anchor: "start" }, { x: width - RIGHT - 6, anchor: "end" }, { x: LEFT + wide / 2, anchor: "middle" }, { x: LEFT + wide / 3, anchor: "middle" }, { x: LEFT + (wide * 2) / 3, anchor: "middle" }];
      const beside = [-6, 15].map((by) => y(bound.value) + by).filter((value) => value > TOP + 12 && value < TOP + high);
      drawn.push(s("text.bound-text", spot(bound.text, beside.flatMap((value) => across.map((one) => ({ ...one, y: value }))), held), bound.text));
    }
    for (const dot of dots) {
      drawn.push(s("circle.dot", { cx: x(new Date(dot).getTime()), cy: TOP + high, r: 4 }, s("title", `recalled ${day(dot)}`)));
    }
    drawn.push(s("text", { x: LEFT, y: height - 8 }, day(moments[0])));
    drawn.push(s("text", { x: width - RIGHT, y: height - 8, "text-anchor": "end" }, day(moments.at(-1))));
    return s("svg", { viewBox: `0 0 ${width} ${height}`, height }, drawn);
  };
  return plot(label, draw);
}

/** Bars a day, for something that is counted by day. */
export function columns({ label, first, values, height = 90, name = "" }) {
  const dayAt = (index) => new Date(new Date(`${first}T12:00:00Z`).getTime() + index * 86400000);
  const draw = (width) => {
    const top = Math.max(...values, 1);
    const high = height - 20;
    const each = (width - 2) / values.length;
    const drawn = values.map((value, at) =>
      s("rect.bar", { x: 1 + at * each, width: Math.max(each - 1.5, 1), y: high - (value / top) * (high - 4), height: (value / top) * (high - 4), rx: 1.5 },
        s("title", `${day(dayAt(at))}: ${number(value)} ${name}`)));
    drawn.push(s("text", { x: 0, y: height - 4 }, day(dayAt(0))), s("text", { x: width, y: height - 4, "text-anchor": "end" }, day(dayAt(values.length - 1))));
    return s("svg", { viewBox: `0 0 ${width} ${height}`, height }, drawn);
  };
  return plot(label, draw);
}

/** One bar from 0 to 1 with its name before and its value behind. */
export function meter({ name, share, value, kind = "" }) {
  return h(
    "div.meter",
    h("span", { dir: "auto" }, name),
    h("span.track", { "aria-hidden": "true" }, h("span", { class: kind, vars: { "--share": Math.min(Math.max(share, 0), 1).toFixed(4) } })),
    h("span.value", value),
  );
}
