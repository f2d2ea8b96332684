// What is shown: which view the address names, and how one gives way to the next.

import { Problem } from "./api.js";
import { onDone } from "./acting.js";
import { fill, h } from "./dom.js";
import { onEntries } from "./live.js";
import { waiting, wrong } from "./parts/states.js";
import { arrive, readdress, restore } from "./places.js";
import * as entities from "./views/entities.js";
import * as erase from "./views/erase.js";
import * as memories from "./views/memories.js";
import * as memory from "./views/memory.js";
import * as overview from "./views/overview.js";
import * as plans from "./views/plans.js";
import * as policies from "./views/policies.js";
import * as review from "./views/review.js";
import * as sessions from "./views/sessions.js";
import * as welcome from "./views/welcome.js";

// All of them from the start: a view that is fetched when it is wanted is not there when the server is away.
const MODULES = new Map(Object.entries({ entities, erase, memories, memory, overview, plans, policies, review, sessions, welcome }));
export const VIEWS = [
  { name: "overview", title: "Overview", key: "o", icon: "M4 19V11M10 19V5M16 19v-6M22 19V8" },
  { name: "memories", title: "Memories", key: "m", icon: "M4 6h18M4 12h18M4 18h12" },
  { name: "plans", title: "Sweeps and dreams", key: "s", icon: "M13 3a9 9 0 1 0 9 9 7 7 0 0 1-9-9z" },
  { name: "policies", title: "Policies", key: "p", icon: "M4 7h10M18 7h4M16 5v4M4 17h4M12 17h10M10 15v4" },
  { name: "review", title: "Review", key: "r", icon: "M4 13l5 5L21 6" },
  { name: "sessions", title: "Sessions", key: "e", icon: "M4 5h18v11H12l-5 4v-4H4z" },
  { name: "entities", title: "Entities", key: "t", icon: "M8 12a4 4 0 1 0 0-8 4 4 0 0 0 0 8zM2 20c0-4 3-6 6-6s6 2 6 6M17 12a3 3 0 1 0 0-6M18 20c0-3-1-4-2-5" },
  { name: "erase", title: "Erase", key: "x", icon: "M5 7h16M10 7V4h6v3M7 7l1 13h10l1-13" },
];
const TITLES = new Map([...VIEWS.map(({ name, title }) => [name, title]), ["memory", "Memory"], ["welcome", "Welcome"]]);

/** The view that is shown, with its name, path and query; null between two. */
export let shown = null;
/** Whether somebody has typed or set something in it, which a new one would not have. */
export let isTouched = false;
let hasArrived = false;

document.getElementById("main").addEventListener("input", () => (isTouched = true));

function parsed() {
  const text = location.hash.replace(/^#\/?/, "");
  const [path, query = ""] = text.split(/\?(.*)/s);
  const [name, ...rest] = path.split("/");
  const parts = rest.map((part) => {
    try {
      return decodeURIComponent(part);
    } catch {
      return part;
    }
  });
  return { name: name || "overview", path: parts, query: new URLSearchParams(query) };
}

/** How a control is found again after its view was drawn anew. */
function handle(element) {
  if (element.id) return `#${CSS.escape(element.id)}`;
  if (element.name) return `[name="${CSS.escape(element.name)}"]`;
  return element.dataset.does ? `[data-does="${CSS.escape(element.dataset.does)}"]` : null;
}

/** Show what the address names to who is here; `held` is the control that has the focus, where a view is only drawn anew. */
export async function show(me, held = null) {
  const { name, path, query } = parsed();
  const title = TITLES.get(name);
  const left = arrive();
  if (shown && shown.name === name && shown.path.join("/") === path.join("/") && shown.view?.update) {
    shown.query = query;
    const updated = shown;
    restore(left, document.getElementById("main"));
    Promise.resolve(shown.view.update(query, Boolean(left))).catch((problem) => {
      if (problem.name === "AbortError" || problem.status === 401 || shown !== updated) return;
      if (!(problem instanceof Problem)) throw problem;
      fill(document.getElementById("main"), h("h1", { tabindex: "-1" }, title), wrong(problem, () => {
        leave();
        show(me);
      }));
    });
    return;
  }
  const isNew = !shown || shown.name !== name || shown.path.join("/") !== path.join("/");
  shown?.controller.abort();
  const controller = new AbortController();
  const main = document.getElementById("main");
  const mine = { name, path, query, controller, view: null };
  shown = mine;
  isTouched = false;
  document.title = title ? `${title} · remanence` : "remanence";
  for (const item of document.querySelectorAll("#nav a")) {
    const current = item.dataset.view === name || (name === "memory" && item.dataset.view === "memories");
    if (current) item.setAttribute("aria-current", "page");
    else item.removeAttribute("aria-current");
    if (current && isNew) item.scrollIntoView({ block: "nearest", inline: "center" });
  }
  const search = document.getElementById("search");
  if (search !== document.activeElement) search.value = name === "memories" ? query.get("q") ?? "" : "";
  if (!title) {
    fill(main, h("h1", { tabindex: "-1" }, "Nothing here"), wrong(new Problem(404, "no_such_page", `There is no page ${name}.`)));
    return;
  }
  if (isNew && !held && !left) window.scrollTo(0, 0);
  fill(main, h("h1", { tabindex: "-1" }, title), waiting(6));
  const place = {
    main, path, query, me, signal: controller.signal,
    can: { write: !me.read_only, whole: !me.scope || me.scope === "/", accept: me.human && !me.read_only },
    heading: (...words) => h("h1", { tabindex: "-1" }, words.length ? words : title),
    onEntries: (handler) => onEntries(handler, controller.signal),
    onDone: (handler) => onDone(handler, controller.signal),
    /** Put values into the address without a new page: a filter, a tab. */
    note: (changes) => {
      if (shown !== mine) return;
      const kept = new URLSearchParams(mine.query);
      for (const [key, value] of Object.entries(changes)) {
        if (value === null || value === undefined || value === "") kept.delete(key);
        else kept.set(key, value);
      }
      mine.query = kept;
      readdress(`#/${[name, ...path.map(encodeURIComponent)].join("/")}${kept.size ? `?${kept}` : ""}`);
    },
    again: () => {
      if (shown !== mine) return;
      const held = main.contains(document.activeElement) ? handle(document.activeElement) : null;
      leave();
      show(me, held);
    },
  };
  try {
    mine.view = (await MODULES.get(name).show(place)) ?? null;
  } catch (problem) {
    if (shown !== mine || problem.name === "AbortError") return;
    if (!(problem instanceof Problem)) console.error(problem);
    if (problem.status === 401) return;
    fill(main, h("h1", { tabindex: "-1" }, title), wrong(problem, place.again));
  }
  if (shown === mine) {
    main.dataset.shown = name;
    main.querySelector(".tabs [aria-current]")?.scrollIntoView({ block: "nearest", inline: "nearest" });
    // On arrival the focus stays where the browser has it, so that the first stop is the way past the frame.
    const isElsewhere = document.activeElement === search || document.activeElement?.closest("dialog");
    if (isNew && hasArrived && !isElsewhere) ((held && main.querySelector(held)) ?? main.querySelector("h1"))?.focus({ preventScroll: true });
    hasArrived = true;
    restore(left, main);
  }
}

/** End the view that is shown: what it asked for, and what it listens to. */
export function leave() {
  shown?.controller.abort();
  shown = null;
}
