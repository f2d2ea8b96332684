// The list of memories: what is asked for, or all there is, newest first; with filters, a choice, and a line through time.

import { settled, wasDoneHere } from "../acting.js";
import { ask } from "../api.js";
import { rem } from "../commands.js";
import { fill, h } from "../dom.js";
import { counted, memories, number } from "../words.js";
import { command } from "../parts/command.js";
import { isKey } from "../parts/keys.js";
import { nothing, waiting, wrong } from "../parts/states.js";
import { whyNot } from "../parts/why_not.js";
import { asCommand, go, href, isRecall, listed, MOST_HITS, narrowing, orderOf, PAGE, read, recalled } from "./memories/address.js";
import { bar, forgetMatching } from "./memories/bulk.js";
import { choice } from "./memories/chosen.js";
import { chips, panel } from "./memories/filters.js";
import { row } from "./memories/rows.js";
import { bars, byDay } from "./memories/timeline.js";

const PAUSE = 20; // between letters; what is typed is to be found while it is typed
const TEXT = 320;
const ORDERED = [["newest", "newest first"], ["oldest", "oldest first"], ["importance", "most important first"], ["recalled", "last recalled first"], ["recalls", "most recalled first"]];
const PAGED = { newest: ["← Newer", "Older →"], oldest: ["← Older", "Newer →"] };

