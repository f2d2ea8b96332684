// A command as it would be typed, with a button that copies it.

import { h } from "../dom.js";
import { beginning, unturned } from "../words.js";

const SHOWN = 600;
const MOST = 100_000; // a shell hands a program no word much longer than this

/** `rem forget …`, to be copied whole, however much of it is shown. */
export function command(text, { label = "On the command line" } = {}) {
  if (text.length > MOST) return h("p.quiet", "This is too long for a command line: there, write - for the text and hand it in from a file.");
  const element = copyable(text, { label });
  element.setAttribute("data-command", text);
  return element;
}

/** Any text that is meant to be copied: an address, a few lines of a program. */
export function copyable(text, { label = "To be copied" } = {}) {
  const code = h("code", { dir: "ltr" }, unturned(beginning(text, SHOWN)));
  const copy = async (event) => {
    const button = event.currentTarget;
    try {
      await navigator.clipboard.writeText(text);
      button.textContent = "Copied";
    } catch {
      // No right to the clipboard: the text is marked, and the keys do the rest.
      code.textContent = text;
      getSelection().selectAllChildren(code);
      button.textContent = "Press Ctrl C";
    }
    setTimeout(() => (button.textContent = "Copy"), 1600);
  };
  return h(
    "div.command",
    { role: "group", "aria-label": label },
    code,
    h("button.quiet.small", { type: "button", on: { click: copy } }, "Copy"),
  );
}
