// The list by days, below bars that count the days, months or years it spans; a bar narrows the time to itself.

import { ask } from "../../api.js";
import { fill, h } from "../../dom.js";
import { day, memories, number } from "../../words.js";
import { waiting } from "../../parts/states.js";
import { daysAgo, go, listed } from "./address.js";

const DAY = 86400000;
const MOST_DAYS = 45;
const MOST_MONTHS = 36;
const MOST_YEARS = 30;
const STRIDES = [1, 2, 5, 10, 20, 50, 100, 200, 500]; // of years, where there are many
const MONTH = new Intl.DateTimeFormat(undefined, { month: "short", year: "numeric", timeZone: "UTC" });
const BRIEF = new Intl.DateTimeFormat(undefined, { month: "short", timeZone: "UTC" });
const NUMBER = new Intl.DateTimeFormat(undefined, { day: "numeric", timeZone: "UTC" });
const begins = (year, month = 0) => new Date(0).setUTCFullYear(year, month, 1); // Date.UTC takes the year 80 for 1980
const date = (time) => new Date(time).toISOString().slice(0, 10);

/** The steps of a span of time: [{since, until, text, brief}], by day, month, year or several years, as the span is long. */
function steps(since, until) {
  const first = new Date(`${since}T00:00:00Z`);
  const last = new Date(`${until}T00:00:00Z`);
  const found = [];
  const days = (last - first) / DAY;
  if (days < 0) return [];
  if (days <= MOST_DAYS) {
    for (let time = first.getTime(); time <= last.getTime(); time += DAY) found.push({ since: date(time), until: date(time), text: day(time + DAY / 2), brief: NUMBER.format(time) });
    return found;
  }
  const isLong = days > MOST_MONTHS * 31;
  const [from, to] = [first.getUTCFullYear(), last.getUTCFullYear()];
  const stride = STRIDES.find((years) => Math.floor(to / years) - Math.floor(from / years) < MOST_YEARS);
  let at = isLong ? begins(from - (from % stride)) : begins(from, first.getUTCMonth());
  while (at <= last.getTime()) {
    const begun = new Date(at);
    const year = begun.getUTCFullYear();
    const next = isLong ? begins(year + stride) : begins(year, begun.getUTCMonth() + 1);
    const bounds = [date(Math.max(at, first.getTime())), date(Math.min(next - DAY, last.getTime()))];
    const years = stride === 1 ? String(year) : `${bounds[0].slice(0, 4)}–${bounds[1].slice(0, 4)}`;
    found.push({ since: bounds[0], until: bounds[1], text: isLong ? years : MONTH.format(begun), brief: isLong || !begun.getUTCMonth() ? String(year) : BRIEF.format(begun) });
    at = next;
  }
  return found;
}

/** The span that is drawn: as the filters say, else the year until now; a first day to come is a span of its own. */
function span(filters) {
  const today = daysAgo(0);
  const until = filters.until || (filters.since > today ? filters.since : today);
  const year = new Date(new Date(`${until}T00:00:00Z`).getTime() - 364 * DAY);
  return [filters.since || date(Date.UTC(year.getUTCFullYear(), year.getUTCMonth() + 1)), until];
}

/** The bars. Counted by the server, step by step; of a search, the hits that are shown are counted. */
export function bars(filters, hits, signal) {
  const element = h("div.histogram", { role: "group", "aria-label": "Memories over time" }, waiting(2));
  const [since, until] = span(filters);
  const parts = steps(since, until);
  const hasBefore = !filters.since;
  const before = { since: "", until: date(new Date(`${since}T00:00:00Z`).getTime() - DAY), text: "before" };
  const all = hasBefore ? [before, ...parts] : parts;
  const whole = filters.since || filters.until ? h("button.small", { type: "button", on: { click: () => go(filters, { since: "", until: "" }) } }, "All of the time") : null;
  if (!all.length) return fill(element, h("p.row.apart", h("small", `No day lies between: ${since} is after ${until}.`), whole));
  const within = (one, { since: from, until: to }) => one.slice(0, 10) >= from && one.slice(0, 10) <= to;
  const counting = hits
    ? Promise.resolve(all.map((part) => hits.filter((one) => within(one.created_at, part)).length))
    : Promise.all(all.map(async (part) => (await ask("count", { ...listed(filters), since: part.since || undefined, until: part.until }, { signal })).count));
  counting.then((counts) => {
    const top = Math.max(...counts, 1);
    const narrowest = all.length === 1;
    fill(
      element,
      h("div.scrolls", { tabindex: "0", role: "group", "aria-label": "Bars" },
        h("div.bars", all.map((part, at) =>
          h("button.step", {
            type: "button", "aria-label": `${part.text}: ${memories(counts[at])}`, title: `${part.text}: ${number(counts[at])}`, disabled: !counts[at] || narrowest, class: part === before ? "before" : "",
            on: { click: () => go(filters, { since: part.since, until: part.until }) },
          }, h("span.bar", { vars: { "--share": (counts[at] / top).toFixed(4) } }), h("span.step-name", { "aria-hidden": "true" }, part.brief ?? part.text))))),
      h("p.row.apart",
        h("small", hits ? "Of the hits shown." : all.length > 1 ? "Choose a bar to see its time alone." : `${all[0].text}: ${memories(counts[0])}.`),
        whole),
    );
  }).catch((problem) => {
    if (problem.name !== "AbortError") fill(element, h("p.quiet", problem.message));
  });
  return element;
}

/** Rows under the day they were born on: [[memory, element]] → sections. */
export function byDay(rows) {
  const days = new Map();
  for (const [memory, element] of rows) {
    const born = memory.created_at.slice(0, 10);
    if (!days.has(born)) days.set(born, []);
    days.get(born).push(element);
  }
  return [...days].map(([born, elements]) => h("section.day", h("h2", h("time", { datetime: born }, day(`${born}T12:00:00Z`))), h("ul.items", elements)));
}