export async function show(place) {
  let filters = read(place.query);
  let limit = filters.hits;
  let asking = null;
  let timer = null;
  let isEmpty = false;
  let changes = new Set();
  const cursors = new Map(); // page → where it begins, of the filters now

  // -- the frame, which stays while what is in it changes
  const told = h("p.told", { role: "status" });
  const ways = h("div.ways", { role: "group", "aria-label": "Way of looking" });
  const chosenChips = h("div");
  const news = h("div", { "aria-live": "polite" });
  const bulkForget = h("div");
  const order = h("select", { name: "order", "aria-label": "Order", on: { change: () => go(filters, { order: order.value }) } }, ORDERED.map(([value, text]) => h("option", { value }, text)));
  const results = h("div.results", waiting(8));
  const said = h("div.said");
  const chosen = choice(() => marked());
  const bulk = bar(place, chosen);
  const filtersPanel = panel(place, () => filters);
  const allBox = h("input", { type: "checkbox", on: { change: () => chosen.takeAll(allBox.checked) } });
  const allLabel = h("label.choice.all", { hidden: true }, allBox, "Choose all on this page");
  fill(place.main, h("div.row.apart", place.heading(), ways), h("div.memories", filtersPanel, h("section.list", { "aria-label": "The memories" }, chosenChips, h("div.row.apart", told, h("div.row", bulkForget, order)), news, allLabel, results, said)), bulk);

  function frame() {
    filtersPanel.tell(filters);
    order.value = filters.order;
    order.hidden = Boolean(filters.q) || filters.view === "timeline";
    fill(chosenChips, chips(filters));
    const way = (name, text) => h("a.button.small", { href: href(filters, { view: name }), "aria-current": filters.view === name ? "true" : null }, text);
    if (!ways.contains(document.activeElement) || !ways.childElementCount) fill(ways, way("table", "Table"), way("timeline", "Timeline"));
    else for (const [at, name] of ["table", "timeline"].entries()) {
      ways.children[at].setAttribute("href", href(filters, { view: name }));
      if (filters.view === name) ways.children[at].setAttribute("aria-current", "true");
      else ways.children[at].removeAttribute("aria-current");
    }
    fill(said, command(asCommand(filters)));
    const search = document.getElementById("search");
    if (search !== document.activeElement) search.value = filters.q;
  }

  function marked() {
    for (const element of results.querySelectorAll("[data-row]")) {
      const isChosen = chosen.has(element.dataset.row);
      element.classList.toggle("chosen", isChosen);
      const box = element.querySelector("input[type=checkbox]");
      if (box) box.checked = isChosen;
    }
    const here = chosen.here();
    const count = here.filter((one) => chosen.has(one.id)).length;
    allBox.checked = here.length > 0 && count === here.length;
    allBox.indeterminate = count > 0 && count < here.length;
    allLabel.hidden = !here.length || !place.can.write;
    bulk.tell();
  }

  // -- asking

  async function load() {
    asking?.abort();
    asking = new AbortController();
    const signal = AbortSignal.any([asking.signal, place.signal]);
    results.setAttribute("aria-busy", "true");
    changes = new Set();
    fill(news);
    const mine = filters;
    try {
      if (mine.q && isRecall(mine)) drawHits(mine, await ask("recall", recalled(mine, limit), { signal, shorten: TEXT }), signal);
      else if (mine.q) drawHeld(mine, (await ask("list", { ...listed(mine), words: mine.q, limit }, { signal, shorten: TEXT })).items, signal);
      else {
        const cursor = mine.page > 1 ? mine.after || cursors.get(mine.page) : undefined;
        const offset = mine.page > 1 && !cursor ? (mine.page - 1) * PAGE : undefined;
        const [page, { count }] = await Promise.all([
          ask("list", { ...listed(mine), limit: PAGE, cursor, offset, order: orderOf(mine) }, { signal, shorten: TEXT }),
          ask("count", listed(mine), { signal }),
        ]);
        drawList(mine, page, count, signal);
      }
    } catch (problem) {
      if (problem.name === "AbortError" || problem.status === 401) return;
      // Nobody answers: what was found before is still worth looking at, and the banner says so.
      if (problem.status === 0 && results.querySelector("[data-row]")) return;
      chosen.shown([]);
      put(wrong(problem, load));
      told.textContent = "";
      marked();
    } finally {
      if (!signal.aborted) results.removeAttribute("aria-busy");
    }
  }

  // -- drawing

  /** Draw the results anew; who was in a row stays in it, or in the one that took its place. */
  function put(...content) {
    const held = results.contains(document.activeElement) ? document.activeElement : null;
    const rowOf = held?.closest("[data-row]");
    const at = [...results.querySelectorAll("[data-row]")].indexOf(rowOf);
    const what = held?.matches("input") ? "input" : held?.matches(".rank") ? ".rank" : "a.memory-link";
    fill(results, ...content);
    if (!held) return;
    const rows = [...results.querySelectorAll("[data-row]")];
    const next = rows.find((one) => one.dataset.row === rowOf?.dataset.row) ?? rows[Math.min(Math.max(at, 0), rows.length - 1)];
    (next?.querySelector(what) ?? place.main.querySelector("h1"))?.focus({ preventScroll: true });
  }

  function rowsOf(found, hitOf = () => null) {
    return found.map((memory) => [memory, row(memory, { hit: hitOf(memory), chosen, canWrite: place.can.write, order: filters.q ? "newest" : orderOf(filters) })]);
  }

  function laid(mine, rows, signal, hits = null) {
    if (mine.view === "timeline") {
      const sorted = hits ? [...rows].sort(([one], [other]) => (one.created_at < other.created_at ? 1 : -1)) : rows;
      return [bars(mine, hits, signal), byDay(sorted)];
    }
    return h("ul.items", rows.map(([, element]) => element));
  }

  function drawHits(mine, answer, signal) {
    const hits = new Map(answer.hits.map((hit) => [hit.memory.id, hit]));
    const found = answer.hits.map((hit) => hit.memory);
    const missed = answer.missed.map((hit) => hit.memory);
    const missedHits = new Map(answer.missed.map((hit) => [hit.memory.id, hit]));
    chosen.shown([...found, ...missed]);
    const isNear = found.length > 0 && answer.hits.every((hit) => !hit.parts.text);
    const order = mine.view === "timeline" ? "newest first" : "best first";
    told.textContent = !found.length ? "No hits" : isNear ? `No memory has these words. ${counted(found.length, "memory", "memories")} nearest in meaning, ${order}` : `${counted(found.length, "hit")}, ${order}`;
    fill(bulkForget);
    const why = h("button.small", { type: "button", on: { click: () => whyNot({ query: mine.q, given: { ...recalled(mine, limit), query: undefined, reinforce: undefined }, signal: place.signal }) } }, "Why does one not come?");
    put(
      answer.notes.map((note) => h("p.notice", { dir: "auto" }, note)),
      found.length ? laid(mine, rowsOf(found, (memory) => hits.get(memory.id)), signal, found) : noHits(mine),
      missed.length
        ? h("section.missed", h("h2", "Archived, and would have been among these"), h("ul.items", rowsOf(missed, (memory) => missedHits.get(memory.id)).map(([, element]) => element)))
        : null,
      h("div.buttons", more(found), why),
    );
    marked();
  }

  function more(found) {
    const further = () => {
      limit = Math.min(limit * 2, MOST_HITS);
      place.note({ hits: limit }); // for who comes back
      filters = { ...filters, hits: limit };
      frame();
      load();
    };
    return found.length >= limit && limit < MOST_HITS ? h("button", { type: "button", on: { click: further } }, "Show more") : null;
  }

  /** What a list by words found, in states that no recall knows. */
  function drawHeld(mine, found, signal) {
    chosen.shown(found);
    const states = mine.state === "all" ? "" : `${mine.state} `;
    told.textContent = found.length ? `${number(found.length)} ${states}${found.length === 1 ? "memory holds" : "memories hold"} these words, ${mine.view === "timeline" ? "newest first" : "best first"}` : "No hits";
    fill(bulkForget);
    put(found.length ? laid(mine, rowsOf(found), signal, found) : noHits(mine), h("div.buttons", more(found)));
    marked();
  }

  function noHits(mine) {
    return nothing(
      "No memory answers that",
      narrowing(mine).length ? "Nothing that the filters leave answers it." : "Other words may find it: a name, a place, what it was about.",
      h("div.row.center",
        mine.state === "live" ? h("button", { type: "button", on: { click: () => go(mine, { state: "archived" }) } }, "Look among archived ones too") : null,
        mine.state === "archived" ? h("button", { type: "button", on: { click: () => go(mine, { state: "all" }) } }, "Look among all states, by words") : null,
        narrowing(mine).length ? h("a.button", { href: href(read(new URLSearchParams({ q: mine.q }))) }, "Search everywhere") : null),
    );
  }

  function drawList(mine, page, count, signal) {
    chosen.shown(page.items);
    cursors.set(mine.page + 1, page.next);
    const states = mine.state === "all" ? "" : `${mine.state} `;
    const from = (mine.page - 1) * PAGE;
    told.textContent = `${number(count)} ${states}${count === 1 ? "memory" : "memories"}${count > PAGE && page.items.length ? `, ${number(from + 1)} to ${number(from + page.items.length)}` : ""}`;
    const narrowed = narrowing(mine);
    order.hidden ||= count < 2;
    fill(bulkForget, mine.state === "live" && narrowed.length && count
      ? h("button.small", { type: "button", "data-writes": "", on: { click: () => forgetMatching(place, mine, count, bulkForget, load) } }, `Forget all ${number(count)}…`)
      : null);
    isEmpty = !narrowed.length && !count;
    put(page.items.length ? laid(mine, rowsOf(page.items), signal) : none(mine, narrowed), mine.view === "timeline" && !page.items.length ? bars(mine, null, signal) : null, pages(mine, page, count));
    marked();
  }

  function none(mine, narrowed) {
    if (narrowed.length || mine.page > 1) {
      return nothing("Nothing matches", "No memory is left by these filters.", h("div.row.center", h("a.button", { href: "#/memories" }, "Show all memories")));
    }
    return nothing("Nothing is remembered yet", "What an agent learns, and what you write down, is listed here.",
      command(rem("remember", ["The staging database runs in Dublin"])), h("p", h("a", { href: "#/welcome" }, "Ways to begin")));
  }

  function pages(mine, page, count) {
    const isMore = Boolean(page.next) && mine.page * PAGE < count;
    if (mine.page === 1 && !isMore) return null;
    const to = (name, text, isThere, changes) =>
      isThere ? h("a.button", { href: href(mine, changes), rel: name }, text) : h("span.button.off", { "aria-disabled": "true" }, text);
    const newer = mine.page - 1;
    const [before, after] = PAGED[orderOf(mine)] ?? ["← Previous", "Next →"];
    return h(
      "nav.pages", { "aria-label": "Pages of the list" },
      to("prev", before, mine.page > 1, { page: newer, after: newer > 1 ? cursors.get(newer) ?? "" : "" }),
      h("span", `Page ${number(mine.page)} of ${number(Math.max(Math.ceil(count / PAGE), mine.page))}`),
      to("next", after, isMore, { page: mine.page + 1, after: page.next ?? "" }),
    );
  }

  // -- keys, and what others do

  function pressed(event) {
    if (!isKey(event) || !["j", "k", "x", "b", "Escape"].includes(event.key)) return;
    if (event.key === "Escape") {
      if (chosen.size) chosen.clear();
      return;
    }
    if (event.key === "b") {
      if (!chosen.size) return;
      event.preventDefault();
      bulk.querySelector("button")?.focus();
      return;
    }
    const rows = [...results.querySelectorAll("[data-row]")];
    const at = rows.indexOf(document.activeElement?.closest("[data-row]"));
    if (event.key === "x") {
      if (at < 0 || !place.can.write) return;
      const memory = chosen.here().find((one) => one.id === rows[at].dataset.row);
      if (memory) chosen.take(memory, !chosen.has(memory.id));
    } else {
      const next = rows[event.key === "j" ? Math.min(at + 1, rows.length - 1) : Math.max(at - 1, 0)];
      next?.querySelector("a.memory-link")?.focus();
      next?.scrollIntoView({ block: "nearest" });
    }
    event.preventDefault();
  }
  document.addEventListener("keydown", pressed, { signal: place.signal });

  // What was done here is shown at once.
  const anew = () => {
    filtersPanel.count(filters, true).catch(() => {});
    return load();
  };
  place.onDone(anew);
  place.onEntries(async (entries) => {
    await settled();
    const others = entries.filter((entry) => entry.memory_id && !wasDoneHere(entry.receipt_id)); // a change of policy has no memory
    if (place.signal.aborted || !others.length) return;
    // The first thing ever too; else rows would move under the hand.
    if (isEmpty) {
      load();
      return;
    }
    for (const entry of others) changes.add(entry.memory_id);
    const text = `${counted(changes.size, "change")}: show`;
    const button = news.querySelector("button");
    if (button) button.textContent = text;
    else fill(news, h("button.news", { type: "button", on: { click: () => { anew(); place.main.querySelector("h1")?.focus(); } } }, text));
  });

  function update(query, isBack = false) {
    const before = filters;
    filters = read(query);
    const isTyping = filters.q !== before.q;
    if (JSON.stringify({ ...before, page: 0, after: "", view: "" }) !== JSON.stringify({ ...filters, page: 0, after: "", view: "" })) {
      cursors.clear();
      limit = filters.hits;
    }
    frame();
    clearTimeout(timer);
    if (isTyping) {
      results.setAttribute("aria-busy", "true");
      timer = setTimeout(load, PAUSE);
    } else load().then(() => filters.page !== before.page && !isBack && !place.signal.aborted && toTop());
  }

  function toTop() {
    window.scrollTo(0, 0);
    if (!results.contains(document.activeElement)) place.main.querySelector("h1")?.focus({ preventScroll: true });
  }

  frame();
  load();
  return { update };
}
