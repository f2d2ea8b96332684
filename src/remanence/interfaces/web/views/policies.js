// Policies: the one in force in words, its numbers as sliders with the forecast beside them, two of them compared, and one replayed on the past.

import { fill, h } from "../dom.js";
import { nothing } from "../parts/states.js";
import * as change from "./policies/change.js";
import * as compare from "./policies/compare.js";
import * as past from "./policies/past.js";
import * as reading from "./policies/reading.js";

const PARTS = new Map([["", reading], ["change", change], ["compare", compare], ["past", past]]);
const TABS = [["", "In words"], ["change", "Change its numbers"], ["compare", "Compare two"], ["past", "Against your past"]];

export async function show(place) {
  const [part = ""] = place.path;
  const content = h("div.policies");
  fill(
    place.main,
    place.heading(),
    place.can.whole
      ? h("nav.tabs", { "aria-label": "Policies" }, TABS.map(([name, title]) => h("a", { href: `#/policies${name ? `/${name}` : ""}`, "aria-current": name === part ? "page" : null }, title)))
      : h("p.quiet", "Your token is kept to ", h("span", { dir: "ltr" }, place.me.scope), ": it reads policies, and chooses none, since one holds for all memories."),
    content,
  );
  if (!PARTS.has(part)) {
    fill(content, nothing("There is no such page here", h("p", h("a", { href: "#/policies" }, "The policy in words"))));
    return;
  }
  if (part && !place.can.whole) {
    fill(content, nothing("Your token is kept to a part of the store", "A forecast is made of all memories, so it is not for this token. The policy in words can be read."));
    return;
  }
  return await PARTS.get(part).show(place, content);
}
