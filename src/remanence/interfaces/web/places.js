// Where one was: Back and Forward show a view as far down as it was left, with the focus in the row it was left by.

const PATIENCE = 4000; // milliseconds that a list may take to come
const MOST = 200;
const kept = new Map(); // entry of the history → {y, row}
let entry = null;
let last = 0;
let stop = () => {};

history.scrollRestoration = "manual";

/** Be at the entry that the history shows now. Answers how it was left, where one was there before; else null. */
export function arrive() {
  const known = history.state?.entry ?? null;
  if (known !== null && known === entry) return null;
  stop();
  if (entry !== null) {
    kept.delete(entry);
    kept.set(entry, { y: window.scrollY, row: document.activeElement?.closest("[data-row]")?.dataset.row ?? null });
    if (kept.size > MOST) kept.delete(kept.keys().next().value);
  }
  entry = known ?? `${Date.now()}.${(last += 1)}`;
  if (known === null) history.replaceState({ ...history.state, entry }, "");
  return kept.get(entry) ?? null;
}

/** Put another address in the place of this one: it stays the same entry. */
export const readdress = (address) => history.replaceState(history.state, "", address);

/** Go back to how a view was left, as soon as there is enough of it; whoever scrolls or types meanwhile is left alone. */
export function restore(left, main) {
  if (!left) return;
  const controller = new AbortController();
  const observer = new ResizeObserver(() => reach());
  const timer = setTimeout(() => stop(), PATIENCE);
  stop = () => {
    observer.disconnect();
    clearTimeout(timer);
    controller.abort();
  };
  const reach = () => {
    const row = left.row && main.querySelector(`[data-row="${CSS.escape(left.row)}"] a`);
    if (row && (document.activeElement === document.body || document.activeElement?.matches("h1"))) row.focus({ preventScroll: true });
    window.scrollTo(0, left.y);
    if (Math.abs(window.scrollY - left.y) < 2 && (row || !left.row)) stop();
  };
  for (const event of ["wheel", "pointerdown", "keydown"]) window.addEventListener(event, () => stop(), { signal: controller.signal, passive: true });
  observer.observe(main);
  reach();
}
