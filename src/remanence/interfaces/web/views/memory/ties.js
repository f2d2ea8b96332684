// What a memory was made from, what it became, its versions: as a graph, and as lists that say the same.

import { h } from "../../dom.js";
import { counted } from "../../words.js";
import { link, state } from "../../parts/badges.js";
import { graph } from "../../parts/graph.js";
import { command } from "../../parts/command.js";
import { rem } from "../../commands.js";

const MOST = 50;

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
  return h(
    "div",
    told.memories.length > 1
      ? graph({
          label: "Lineage", current: told.id, links: told.links,
          nodes: told.memories.map((one) => ({ id: one.id, text: one.text, note: `${one.kind} · ${one.state}${one.version > 1 ? ` · v${one.version}` : ""}`, href: `#/memory/${one.id}`, kind: `state-${one.state}` })),
        })
      : null,
    told.more ? h("p.notice", "There are more than are shown here: open one of the outer ones to see what is behind it.") : null,
    told.purged.length ? h("p.notice", `${counted(told.purged.length, "memory", "memories")} it is tied to ${told.purged.length === 1 ? "was" : "were"} purged: ${told.purged.slice(0, 5).map((id) => id.slice(-12)).join(", ")}`) : null,
    h("details.as-list", { open: matchMedia("(max-width: 56rem)").matches }, h("summary", "As a list"), direct.map(([title, found]) => list(title, found)), list("Further away", others)),
    command(rem("lineage", [told.id])),
  );
}
