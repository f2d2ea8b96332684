// Sweeps and dreams: what is about to change, as a plan to choose from; what was changed, as receipts that can be undone.

import { fill, h } from "../dom.js";
import { nothing } from "../parts/states.js";
import * as dreams from "./plans/dreams.js";
import * as making from "./plans/making.js";
import * as receipt from "./plans/receipt.js";
import * as receipts from "./plans/receipts.js";

const PARTS = new Map(Object.entries({ dreams, receipt, receipts }));
const TABS = [["", "Make a plan"], ["receipts", "Past receipts"], ["dreams", "Dreams and upkeep"]];

/** What tells of the whole store. */
const WHOLE = new Set(["receipts", "dreams"]);

export async function show(place) {
  const [part = ""] = place.path;
  const content = h("div.plans");
  const tab = part === "receipt" ? "receipts" : part;
  fill(
    place.main,
    place.heading(),
    place.can.whole
      ? h("nav.tabs", { "aria-label": "Sweeps and dreams" }, TABS.map(([name, title]) => h("a", { href: `#/plans${name ? `/${name}` : ""}`, "aria-current": name === tab ? "page" : null }, title)))
      : h("p.quiet", "Your token is kept to ", h("span", { dir: "ltr" }, place.me.scope), `: it ${place.can.write ? "plans and applies" : "plans"} within it, and does not see what was done elsewhere.`),
    content,
  );
  if (part === "") {
    making.show(place, content);
    return;
  }
  if (!place.can.whole && WHOLE.has(part)) {
    fill(content, nothing("Your token is kept to a part of the store", "Receipts and dreams are those of the whole store, so they are not for it to see.", h("p", h("a", { href: "#/plans" }, "Make a plan"))));
    return;
  }
  if (!PARTS.has(part)) {
    fill(content, nothing("There is no such page here", h("p", h("a", { href: "#/plans" }, "Make a plan"))));
    return;
  }
  return await PARTS.get(part).show(place, content);
}
