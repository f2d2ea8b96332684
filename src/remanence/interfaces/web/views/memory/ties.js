// What a memory was made from, what it became, its versions: as a graph, and as lists that say the same.

import { h } from "../../dom.js";
import { counted, number } from "../../words.js";
import { link, state } from "../../parts/badges.js";
import { graph } from "../../parts/graph.js";
import { command } from "../../parts/command.js";
import { rem } from "../../commands.js";

const MOST = 50;
/** So many stand beside the memory itself, so many beside each of the others, so many to each side; the rest is in boxes. */
const BESIDE = 5;
const FURTHER = 2;
const SIDE = 14;
/** What else the next ones were made from, or into, is said where they are so few. */
const FEW = 3;

/** What comes before the memory and after it, nearest first, each tied to where one came to it from; the rest in boxes. */
function own(told, known) {
  const boxes = [];
  const links = told.links.filter((one) => one.how === "version");
  const drawn = new Set([told.id]);
  const beside = (id, key, other) => [...new Set(told.links.filter((one) => one[key] === id && known.has(one[other])).sort((one, two) => (two.how === "version") - (one.how === "version")).map((one) => one[other]))];
  const tie = (key, owner, id) => {
    const [from, to] = key === "to" ? [id, owner] : [owner, id];
    if (!links.some((one) => one.from === from && one.to === to)) links.push({ from, to, how: "made" });
  };
  const box = (owner, key, count, note) => {
    if (count < 1) return;
    const id = `more ${key} ${owner}`;
    boxes.push({ id, text: `and ${number(count)} more`, note, kind: "folded", href: owner === told.id ? null : `#/memory/${owner}` });
    tie(key, owner, id);
  };
  const walk = (key, other, further, besides) => {
    const side = [told.id];
    let next = [];
    for (const id of side) {
      const found = beside(id, key, other).filter((one) => !drawn.has(one));
      const room = Math.min(id === told.id ? BESIDE : FURTHER, SIDE + 1 - side.length);
      const some = found.slice(0, found.length === room + 1 ? found.length : Math.max(room, 0)); // no box for one alone
      for (const one of some) {
        drawn.add(one);
        tie(key, id, one);
      }
      side.push(...some);
      box(id, key, found.length - some.length, further);
      if (id === told.id) next = some;
    }
    if (next.length <= FEW) for (const id of next) box(id, other, beside(id, other, key).filter((one) => !drawn.has(one)).length, besides);
  };
  walk("to", "from", "sources of it", "made from it too");
  walk("from", "to", "made from it", "made into it too");
  return { ids: [...drawn], boxes, links };
}

/** The lineage of a memory. */
export function ties(told) {
  const known = new Map(told.memories.map((one) => [one.id, one]));
  const list = (title, found) =>
    found.length ? [h("h3", title), h("ul", found.slice(0, MOST).map((one) => h("li", link(one, 100), " ", state(one.state))), found.length > MOST ? h("li", `and ${found.length - MOST} more`) : null)] : null;
  const of = (how, key, other) => told.links.filter((one) => one.how === how && one[key] === told.id).map((one) => known.get(one[other])).filter(Boolean);
  const direct = [
    ["Made from", of("made", "to", "from")], ["Became", of("made", "from", "to")], ["Older version", of("version", "to", "from")], ["Newer version", of("version", "from", "to")],
  ];
  const near = new Set([told.id, ...direct.flatMap(([, some]) => some.map((one) => one.id))]);
  const others = told.memories.filter((one) => !near.has(one.id));
  if (told.memories.length <= 1 && !told.purged.length) return h("p.quiet", "It was made from nothing else here, nothing was made from it, and it has no other version.");
  const line = own(told, known);
  return h(
    "div",
    told.memories.length > 1
      ? graph({
          label: "Lineage", current: told.id, links: line.links,
          nodes: [...line.ids.map((id) => known.get(id)).map((one) => ({ id: one.id, text: one.text, note: `${one.kind} · ${one.state}${one.version > 1 ? ` · v${one.version}` : ""}`, href: `#/memory/${one.id}`, kind: `state-${one.state}` })), ...line.boxes],
        })
      : null,
    told.more ? h("p.quiet", `Only the ${number(told.memories.length)} nearest were read, so there may be more: open one of the outer ones to see what is behind it.`) : null,
    told.purged.length ? h("p.notice", `${counted(told.purged.length, "memory", "memories")} it is tied to ${told.purged.length === 1 ? "was" : "were"} purged: ${told.purged.slice(0, 5).map((id) => id.slice(-12)).join(", ")}`) : null,
    h("details.as-list", { open: matchMedia("(max-width: 56rem)").matches }, h("summary", "As a list"), direct.map(([title, found]) => list(title, found)), list("Further away", others)),
    command(rem("lineage", [told.id])),
  );
}
