// What agents did: captured sessions, the jobs that make memories of them, and what the next session is told.

import { fill, h } from "../dom.js";
import { nothing, wrong } from "../parts/states.js";
import { artifacts } from "./sessions/artifacts.js";
import { jobs } from "./sessions/jobs.js";
import { list } from "./sessions/list.js";
import { one } from "./sessions/one.js";

const TABS = [["sessions", "Sessions", list], ["jobs", "Jobs", jobs], ["artifacts", "What the next one is told", artifacts]];
/** What tells of the whole store. */
const WHOLE = new Set(["jobs"]);

export async function show(place) {
  if (place.path[0]) return await one(place, place.path[0]);
  const { main, signal } = place;
  const body = h("div");
  const offered = TABS.filter(([name]) => place.can.whole || !WHOLE.has(name));
  const tabs = h("nav.tabs", { "aria-label": "Sessions" }, offered.map(([name, title]) => h("a", { href: name === "sessions" ? "#/sessions" : `#/sessions?tab=${name}`, "data-tab": name }, title)));
  let now = null;
  let controller = null;
  let inside = null;
  let turns = 0;
  const begin = async (name, query) => {
    now = name;
    inside = null;
    controller?.abort();
    controller = new AbortController();
    const mine = controller;
    for (const link of tabs.children) {
      if (link.dataset.tab === name) link.setAttribute("aria-current", "page");
      else link.removeAttribute("aria-current");
    }
    if (!place.can.whole && WHOLE.has(name)) {
      fill(body, nothing("Your token is kept to a part of the store", `Jobs are those of every project, so they are not for it to see. It sees the sessions of ${place.me.scope}.`));
      return;
    }
    const inner = { ...place, query, signal: AbortSignal.any([signal, mine.signal]) };
    const made = await TABS.find(([one]) => one === name)[2](inner, body);
    if (mine === controller) inside = made ?? null;
  };
  const turn = async (query) => {
    const name = TABS.some(([one]) => one === query.get("tab")) ? query.get("tab") : "sessions";
    const isSame = name === now && inside?.update;
    const mine = (turns += 1);
    try {
      if (isSame) await inside.update(query);
      else await begin(name, query);
    } catch (problem) {
      if (problem.name === "AbortError" || signal.aborted || mine !== turns) return;
      if (problem.status === undefined) throw problem;
      now = null; // whatever is asked next is drawn from its beginning
      fill(body, wrong(problem, () => turn(query)));
    }
  };
  fill(main, place.heading(), tabs,
    place.can.whole ? null : h("p.quiet", "Your token is kept to ", h("span", { dir: "ltr" }, place.me.scope), ": it sees the sessions there, and not the jobs that wait."),
    body);
  await turn(place.query);
  return { update: turn };
}
