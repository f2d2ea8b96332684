// The keys of a list of things to settle: j and k go down and up, other keys do what a row's button does.

import { h } from "../../dom.js";
import { isKey } from "../../parts/keys.js";

const SETTLING = ["a", "r"];
/** What is typed sooner than this after the page came up was meant for something else. */
const LOOKING_MILLISECONDS = 1000;

/** Let keys work on the rows of `list` until the signal; `does` names the button of a row by its key. */
export function keys(list, does, signal) {
  const rows = () => [...list.querySelectorAll(":scope > [data-row]")];
  const isSeen = seen(list, signal);
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
    if (event.repeat || (SETTLING.includes(event.key) && !isSeen())) return;
    button.click();
  };
  document.addEventListener("keydown", pressed, { signal });
}

/**
 * Whether somebody can have looked at the list: they have pressed into it or come by Tab, or it has been there, in a
 * window that has the focus, for long enough to be read. A page that comes up under somebody's typing settles nothing.
 */
function seen(list, signal) {
  let since = performance.now();
  let isEntered = false;
  let isTab = false;
  const anew = () => {
    since = performance.now();
    isEntered = false;
  };
  let isEmpty = !list.children.length;
  const watcher = new MutationObserver(() => {
    if (isEmpty && list.children.length) anew();
    isEmpty = !list.children.length;
  });
  watcher.observe(list, { childList: true });
  signal.addEventListener("abort", () => watcher.disconnect());
  window.addEventListener("focus", (event) => event.target === window && anew(), { signal });
  document.addEventListener("keydown", (event) => (isTab = event.key === "Tab"), { capture: true, signal });
  list.addEventListener("pointerdown", () => (isEntered = true), { signal });
  list.addEventListener("focusin", () => (isEntered ||= isTab), { signal });
  return () => isEntered || performance.now() - since >= LOOKING_MILLISECONDS;
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
