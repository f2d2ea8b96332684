// What was done, in a corner: it stays while it is looked at, and can be taken back from there.

import { h } from "../dom.js";
import { command as shown } from "./command.js";

const SECONDS = 8;
const MOST = 2;

/** Tell of something that was done, or went wrong; `receipts` are what its undo takes back. */
export function toast({ text, command, undo, receipts = [], bad = false, notes = [] }) {
  const place = document.getElementById("toasts");
  const close = () => {
    const hadFocus = element.contains(document.activeElement);
    element.remove();
    if (hadFocus) document.getElementById("main").focus();
  };
  const taken = async (event) => {
    event.currentTarget.disabled = true;
    close();
    await undo();
  };
  const element = h(
    "div.toast",
    { class: bad ? "bad" : "", role: bad ? "alert" : "status", "data-receipts": receipts.join(" ") || null },
    h("div.toast-text", h("p", text), notes, command ? shown(command) : null),
    h(
      "div.toast-buttons",
      undo ? h("button", { type: "button", "data-undo": "", on: { click: taken } }, "Undo") : null,
      h("button.quiet", { type: "button", "aria-label": "Dismiss", on: { click: close } }, "✕"),
    ),
  );
  place.append(element);
  while (place.children.length > MOST) place.firstElementChild.remove();
  let left = SECONDS * (bad ? 2 : 1);
  const timer = setInterval(() => {
    if (!element.isConnected) clearInterval(timer);
    else if (!element.matches(":hover, :focus-within") && (left -= 1) <= 0) close();
  }, 1000);
}

/** What these receipts did is taken back: nothing offers to do that once more. */
export function withdraw(receipts) {
  for (const one of document.querySelectorAll("#toasts [data-receipts]")) {
    if (one.dataset.receipts.split(" ").every((receipt) => receipts.includes(receipt))) one.remove();
  }
}
