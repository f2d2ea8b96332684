// The overview: what there is, how it came to that, what is about to leave and by which rule, and whether all is well.

import { ask } from "../api.js";
import { rem } from "../commands.js";
import { fill, h } from "../dom.js";
import { breakable, link, scope, when } from "../parts/badges.js";
import { card } from "../parts/card.js";
import { command } from "../parts/command.js";
import { figure } from "../parts/figure.js";
import { areas, columns, meter } from "../parts/plots.js";
import { nothing } from "../parts/states.js";
import { bytes, counted, day, memories, number, percent, short, words } from "../words.js";
import { checkup } from "./overview/health.js";
import { leaving } from "./overview/leaving.js";
import { noted } from "./plans/receipts.js";
import { reader } from "./plans/texts.js";
import { invitation } from "./welcome.js";

const AHEAD = 30;
const SPANS = [30, 90, 365];
const DEEDS = ["sweep", "upkeep", "dream", "dedup", "consolidate", "compact"];
const MOST_DEEDS = 6;
/** Green, blue, amber, red: as where the policy is read. */
const TIERS = { hot: "b", warm: "", cold: "c", evictable: "d" };
/** Pairs that contradict each other have no count of their own: so many are looked at, as in Review. */
const MOST_PAIRS = 200;
const MOST_SCOPES = 6;
const MOST_KINDS = 5;
const today = () => new Date().toISOString().slice(0, 10);

export async function show(place) {
  const { signal, main } = place;
  const quick = (name, given, options) => ask(name, given, { signal, ...options });
  if (!place.can.whole) return await showPart(place, quick);
  const stats = await quick("stats");
  if (!total(stats.memories)) {
    fill(main, invitation(place));
    place.onEntries(() => place.again());
    return null;
  }
  const spanOf = (query) => (SPANS.includes(Number(query.get("days"))) ? Number(query.get("days")) : 90);
  let span = spanOf(place.query);
  const now = { stats, forecast: quick("forecast", { days: AHEAD }), past: quick("past", { days: span }) };
  const figures = h("div.figures", { "aria-label": "In short", role: "group" });
  const drawFigures = async () => {
    const since = today();
    const [forecast, learned, waiting, pairs] = await Promise.all([
      now.forecast, quick("count", { state: "all", since }), quick("review.count"), quick("review.challenged", { limit: MOST_PAIRS }, { shorten: 1 }),
    ]);
    fill(figures, figuresOf(now.stats, forecast, { since, count: learned.count }, { quarantined: waiting.count, challenged: pairs.items.length }));
  };
  const spans = h("div.row", { role: "group", "aria-label": "How far back" }, SPANS.map((days) =>
    h("button.small", { type: "button", "aria-pressed": String(days === span), on: { click: (event) => {
      span = days;
      for (const one of event.currentTarget.parentElement.children) one.setAttribute("aria-pressed", String(one === event.currentTarget));
      place.note({ days });
      now.past = quick("past", { days });
      time.again();
    } } }, days === 365 ? "A year" : `${days} days`)));
  const time = card("Over time", async () => overTime(await now.past, await now.forecast), { wide: true, lines: 8, beside: spans });
  const leaves = leaving();
  const shown = {
    leaving: card(`About to leave, next ${AHEAD} days`, async () => leaves(await now.forecast, reader(signal))),
    health: card("Health", async () => checkup(now.stats, place)),
  };
  const cards = [
    shown.leaving,
    card("Learned today", async () => learned(await quick("list", { since: today(), limit: 8 }, { shorten: 300 }), await now.past)),
    card("Tiers", async () => tiers((await quick("tiers")), now.stats)),
    card("Size against targets", async () => sizes((await quick("sizes")).items, now.stats)),
    card("Last sweeps and dreams", async () => deeds(await lastDeeds(quick), now.stats)),
    shown.health,
    card("Where it is", async () => shelves(now.stats)),
    card("Spend", async () => spending(now.stats)),
  ];
  fill(main, place.heading(), figures, h("div.grid", time), h("div.masonry", cards));
  const isOnlyNews = (problem) => {
    if (problem.name !== "AbortError" && problem.status === undefined) throw problem;
  };
  drawFigures().catch(isOnlyNews);
  let timer = null;
  place.onEntries(() => {
    timer ??= setTimeout(async () => {
      timer = null;
      if (signal.aborted) return;
      try {
        now.stats = await quick("stats");
        now.past = quick("past", { days: span });
        now.forecast = quick("forecast", { days: AHEAD });
        await drawFigures();
        for (const one of [time, ...cards]) one.again({ quietly: true });
      } catch (problem) {
        isOnlyNews(problem);
      }
    }, 700);
  });
  /** A figure leads to the card that has more of it: #/?show=leaving. */
  const arrive = (query) => {
    const wanted = new Map(Object.entries(shown)).get(query.get("show"));
    if (!wanted) return;
    place.note({ show: "", days: span === 90 ? "" : span });
    const title = wanted.querySelector("h2");
    title.tabIndex = -1;
    wanted.scrollIntoView({ block: "start" });
    title.focus({ preventScroll: true });
  };
  arrive(place.query);
  return {
    update: (query) => {
      if (query.has("show")) arrive(query);
      else if (spanOf(query) !== span) place.again();
    },
  };
}

