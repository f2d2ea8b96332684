// What stands where something else would: waiting, nothing there, something wrong, progress.

import { h } from "../dom.js";
import { number } from "../words.js";

/** Grey lines in the place of what is on its way. */
export function waiting(lines = 3, label = "Loading") {
  return h("div.waiting", { role: "status", "aria-label": label }, Array.from({ length: lines }, () => h("div.line")));
}

/** Nothing there, why, and what to do next. */
export function nothing(title, ...about) {
  return h("div.nothing", h("p.nothing-title", title), about.flat().map((one) => (one instanceof Node ? one : h("p", one))));
}

/** Something went wrong in this part of the page; `again` tries once more. */
export function wrong(problem, again) {
  const denied = problem.status === 403;
  return h(
    "div.wrong",
    { role: "alert" },
    h("p.nothing-title", denied ? "Your token does not reach this far" : problem.status === 404 ? "There is no such thing here" : "This could not be shown"),
    h("p", { dir: "auto" }, problem.message),
    problem.told?.problems?.length > 1 ? h("ul", problem.told.problems.map((one) => h("li", { dir: "auto" }, one))) : null,
    again && !denied ? h("button", { type: "button", on: { click: again } }, "Try again") : null,
  );
}

/** A bar that fills; until something is known of how far it is, it only moves. */
export function progress(label) {
  const bar = h("progress", { "aria-label": label });
  const text = h("span.progress-text", label);
  const element = h("div.progress", { role: "status" }, text, bar);
  element.told = (done, total) => {
    bar.max = Math.max(total, 1);
    bar.value = done;
    text.textContent = `${label}: ${number(done)} of ${number(total)}`;
  };
  return element;
}
