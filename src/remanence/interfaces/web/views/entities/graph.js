// Graphs of who is named with whom: one in the middle and others around it, or all around a circle.

import { h, s } from "../../dom.js";
import { plot } from "../../parts/plots.js";
import { beginning, memories } from "../../words.js";

/** Where an entity is shown. */
export const address = (name) => `#/entities/${encodeURIComponent(name)}`;
const LETTERS = 18;
/** More lines than this are a tangle. */
const MOST_TIES = 40;
/** Below this width names would run into each other. */
const NARROW = 480;

/** How wide a letter and how high a line of a name is, at most. */
const [LETTER, LINE] = [7, 15];

/** Dots with their names, which stand away from the middle, one below the other where they would run into each other. */
function dots(found, width) {
  const taken = [];
  return found.map(({ name, x, y, radius, side }) => {
    const wide = Math.min(name.length, LETTERS + 1) * LETTER;
    const anchor = Math.abs(side.x) < 0.3 ? "middle" : side.x > 0 ? "start" : "end";
    let at = x + side.x * (radius + 6);
    let down = y + side.y * (radius + 10) + 4;
    const share = { start: 0, middle: 0.5, end: 1 }[anchor];
    // Where there is no room beside the dot, below it.
    const fitting = Math.max(Math.min(at - wide * share, width - wide), 0) + wide * share;
    if (fitting !== at) [at, down] = [fitting, Math.max(down, y + radius + 14)];
    const left = at - wide * share;
    const isTaken = () => taken.some((one) => Math.abs(one.down - down) < LINE && one.left < left + wide && left < one.right);
    while (isTaken()) down += side.y < 0 ? -3 : 3;
    taken.push({ left, right: left + wide, down });
    return dot(name, x, y, radius, { x: at, y: down, anchor });
  });
}

/** A named dot that leads to its entity. */
function dot(name, x, y, radius, words) {
  const label = beginning(name, LETTERS);
  return s("a", { href: address(name), class: "node", "aria-label": name },
    s("circle", { cx: x.toFixed(1), cy: y.toFixed(1), r: radius.toFixed(1) }), s("circle.touch", { cx: x.toFixed(1), cy: y.toFixed(1), r: 13 }),
    s("text", { x: words.x.toFixed(1), y: words.y.toFixed(1), "text-anchor": words.anchor, direction: "ltr" }, label),
    s("title", name));
}

const thickness = (times, most) => (1 + 5 * (times / most)).toFixed(1);

/** The entity in the middle, others around: together is [[name, times], …]. */
export function star(name, together) {
  const others = together.slice(0, 16);
  const most = Math.max(...others.map(([, times]) => times), 1);
  const draw = (width) => {
    const height = Math.max(320, Math.min(width * 0.6, 460));
    const [cx, cy] = [width / 2, height / 2];
    const [rx, ry] = [Math.max(width / 2 - Math.min(150, width * 0.28), 50), height / 2 - 40];
    const places = others.map((_, at) => {
      const angle = -Math.PI / 2 + (at / others.length) * 2 * Math.PI;
      return { x: cx + rx * Math.cos(angle), y: cy + ry * Math.sin(angle), side: { x: Math.cos(angle), y: Math.sin(angle) } };
    });
    return s("svg.who-graph", { viewBox: `0 0 ${width} ${height}`, height },
      others.map(([, times], at) => s("line.tie", { x1: cx, y1: cy, x2: places[at].x.toFixed(1), y2: places[at].y.toFixed(1), "stroke-width": thickness(times, most) })),
      dots(others.map(([other, times], at) => ({ name: other, radius: 5 + 5 * (times / most), ...places[at] })), width),
      s("g.node.middle", s("circle", { cx, cy, r: 14 }), s("text", { x: cx, y: cy + 32, "text-anchor": "middle" }, beginning(name, 28))));
  };
  return group(plot("", draw), `${name} and who is named with it`);
}

/** All around a circle, with a line for each pair: links are [{pair: [one, other], times}]. */
export function network(entities, links) {
  links = [...links].sort((one, other) => other.times - one.times).slice(0, MOST_TIES);
  const most = Math.max(...links.map(({ times }) => times), 1);
  const largest = Math.max(...entities.map((entity) => entity.memories), 1);
  const draw = (width) => {
    const height = Math.max(340, Math.min(width * 0.5, 480));
    const [cx, cy] = [width / 2, height / 2];
    const [rx, ry] = [Math.max(width / 2 - Math.min(170, width * 0.3), 50), height / 2 - 44];
    const drawn = entities.slice(0, width < NARROW ? 10 : entities.length);
    const places = new Map(drawn.map(({ name }, at) => {
      const angle = -Math.PI / 2 + (at / drawn.length) * 2 * Math.PI;
      return [name, { x: cx + rx * Math.cos(angle), y: cy + ry * Math.sin(angle), side: { x: Math.cos(angle), y: Math.sin(angle) } }];
    }));
    const ties = links.toReversed().filter(({ pair }) => pair.every((name) => places.has(name))).map(({ pair: [one, other], times }) => {
      const [from, to] = [places.get(one), places.get(other)];
      const bend = (value, middle) => (middle + (value - middle) * 0.6).toFixed(1);
      const d = `M${from.x.toFixed(1)} ${from.y.toFixed(1)}Q${bend((from.x + to.x) / 2, cx)} ${bend((from.y + to.y) / 2, cy)} ${to.x.toFixed(1)} ${to.y.toFixed(1)}`;
      return s("path.tie", { d, "stroke-width": thickness(times, most), class: times > most / 2 ? "strong" : "" }, s("title", `${one} and ${other}: ${memories(times)}`));
    });
    return s("svg.who-graph", { viewBox: `0 0 ${width} ${height}`, height }, ties,
      dots(drawn.map((entity) => ({ name: entity.name, radius: 5 + 6 * (entity.memories / largest), ...places.get(entity.name) })), width));
  };
  return [group(plot("", draw), "Who is named with whom"),
    h("details.numbers", h("summary", "As a list"), h("ul.plain", links.map(({ pair, times }) => h("li", h("a", { href: address(pair[0]), dir: "auto" }, pair[0]), " and ", h("a", { href: address(pair[1]), dir: "auto" }, pair[1]), `: ${memories(times)}`))))];
}

/** A plot is a picture by itself; this one holds links, so it is a group. */
function group(figure, label) {
  const watcher = new MutationObserver(() => {
    const svg = figure.querySelector("svg");
    if (svg?.getAttribute("role") === "img") {
      svg.setAttribute("role", "group");
      svg.setAttribute("aria-label", label);
    }
  });
  watcher.observe(figure, { childList: true, subtree: true });
  return figure;
}
