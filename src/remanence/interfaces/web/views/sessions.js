// What agents did: captured sessions, the jobs that make memories of them, and what the next session is told.

import { fill, h } from "../dom.js";
import { wrong } from "../parts/states.js";
import { artifacts } from "./sessions/artifacts.js";
import { jobs } from "./sessions/jobs.js";
import { list } from "./sessions/list.js";
import { one } from "./sessions/one.js";

const TABS = [["sessions", "Sessions", list], ["jobs", "Jobs", jobs], ["artifacts", "What the next one is told", artifacts]];

export async function show(place) {
  if (place.path[0]) return await one(place, place.path[0]);
  const { main, signal } = place;
  const body = h("div");
  const tabs = h("nav.tabs", { "aria-label": "Sessions" }, TABS.map(([name, title]) => h("a", { href: name === "sessions" ? "#/sessions" : `#/sessions?tab=${name}`, "data-tab": name }, title)));
  let now = null;
  let controller = null;
  let inside = null;
  const turn = async (query) => {
    const name = TABS.some(([one]) => one === query.get("tab")) ? query.get("tab") : "sessions";
    if (name === now && inside?.update) return inside.update(query);
    now = name;
    controller?.abort();
    controller = new AbortController();
    for (const link of tabs.children) {
      if (link.dataset.tab === name) link.setAttribute("aria-current", "page");
      else link.removeAttribute("aria-current");
    }
    const mine = controller;
    const inner = { ...place, query, signal: AbortSignal.any([signal, controller.signal]) };
    try {
      inside = null;
      inside = (await TABS.find(([one]) => one === name)[2](inner, body)) ?? null;
    } catch (problem) {
      if (problem.name === "AbortError" || mine.signal.aborted) return;
      if (problem.status === undefined) throw problem;
      fill(body, wrong(problem, () => {
        now = null;
        turn(query);
      }));
    }
  };
  fill(main, place.heading(), tabs, body);
  await turn(place.query);
  return { update: turn };
}
