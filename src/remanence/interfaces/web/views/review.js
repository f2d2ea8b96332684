// What waits for a person: quarantined memories to accept or reject, and pairs that contradict each other to settle.

import { ask } from "../api.js";
import { fill, h } from "../dom.js";
import { number } from "../words.js";
import { challenged } from "./review/challenged.js";
import { quarantined } from "./review/quarantined.js";

const TABS = [
  ["quarantined", "Quarantined", quarantined],
  ["challenged", "Challenged", challenged],
];
/** Pairs have no count of their own: so many are looked at. */
const MOST_PAIRS = 200;

export async function show(place) {
  const { main, signal } = place;
  const body = h("div");
  const tabs = h("nav.tabs", { "aria-label": "What waits" });
  let now = null;
  let asked = null;
  let controller = null;

  const counts = async () => {
    const [waiting, pairs] = await Promise.all([
      ask("review.count", {}, { signal }),
      ask("review.challenged", { limit: MOST_PAIRS }, { signal, shorten: 1 }),
    ]);
    return { quarantined: waiting.count, challenged: pairs.items.length };
  };
  const drawTabs = (found) => {
    // The tab that has the focus keeps it: only its count is written anew.
    if (!tabs.children.length) fill(tabs, TABS.map(([name, title]) => h("a", { href: `#/review${name === "quarantined" ? "" : `?tab=${name}`}`, "data-tab": name }, title, " ", h("span.count"))));
    for (const link of tabs.children) {
      const value = found[link.dataset.tab];
      link.querySelector(".count").textContent = `${number(value)}${link.dataset.tab === "challenged" && value >= MOST_PAIRS ? "+" : ""}`;
      if (link.dataset.tab === now) link.setAttribute("aria-current", "page");
      else link.removeAttribute("aria-current");
    }
  };
  let latest = await counts();
  let recounts = 0;
  const recount = async () => {
    const mine = (recounts += 1);
    const found = await counts();
    if (mine !== recounts) return;
    latest = found;
    drawTabs(latest);
  };
  const turn = async (query) => {
    const name = query.get("tab") === "challenged" ? "challenged" : "quarantined";
    const wanted = `${name} ${query.get("scope") ?? ""}`;
    if (wanted === asked) return;
    [now, asked] = [name, wanted];
    controller?.abort();
    controller = new AbortController();
    const inner = { ...place, query, signal: AbortSignal.any([signal, controller.signal]), recount };
    drawTabs(latest);
    await TABS.find(([one]) => one === name)[2](inner, body);
  };
  fill(main, place.heading(), tabs, body);
  await turn(place.query);
  return { update: turn };
}
