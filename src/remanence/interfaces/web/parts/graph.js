// A graph drawn in layers from left to right: what comes of something stands right of it. Nodes are links.

import { h, s } from "../dom.js";
import { beginning } from "../words.js";

const WIDTH = 205;
const HEIGHT = 58;
const ACROSS = 70;
const DOWN = 18;
const MOST = 60;
const LETTERS = 25;

/**
 * graph({label, nodes: [{id, text, note, href, kind}], links: [{from, to, how}], current}). The first nodes are drawn, up
 * to 60; one without href leads nowhere. `how` "version" is a dashed line. What is seen first is the current one.
 */
export function graph({ label, nodes, links, current }) {
  const drawn = nodes.slice(0, MOST);
  const known = new Map(drawn.map((node) => [node.id, { ...node, layer: 0 }]));
  const lines = links.filter((link) => known.has(link.from) && known.has(link.to) && link.from !== link.to);
  layered(known, lines);
  const layers = [];
  for (const node of known.values()) (layers[node.layer] ??= []).push(node);
  ordered(layers, lines);
  const most = Math.max(...layers.map((layer) => layer.length));
  const high = most * (HEIGHT + DOWN) + DOWN;
  const wide = layers.length * (WIDTH + ACROSS) - ACROSS + 24;
  layers.forEach((layer, column) => {
    const top = (high - layer.length * (HEIGHT + DOWN) + DOWN) / 2;
    layer.forEach((node, row) => Object.assign(node, { x: 12 + column * (WIDTH + ACROSS), y: top + row * (HEIGHT + DOWN) }));
  });
  const svg = s(
    "svg", { viewBox: `0 0 ${wide} ${high}`, width: wide, height: high, role: "group", "aria-label": label },
    lines.map((link) => line(known.get(link.from), known.get(link.to), link.how)),
    [...known.values()].sort((one, other) => one.x - other.x || one.y - other.y).map((node) => box(node, node.id === current)),
  );
  const element = h("div.graph.scrolls", { tabindex: "0", role: "group", "aria-label": `${label}, from left to right` }, svg);
  // The one it is about is in the middle of what is seen first, which is when it has a width.
  const middle = known.get(current);
  const watcher = new ResizeObserver(() => {
    if (!element.clientWidth) return;
    watcher.disconnect();
    element.scrollLeft = middle.x + WIDTH / 2 - element.clientWidth / 2;
    element.scrollTop = middle.y + HEIGHT / 2 - element.clientHeight / 2;
  });
  if (middle) watcher.observe(element);
  return element;
}

/** Each node right of all it comes from; a circle, which there should not be, ends after as many rounds as nodes. */
function layered(known, lines) {
  for (let round = 0; round < known.size; round += 1) {
    let isMoved = false;
    for (const { from, to } of lines) {
      const least = known.get(from).layer + 1;
      if (known.get(to).layer < least && least < known.size) {
        known.get(to).layer = least;
        isMoved = true;
      }
    }
    if (!isMoved) break;
  }
  // Sources stand beside what was made of them, not at the far left.
  for (const node of known.values()) {
    const after = lines.filter((link) => link.from === node.id).map((link) => known.get(link.to).layer);
    if (after.length && !lines.some((link) => link.to === node.id)) node.layer = Math.max(node.layer, Math.min(...after) - 1);
  }
  const used = [...new Set([...known.values()].map((node) => node.layer))].sort((one, other) => one - other);
  for (const node of known.values()) node.layer = used.indexOf(node.layer);
}

/** Nodes of a layer by the mean place of their neighbours, from the left and then from the right, so that lines cross little. */
function ordered(layers, lines) {
  const sort = (column, beside, key, other) => {
    const places = new Map((layers[beside] ?? []).map((node, at) => [node.id, at]));
    const mean = (node, at) => {
      const found = lines.filter((link) => link[key] === node.id && places.has(link[other])).map((link) => places.get(link[other]));
      return found.length ? found.reduce((sum, one) => sum + one, 0) / found.length : at;
    };
    const means = new Map(layers[column].map((node, at) => [node.id, mean(node, at)]));
    layers[column].sort((one, another) => means.get(one.id) - means.get(another.id));
  };
  for (let column = 1; column < layers.length; column += 1) sort(column, column - 1, "to", "from");
  for (let column = layers.length - 2; column >= 0; column -= 1) sort(column, column + 1, "from", "to");
}

function line(from, to, how) {
  const [x1, y1, x2, y2] = [from.x + WIDTH, from.y + HEIGHT / 2, to.x, to.y + HEIGHT / 2];
  const bend = Math.max((x2 - x1) / 2, 20);
  return s("path.tie", { class: how, d: `M${x1} ${y1}C${x1 + bend} ${y1} ${x2 - bend} ${y2} ${x2} ${y2}`, "aria-hidden": "true" });
}

function box(node, isCurrent) {
  const flat = node.text.replace(/\s+/g, " ").trim() || "(blank)";
  const first = flat.length > LETTERS ? flat.slice(0, flat.lastIndexOf(" ", LETTERS) > 8 ? flat.lastIndexOf(" ", LETTERS) : LETTERS) : flat;
  const rows = [first, beginning(flat.slice(first.length).trim(), LETTERS)];
  return s(
    node.href ? "a.node" : "g.node", { href: node.href, role: node.href ? null : "img", class: `${node.kind ?? ""}${isCurrent ? " current" : ""}`, "aria-label": `${beginning(flat, 80)}. ${node.note ?? ""}`, "aria-current": isCurrent ? "true" : null },
    s("rect", { x: node.x, y: node.y, width: WIDTH, height: HEIGHT, rx: 8 }),
    rows.map((text, at) => s("text", { x: node.x + 10, y: node.y + 18 + at * 15, direction: "ltr" }, text)),
    s("text.note", { x: node.x + 10, y: node.y + HEIGHT - 8 }, node.note ?? ""),
    s("title", beginning(flat, 200)),
  );
}
