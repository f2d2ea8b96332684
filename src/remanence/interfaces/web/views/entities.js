// Who and what memories speak of: cards, the most named first, and who is named with whom.

import { ask } from "../api.js";
import { rem } from "../commands.js";
import { fill, h } from "../dom.js";
import { tag } from "../parts/badges.js";
import { command } from "../parts/command.js";
import { nothing, waiting, wrong } from "../parts/states.js";
import { counted, memories, number } from "../words.js";
import { address, network } from "./entities/graph.js";
import { one } from "./entities/one.js";

const PAGE = 48;
const MOST = 192;
/** A filter looks among so many, the most that are told at once. */
const LOOKED_AT = 1000;
const DRAWN = 16;

export async function show(place) {
  if (place.path.length) return await one(place, place.path.join("/"));
  const { main, signal } = place;
  const [found, { count }] = await Promise.all([ask("entities.list", { limit: PAGE }, { signal }), ask("entities.count", {}, { signal })]);
  if (!count) {
    fill(main, place.heading(), nothing("Nobody and nothing is named yet", "People, places, products, files and packages that memories speak of come up here by themselves.", command(rem("remember", ["Maria Keller leads the checkout team in Lisbon"]))));
    place.onEntries(() => place.again());
    place.onDone(() => place.again());
    return null;
  }
  const state = { items: found.items, isAll: found.items.length >= count, text: place.query.get("q") ?? "", kind: place.query.get("kind") ?? "", shown: PAGE };
  let turns = 0;
  // What is known of one is put together from the whole store; who may not see that is led to the memories.
  const leads = place.can.whole ? address : (name) => `#/memories?q=${encodeURIComponent(name)}`;
  const cards = h("ul.entity-cards", { "aria-label": "Entities" });
  const told = h("p.quiet", { "aria-live": "polite" });
  const under = h("div");
  const further = h("button", { type: "button", on: { click: () => { state.shown += PAGE; changed(); } } }, "Show more");
  const input = h("input", { type: "search", value: state.text, maxlength: 1000, dir: "auto", placeholder: "Maria", on: { input: () => { state.text = input.value; state.shown = PAGE; changed(); } } });
  const kinds = h("select", { on: { change: () => { state.kind = kinds.value; state.shown = PAGE; changed(); } } });

  /** All that a filter looks among, or what is wrong in their place. */
  const all = async () => {
    if (state.isAll) return true;
    const turn = (turns += 1);
    try {
      const whole = await ask("entities.list", { limit: LOOKED_AT }, { signal });
      state.items = whole.items;
      state.isAll = true;
      drawKinds();
      return true;
    } catch (problem) {
      if (problem.name === "AbortError" || turn !== turns) return false;
      if (problem.status === undefined) throw problem;
      // What is shown was not filtered; to more of it the rest could not be added.
      if (state.text.trim() || state.kind) {
        cards.replaceChildren();
        told.textContent = "";
      }
      further.hidden = true;
      fill(under, wrong(problem, changed));
      return false;
    }
  };
  const drawKinds = () => fill(kinds, h("option", { value: "" }, "all kinds"), [...new Set([state.kind, ...state.items.map(({ kind }) => kind)])].filter(Boolean).sort().map((kind) => h("option", { value: kind, selected: kind === state.kind }, kind)));
  const changed = async () => {
    place.note({ q: state.text.trim(), kind: state.kind });
    const isNarrow = state.text.trim() || state.kind || state.shown > PAGE;
    if (!isNarrow || (await all())) draw();
  };
  const draw = () => {
    const text = state.text.trim().toLocaleLowerCase();
    const matching = state.items.filter((entity) => (!state.kind || entity.kind === state.kind) && (!text || [entity.name, ...entity.aliases].some((name) => name.toLocaleLowerCase().includes(text))));
    const most = state.items[0]?.memories ?? 1;
    cards.replaceChildren(...matching.slice(0, Math.min(state.shown, MOST)).map((entity) => card(entity, most, leads)));
    const total = text || state.kind ? matching.length : count;
    further.hidden = Math.min(state.shown, MOST) >= total || state.shown >= MOST;
    told.textContent = `${number(Math.min(state.shown, MOST, matching.length))} of ${counted(total, "entity", "entities")}.${count > LOOKED_AT && state.isAll ? ` Only the ${number(LOOKED_AT)} most named are looked at.` : ""}`;
    const name = state.text.trim();
    fill(under, matching.length ? null : nothing("Nobody of that name among them", name ? h("p", h("a", { href: leads(name), dir: "auto" }, place.can.whole ? `Look for “${name}” everywhere` : `Search memories for “${name}”`)) : ""));
  };
  drawKinds();
  further.hidden = true;
  fill(main, place.heading(),
    place.can.whole ? null : h("p.quiet", "Your token is kept to ", h("span", { dir: "ltr" }, place.me.scope), ": it sees who is named there, and not what the whole store knows of them. Each leads to the memories that name it."),
    place.can.whole && found.items.length > 2 ? overall(found.items.slice(0, DRAWN), signal) : null,
    h("div.fields", h("label.field", h("span", "Name"), input), h("label.field.narrow-field", h("span", "Kind"), kinds)),
    told, cards, under, h("div.buttons", further), command(rem("entities", [], { limit: PAGE })));
  await changed();
  return null;
}

function card(entity, most, leads) {
  const scopes = Object.entries(entity.scopes).sort((one, other) => other[1] - one[1]);
  return h(
    "li.card.entity-card", { "data-row": "" },
    h("a.entity-name", { href: leads(entity.name), dir: "auto" }, entity.name),
    h("div.marks", tag(entity.kind), h("span", memories(entity.memories))),
    h("span.share", { "aria-hidden": "true", vars: { "--share": (entity.memories / most).toFixed(4) } }),
    entity.aliases.length ? h("p.quiet", { dir: "auto" }, "also ", entity.aliases.slice(0, 4).join(", "), entity.aliases.length > 4 ? ` and ${entity.aliases.length - 4} more` : "") : null,
    h("p.quiet.entity-scopes", { dir: "ltr" }, scopes.slice(0, 2).map(([scope]) => scope).join("  "), scopes.length > 2 ? `  and ${scopes.length - 2} more` : ""),
  );
}

/** Who is named with whom among the most named; asked for one by one, and drawn when all have answered. */
function overall(entities, signal) {
  const inside = h("div", waiting(3, "Who is named with whom"));
  const names = new Set(entities.map(({ name }) => name));
  const asked = async () => {
    try {
      const links = new Map();
      for (let at = 0; at < entities.length; at += 4) {
        const portraits = await Promise.all(entities.slice(at, at + 4).map(({ name }) => ask("entities.show", { name, limit: 40 }, { signal, shorten: 1 })));
        for (const { entity, together } of portraits) {
          for (const [other, times] of together) {
            const pair = [entity.name, other].sort();
            if (names.has(other)) links.set(JSON.stringify(pair), { pair, times });
          }
        }
      }
      fill(inside, links.size ? network(entities, [...links.values()]) : h("p.quiet", "None of the most named are named together."));
    } catch (problem) {
      if (problem.name === "AbortError") return;
      if (problem.status === undefined) throw problem;
      fill(inside, wrong(problem, asked));
    }
  };
  asked();
  return h("section.card.entity-network", h("h2", "Who with whom"), h("p.quiet", "Those that are named most. A line joins two that memories name together; the thicker, the more often."), inside);
}