/** What a token that is kept to a scope may see. */
async function showPart(place, quick) {
  const states = ["live", "archived", "forgotten", "superseded"];
  const counts = await Promise.all(states.map((state) => quick("count", { state })));
  const newest = await quick("list", { limit: 10 }, { shorten: 300 });
  fill(
    place.main,
    place.heading(),
    h("p.quiet", "Your token is kept to ", scope(place.me.scope), ": what spans the whole namespace, such as the forecast and the journal, is left out."),
    h("div.figures", states.map((state, at) => figure(counts[at].count, state, { href: `#/memories?state=${state}` }))),
    h("section.card", h("h2", "Newest"), listed(newest.items)),
  );
  return null;
}

const total = (counts) => Object.values(counts).reduce((sum, one) => sum + one, 0);

function figuresOf(stats, forecast, learned, review) {
  const held = stats.memories;
  const isMore = review.challenged >= MOST_PAIRS;
  return [
    figure(held.live ?? 0, "live", { href: "#/memories" }),
    figure(held.archived ?? 0, "archived", { href: "#/memories?state=archived" }),
    figure(held.forgotten ?? 0, "forgotten", { href: "#/memories?state=forgotten" }),
    figure(learned.count, "learned today", { href: `#/memories?state=all&since=${learned.since}` }),
    figure(forecast.leaves, `leave in ${AHEAD} days`, { href: "#/?show=leaving" }),
    figure(stats.regrets, stats.regrets === 1 ? "regret" : "regrets", { href: "#/?show=health" }),
    figure(review.quarantined + review.challenged, "to review", {
      href: review.challenged && !review.quarantined ? "#/review?tab=challenged" : "#/review", said: (value) => `${number(value)}${isMore ? "+" : ""}`,
    }),
  ];
}

function overTime(past, forecast) {
  const joined = (name) => [...past[name], ...forecast[name].slice(1)];
  const series = ["live", "archived", "forgotten"].map((name) => ({ name, kind: name, values: joined(name) }));
  const from = past.live.length - 1;
  return [
    areas({
      label: `Memories over ${past.days} days, and ${forecast.days} to come: ${number(past.live[0])} live then, ${number(past.live.at(-1))} now, ${number(forecast.live.at(-1))} on ${day(new Date(Date.now() + forecast.days * 86400000))} if nobody recalls anything.`,
      first: past.first, series, split: from, height: 260,
    }),
    h("p.quiet", `Right of “now” is the forecast under ${forecast.policy}, if nobody recalled anything.`),
    command(rem("past", [], { days: past.days })),
  ];
}

function listed(items) {
  if (!items.length) return nothing("Nothing here yet");
  return h("ul.plain", items.map((one) => h("li", link(one, 110), h("div.marks", h("span", one.kind), scope(one.scope), when(one.created_at)))));
}

function learned(newest, past) {
  return [
    columns({ label: `Written down on each of the last ${past.days} days, whatever day it is of; ${number(past.learned.at(-1))} today`, first: past.first, values: past.learned, name: "written down" }),
    newest.items.length ? listed(newest.items) : h("p.quiet", "Nothing was learned today so far."),
  ];
}

function tiers(counts, stats) {
  const entries = Object.entries(TIERS).map(([name, kind]) => [name, kind, counts[name] ?? 0]);
  const all = entries.reduce((sum, [, , count]) => sum + count, 0);
  return [
    h("div.split", { "aria-hidden": "true" }, entries.filter(([, , count]) => count).map(([, kind, count]) => h("span", { class: kind, vars: { "--share": count } }))),
    h("dl.tiers", entries.map(([name, kind, count]) => h("div", h("dt", h("i", { class: kind }), name), h("dd", number(count), h("small", all ? ` ${percent(count / all)}` : ""))))),
    h("p.quiet", `How much each live memory is worth under ${stats.policy}.`),
  ];
}

