// What the address of the list says: filters, place and way of looking; and the same as arguments of a call or as a command.

import { rem } from "../../commands.js";

export const STATES = ["live", "superseded", "archived", "forgotten", "quarantined", "all"];
export const LAYERS = ["working", "episodic", "semantic", "procedural", "codebase"];
export const SOURCES = ["human", "ai", "ingest", "extracted", "dream"];
export const PAGE = 50;
const ORDERS = ["newest", "oldest", "importance", "recalled", "recalls"];
const HITS = 20;
export const MOST_HITS = 200;

const DATE = /^\d{4}-\d{2}-\d{2}$/;
const FILTERS = ["scope", "kind", "layer", "source", "since", "until"];

/** The filters of an address; what it says wrongly is as if it were not there. */
export function read(query) {
  const text = (name) => query.get(name) ?? "";
  const one = (name, known) => (known.includes(text(name)) ? text(name) : "");
  const date = (name) => (DATE.test(text(name)) && !Number.isNaN(Date.parse(text(name))) ? text(name) : "");
  return {
    q: text("q").trim() ? text("q") : "",
    scope: text("scope").startsWith("/") ? text("scope") : "",
    kind: text("kind"),
    layer: one("layer", LAYERS),
    source: one("source", SOURCES),
    state: one("state", STATES) || "live",
    since: date("since"),
    until: date("until"),
    order: one("order", ORDERS) || "newest",
    view: text("view") === "timeline" ? "timeline" : "table",
    hits: Math.max(HITS, Math.min(MOST_HITS, Number.parseInt(text("hits"), 10) || HITS)),
    page: Math.max(1, Math.min(1e6, Number.parseInt(text("page"), 10) || 1)),
    after: text("after"),
  };
}

/** The address of these filters with some changed; a change of what is shown begins at the first page. */
export function href(filters, changes = {}) {
  const said = { ...filters, page: 1, after: "", ...changes };
  const query = new URLSearchParams();
  for (const name of ["q", ...FILTERS]) if (said[name]) query.set(name, said[name]);
  if (said.state !== "live") query.set("state", said.state);
  if (said.order !== "newest") query.set("order", said.order);
  if (said.view === "timeline") query.set("view", "timeline");
  if (said.page > 1) query.set("page", said.page);
  if (said.page > 1 && said.after) query.set("after", said.after);
  return `#/memories${query.size ? `?${query}` : ""}`;
}

/** Go there, as a step of its own that Back takes back. */
export function go(filters, changes) {
  location.hash = href(filters, changes);
}

/** The filters that narrow the list, as [name, value]. */
export function narrowing(filters) {
  const found = FILTERS.filter((name) => filters[name]).map((name) => [name, filters[name]]);
  return filters.state === "live" ? found : [...found, ["state", filters.state]];
}

const chosen = ({ scope, kind, layer, source, since, until }) =>
  Object.fromEntries(Object.entries({ scope, kind, layer, source, since, until }).filter(([, value]) => value));

/** What list, count and counts are asked with. */
export const listed = (filters) => ({ ...chosen(filters), state: filters.state });

/** A search is a recall of live memories, or of live and archived ones; recall knows no others: they are found by words. */
export const isRecall = (filters) => filters.state === "live" || filters.state === "archived";

/** How the list is ordered: the timeline goes by days. */
export const orderOf = (filters) => (filters.view === "timeline" ? "newest" : filters.order);

/** What recall is asked with. Looking is not using: nothing is reinforced by it. */
export function recalled(filters, limit = HITS) {
  const { scope, kind, layer, source, since, until } = chosen(filters);
  return {
    query: filters.q, scope, kinds: kind, layers: layer, sources: source, since, until, limit, reinforce: false,
    include: filters.state === "archived" ? "archived" : undefined,
  };
}

/** The same on the command line. */
export function asCommand(filters) {
  const { scope, kind, layer, source, since, until } = chosen(filters);
  if (filters.q && isRecall(filters)) {
    return rem("recall", [filters.q], {
      scope, kind, layer, source, since, until, limit: filters.hits, include: filters.state === "archived" ? "archived" : null, no_reinforce: true,
    });
  }
  if (filters.q) return rem("list", [], { scope, kind, layer, source, since, until, state: filters.state, words: filters.q, limit: filters.hits });
  return rem("list", [], {
    scope, kind, layer, source, since, until, state: filters.state === "live" ? null : filters.state, limit: PAGE,
    order: orderOf(filters) === "newest" ? null : filters.order, offset: filters.page > 1 ? (filters.page - 1) * PAGE : null,
  });
}

/** A day so many days before today, as the store counts them: in UTC. */
export const daysAgo = (days) => new Date(Date.now() - days * 86400000).toISOString().slice(0, 10);
