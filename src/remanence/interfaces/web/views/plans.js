// Sweeps and dreams: what is about to change, as a plan to choose from; what was changed, as receipts that can be undone.

import { fill, h } from "../dom.js";
import { nothing } from "../parts/states.js";

const TABS = [["", "Make a plan"], ["receipts", "Past receipts"], ["dreams", "Dreams and upkeep"]];

export async function show(place) {
  const [part = ""] = place.path;
  const content = h("div.plans");
  const tab = part === "receipt" ? "receipts" : part;
  fill(
    place.main,
    place.heading(),
    h("nav.tabs", { "aria-label": "Sweeps and dreams" }, TABS.map(([name, title]) => h("a", { href: `#/plans${name ? `/${name}` : ""}`, "aria-current": name === tab ? "page" : null }, title))),
    content,
  );
  if (part === "") {
    const { show: make } = await import("./plans/making.js");
    make(place, content);
    return;
  }
  if (!place.can.whole) {
    fill(content, nothing("Your token is kept to a part of the store", `What was done elsewhere is not for it to see. It can plan and apply within ${place.me.scope}.`));
    return;
  }
  if (!["receipts", "receipt", "dreams"].includes(part)) {
    fill(content, nothing("There is no such page here", h("p", h("a", { href: "#/plans" }, "Make a plan"))));
    return;
  }
  const module = await import(`./plans/${part}.js`);
  return await module.show(place, content);
}
