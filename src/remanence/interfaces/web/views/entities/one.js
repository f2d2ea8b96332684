// One entity: its card, its other names, where it is spoken of, by which memories, and whom it is named with.

import { ask } from "../../api.js";
import { rem } from "../../commands.js";
import { fill, h } from "../../dom.js";
import * as badges from "../../parts/badges.js";
import { command } from "../../parts/command.js";
import { markdown } from "../../parts/markdown.js";
import { meter } from "../../parts/plots.js";
import { nothing, wrong } from "../../parts/states.js";
import { memories, number } from "../../words.js";
import { address, star } from "./graph.js";

const STEPS = [20, 60, 200];

export async function one(place, name) {
  const { main, signal } = place;
  const elsewhere = h("p", h("a", { href: `#/memories?q=${encodeURIComponent(name)}` }, "Search memories for it"), " · ", h("a", { href: "#/entities" }, "All entities"));
  if (!place.can.whole) {
    fill(main, crumbs(), place.heading(h("span", { dir: "auto" }, name || "(no name)")),
      nothing("Your token is kept to a part of the store", `What is known of an entity is put together from all memories, so it is not for this token. It sees the memories of ${place.me.scope}.`, elsewhere));
    return null;
  }
  let step = 0;
  let portrait;
  try {
    portrait = await ask("entities.show", { name, limit: STEPS[step] }, { signal, shorten: 600 });
  } catch (problem) {
    if (problem.status !== 404 && problem.status !== 422) throw problem;
    const near = /Did you mean: (.*)\?/s.exec(problem.message)?.[1];
    fill(main, crumbs(), place.heading(h("span", { dir: "auto" }, name || "(no name)")),
      nothing("No live memory names this", near ? h("p", { dir: "auto" }, `Did you mean ${near}?`) : "It may be archived or forgotten.",
        elsewhere, command(rem("entities"))));
    return null;
  }
  const { entity, card, together } = portrait;
  const list = h("ul.plain");
  const under = h("div");
  const further = h("button", { type: "button", on: { click: () => more() } }, "Show more");
  const draw = () => {
    list.replaceChildren(...portrait.memories.map((memory) => h("li", badges.link(memory, 240), h("div.marks", badges.tag(memory.kind), badges.scope(memory.scope), badges.when(memory.created_at)))));
    further.hidden = portrait.memories.length >= entity.memories || step >= STEPS.length - 1;
  };
  const more = async () => {
    further.disabled = true;
    try {
      portrait = await ask("entities.show", { name: entity.name, limit: STEPS[step + 1] }, { signal, shorten: 600 });
      step += 1;
      fill(under);
      draw();
    } catch (problem) {
      if (problem.name === "AbortError") return;
      if (problem.status === undefined) throw problem;
      fill(under, wrong(problem, more));
    } finally {
      further.disabled = false;
    }
  };
  draw();
  const scopes = Object.entries(entity.scopes).sort((a, b) => b[1] - a[1]);
  fill(main, crumbs(), place.heading(h("span", { dir: "auto" }, entity.name)),
    h("div.marks", badges.tag(entity.kind), h("span", memories(entity.memories)), h("span", `in ${number(scopes.length)} ${scopes.length === 1 ? "scope" : "scopes"}`)),
    entity.aliases.length ? h("p", "Also called ", entity.aliases.map((alias, at) => [at ? ", " : "", h("strong", { dir: "auto" }, alias)]), ".") : null,
    h("div.buttons", h("a.button", { href: `#/memories?q=${encodeURIComponent(entity.name)}` }, "Search memories"), place.can.whole ? h("a.button.danger-link", { href: `#/erase?about=${encodeURIComponent(entity.name)}`, "data-writes": "" }, "Erase everything about it…") : null),
    card ? h("section.card.entity-about", h("h2", "In short"), inShort(card, signal), h("p.quiet", "Written by a dream ", badges.when(card.created_at), ". ", h("a", { href: `#/memory/${card.id}` }, "The card as a memory"))) : null,
    h("div.entity-parts",
      h("section.card", h("h2", "Named together with"), together.length
        ? [star(entity.name, together), h("details.numbers", { open: true }, h("summary", "As a list"), h("ul.plain.together", together.map(([other, times]) => h("li", h("a", { href: address(other), dir: "auto" }, other), ` ${number(times)}×`))))]
        : h("p.quiet", "Nobody and nothing else yet.")),
      h("section.card", h("h2", "Where"), scopes.slice(0, 12).map(([scope, count]) => meter({ name: badges.scope(scope), share: count / scopes[0][1], value: number(count) })), scopes.length > 12 ? h("p.quiet", `and ${scopes.length - 12} more scopes`) : null)),
    h("section.card", h("h2", "What is remembered of it"), list, under, h("div.buttons", further)),
    command(rem("entity", [entity.name], { limit: STEPS[0] })));
  return null;
}

/** What a card says; a long one from its beginning, and whole when asked for. */
function inShort(card, signal) {
  if (!card.cut) return markdown(card.text, { level: 3 });
  const place = h("div");
  const under = h("div");
  const whole = async () => {
    button.disabled = true;
    try {
      fill(place, markdown((await ask("get", { id: card.id }, { signal })).text, { level: 3 }));
      place.tabIndex = -1;
      place.focus({ preventScroll: true });
    } catch (problem) {
      if (problem.name === "AbortError") return;
      if (problem.status === undefined) throw problem;
      button.disabled = false;
      fill(under, wrong(problem, whole));
    }
  };
  const button = h("button.small", { type: "button", on: { click: whole } }, `Show all ${number(card.cut)} characters`);
  fill(place, markdown(`${card.text.replace(/\s+\S*$/, "")} …`, { level: 3 }), h("div.buttons", button), under);
  return place;
}

const crumbs = () => h("p.crumbs", h("a", { href: "#/entities" }, "Entities"));