function sizes(targets, stats) {
  if (!targets.length) {
    return [h("p", `${words(stats.policy)} sets no size targets: ${memories(stats.memories.live ?? 0)} with ${short(stats.tokens.live ?? 0)} tokens are live.`), h("p", h("a", { href: "#/policies" }, "Set one in the policy"))];
  }
  const sorted = [...targets].sort((one, other) => other.held / other.allowed - one.held / one.allowed).slice(0, 8);
  return [
    sorted.map((one) => meter({
      name: one.scope ?? one.name, share: one.held / Math.max(one.allowed, 1), value: `${short(one.held)} / ${short(one.allowed)} ${one.unit}`,
      kind: one.held > one.allowed ? "forgotten" : one.held > 0.9 * one.allowed ? "archived" : "good",
    })),
    targets.length > sorted.length ? h("p.quiet", `and ${targets.length - sorted.length} more`) : null,
  ];
}

/** The last of each verb that changes many by itself, newest first. */
async function lastDeeds(quick) {
  const found = await Promise.all(DEEDS.map((verb) => quick("receipts", { verb, limit: MOST_DEEDS })));
  return found.flatMap((one) => one.items).sort((one, other) => (one.at < other.at ? 1 : -1)).slice(0, MOST_DEEDS);
}

function deeds(found, stats) {
  const upkeep = h("p.quiet", stats.upkeep_at ? ["Last upkeep: ", when(stats.upkeep_at), "."] : "There was no upkeep yet.", stats.sweeping ? "" : " Sweeps are switched off by the policy.");
  if (!found.length) return [nothing("No sweep or dream has changed anything yet"), upkeep, command(rem("sweep"))];
  return [
    h("ul.plain", found.map((one) => h("li",
      h("a", { href: `#/plans/receipt/${one.id}` }, one.verb, one.note ? `: ${noted(one.note)}` : ""),
      h("div.marks", h("span", Object.entries(one.actions).map(([action, count]) => `${action} ${number(count)}`).join(", ") || "no change"), when(one.at), one.undone_by ? h("span", `undone by ${one.undone_by}`) : null)))),
    upkeep,
    command(rem("receipts")),
  ];
}

function shelves(stats) {
  const bars = (counts, href, most) => {
    // By count: names like numbers would come first by themselves.
    const entries = Object.entries(counts).sort(([, one], [, other]) => other - one);
    const top = Math.max(...entries.map(([, count]) => count), 1);
    return [
      entries.slice(0, most).map(([name, count]) => meter({ name: h("a.scope", { href: href(name), dir: "auto" }, breakable(name)), share: count / top, value: number(count) })),
      entries.length > most ? h("p.quiet", h("a", { href: "#/memories" }, `and ${number(entries.length - most)} more`)) : null,
    ];
  };
  return [
    h("h3", "Scopes"), bars(stats.scopes, (name) => `#/memories?scope=${encodeURIComponent(name)}`, MOST_SCOPES),
    h("h3", "Kinds"), bars(stats.kinds, (name) => `#/memories?kind=${encodeURIComponent(name)}`, MOST_KINDS),
    h("p.quiet", `${bytes(stats.file_bytes)} on disk.`),
  ];
}

function spending(stats) {
  if (!stats.llm && !stats.spending.length) {
    return [h("p", "No language model is in use: nothing is spent."), h("p.quiet", "Everything works by rules. A model can be named in the settings: see rem config.")];
  }
  const byDay = new Map();
  for (const one of stats.spending) byDay.set(one.day, (byDay.get(one.day) ?? 0) + one.tokens_in + one.tokens_out);
  const first = new Date(Date.now() - 29 * 86400000).toISOString().slice(0, 10);
  const values = Array.from({ length: 30 }, (_, at) => byDay.get(new Date(new Date(`${first}T00:00:00Z`).getTime() + at * 86400000).toISOString().slice(0, 10)) ?? 0);
  const failed = stats.spending.reduce((sum, one) => sum + one.failed, 0);
  return [
    h("p", h("strong", `${short(stats.spent_today)} tokens`), " today", stats.tokens_per_day ? ` of ${short(stats.tokens_per_day)} a day` : "", stats.llm ? `, ${stats.llm}` : ""),
    columns({ label: `Tokens on each of the last 30 days, ${number(values.reduce((sum, one) => sum + one, 0))} in all`, first, values, name: "tokens" }),
    failed ? h("p.quiet", counted(failed, "call") + " failed.") : null,
  ];
}
