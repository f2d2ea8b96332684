// Whether letters are keys: not where somebody has switched them off, is asked something, or writes.

const OFF = "remanence.keys-off";

export const keysOff = () => localStorage.getItem(OFF) === "yes";

export function switchKeys(isOn) {
  localStorage.setItem(OFF, isOn ? "no" : "yes");
}

/** Whether a press is a key of the page: no letter of a text, no shortcut of the browser, no answer to a question. */
export function isKey(event) {
  if (event.defaultPrevented || event.ctrlKey || event.metaKey || event.altKey || keysOff()) return false;
  if (document.querySelector("dialog[open]")) return false;
  return !event.target.matches?.("textarea, select, input:not([type=checkbox]), [contenteditable]");
}
