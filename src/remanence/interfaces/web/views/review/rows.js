// The keys of a list of things to settle: j and k go down and up, other keys do what a row's button does.

import { h } from "../../dom.js";
import { isKey } from "../../parts/keys.js";

/** Let keys work on the rows of `list` until the signal; `does` names the button of a row by its key. */
export function keys(list, does, signal) {
  const rows = () => [...list.querySelectorAll(":scope > [data-row]")];
  const pressed = (event) => {
    if (!isKey(event)) return;
    const all = rows();
    const at = all.findIndex((row) => row.contains(document.activeElement));
    if (event.key === "j" || event.key === "k") {
      const next = all[event.key === "j" ? Math.min(at + 1, all.length - 1) : Math.max(at - 1, 0)];
      if (!next) return;
      event.preventDefault();
      next.focus();
      next.scrollIntoView({ block: "nearest" });
      return;
    }
    const button = at >= 0 && does[event.key] ? all[at].querySelector(does[event.key]) : null;
    if (!button || button.disabled || !button.checkVisibility()) return;
    event.preventDefault();
    button.click();
  };
  document.addEventListener("keydown", pressed, { signal });
}

/** The row that comes after one that is about to go, or the one before it. */
export function neighbour(row) {
  return row.nextElementSibling ?? row.previousElementSibling;
}

/** Which keys work here: those that change something are told to who may change something. */
export function hint(place, does) {
  const told = place.can.write ? does : [];
  return h("p.quiet.keys-hint", h("kbd", "j"), " ", h("kbd", "k"), " down and up", told.map(([key, what]) => [", ", h("kbd", key), ` ${what}`]));
}
