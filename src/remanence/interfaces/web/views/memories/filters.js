// The filters beside the list: they only write the address, and show what it says.

import { ask } from "../../api.js";
import { fill, h, newId } from "../../dom.js";
import { number, words } from "../../words.js";
import { waiting } from "../../parts/states.js";
import { daysAgo, go, href, LAYERS, listed, narrowing, SOURCES, STATES } from "./address.js";
import { field as scopeField, tree } from "./scopes.js";

const SPANS = [["Any time", null], ["Today", 0], ["7 days", 6], ["30 days", 29], ["A year", 364]];
const MOST_KINDS = 200;
const WIDE = "(min-width: 64rem)";

/** The panel; element.tell(filters) makes it show them. */
export function panel(place, now) {
  const change = (changes) => go(now(), changes);
  const select = (name, label, choices) => {
    const element = h("select", { name, on: { change: () => change({ [name]: element.value }) } }, choices.map(([value, text]) => h("option", { value }, text)));
    return { element, label: h("label.field", h("span", label), element) };
  };
  const any = (names) => [["", "Any"], ...names.map((name) => [name, words(name)])];
  const layer = select("layer", "Layer", any(LAYERS));
  const source = select("source", "Source", any(SOURCES));
  const state = select("state", "State", STATES.map((name) => [name, name]));
  const found = select("state", "While searching", [["live", "live"], ["archived", "live and archived"], ...["superseded", "forgotten", "quarantined", "all"].map((name) => [name, name])]);
  found.label.append(h("small", "Recall knows live and archived memories. Others are found by their words alone."));
  const kindPlace = h("div");
  const scopePlace = h("div", waiting(4));
  const since = h("input", { type: "date", on: { change: () => change({ since: since.value }) } });
  const until = h("input", { type: "date", on: { change: () => change({ until: until.value }) } });
  const spans = SPANS.map(([text, days]) => ({
    days,
    button: h("button.small", { type: "button", on: { click: () => change({ since: days === null ? "" : daysAgo(days), until: "" }) } }, text),
  }));
  const summary = h("summary", "Filters");
  const heading = newId("filters");
  const element = h(
    "details.filters", { "aria-labelledby": heading },
    summary,
    h("h2.unseen", { id: heading }, "Filters"),
    h("div.filter-set", h("h3", "Scope"), scopePlace),
    h("div.filter-set.pairs", state.label, found.label, layer.label, kindPlace, source.label),
    h("div.filter-set", h("h3", "Born"), h("div.row.spans", spans.map(({ button }) => button)),
      h("div.fields", h("label.field", h("span", "From"), since), h("label.field", h("span", "To"), until)),
      h("small", "Days are those of UTC.")),
  );
  const media = matchMedia(WIDE);
  const fit = () => (element.open = media.matches);
  fit();
  media.addEventListener("change", fit, { signal: place.signal });

  let scopes = null;
  let kind = null;
  const choosable = (kinds) => {
    if (kinds === null) {
      const input = h("input", { type: "text", maxlength: 200, dir: "auto", on: { change: () => change({ kind: input.value.trim() }) } });
      kind = { element: input, tell: (value) => { if (document.activeElement !== input) input.value = value; } };
      return fill(kindPlace, h("label.field", h("span", "Kind"), input));
    }
    const names = Object.entries(kinds).sort((one, other) => other[1] - one[1]).slice(0, MOST_KINDS);
    const chosen = select("kind", "Kind", [["", "Any"], ...names.map(([name, count]) => [name, `${words(name)} (${number(count)})`])]);
    kind = {
      element: chosen.element,
      tell: (value) => {
        if (value && ![...chosen.element.options].some((option) => option.value === value)) chosen.element.append(h("option", { value }, value));
        chosen.element.value = value;
      },
    };
    return fill(kindPlace, chosen.label);
  };
  choosable(null);

  element.tell = (filters) => {
    const count = narrowing(filters).length;
    summary.textContent = count ? `Filters (${count})` : "Filters";
    layer.element.value = filters.layer;
    source.element.value = filters.source;
    state.element.value = filters.state;
    found.element.value = filters.state;
    state.label.hidden = Boolean(filters.q);
    found.label.hidden = !filters.q;
    since.value = filters.since;
    until.value = filters.until;
    for (const { days, button } of spans) {
      const isChosen = !filters.until && filters.since === (days === null ? "" : daysAgo(days));
      button.setAttribute("aria-pressed", String(isChosen));
    }
    kind.tell(filters.kind);
    scopes?.choose(filters.scope);
    element.count(filters).catch(() => {});
  };
  const pick = (scope) => change({ scope });
  const opened = new Set();
  let counted = null;
  let asking = null;
  /** Count what there is to choose from, of what the other filters leave. A token kept to a scope writes its scope instead. */
  element.count = async (filters, isAnew = false) => {
    if (!place.can.whole) {
      if (!scopes) fill(scopePlace, (scopes = scopeField(pick, place.me.scope)));
      return;
    }
    const wanted = JSON.stringify(listed(filters));
    if (wanted === counted && !isAnew) return;
    counted = wanted;
    asking?.abort();
    asking = new AbortController();
    const signal = AbortSignal.any([asking.signal, place.signal]);
    let counts;
    try {
      counts = await Promise.all([["scope", { scope: "" }], ["kind", { kind: "" }]].map(([of, without]) => ask("counts", { of, ...listed({ ...filters, ...without }) }, { signal })));
    } catch (problem) {
      if (problem.name === "AbortError" || scopes) return;
      counted = null;
      counts = [null, null];
    }
    const held = scopePlace.contains(document.activeElement) ? document.activeElement.dataset.scope : undefined;
    scopes = counts[0] ? tree(counts[0], pick, opened) : scopeField(pick, place.me.scope);
    fill(scopePlace, scopes);
    if (counts[1] && document.activeElement !== kind.element) choosable(counts[1]);
    kind.tell(now().kind);
    scopes.choose(now().scope);
    if (held !== undefined) scopePlace.querySelector(`[data-scope="${CSS.escape(held)}"]`)?.focus({ preventScroll: true });
  };
  return element;
}

const SAID = { scope: "in", kind: "kind", layer: "layer", source: "from", since: "since", until: "until", state: "state" };

/** What narrows the list, each with a way to take it away. */
export function chips(filters) {
  const found = narrowing(filters);
  if (!found.length) return null;
  return h(
    "div.chips", { role: "group", "aria-label": "Filters in force" },
    found.map(([name, value]) =>
      h("button.chip", { type: "button", "aria-label": `Remove the filter ${name} ${value}`, on: { click: () => go(filters, { [name]: name === "state" ? "live" : "" }) } },
        h("span", SAID[name]), h("bdi", name === "state" && filters.q && value === "archived" ? "archived too" : value), h("span", { "aria-hidden": "true" }, "✕"))),
    h("a.clear", { href: href({ ...filters, scope: "", kind: "", layer: "", source: "", since: "", until: "", state: "live" }) }, "Clear all"),
  );
}
