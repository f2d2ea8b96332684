// A question in front of the page: a native dialog, so that focus, Escape and the rest of the page behave.

import { onAnswers } from "../api.js";
import { h, newId } from "../dom.js";
import { command as shown } from "./command.js";

const open = new Set();
// What was asked of one person, or in one namespace, is not answered in another.
onAnswers((what) => {
  if (what === "left" || what === "moved") for (const close of [...open]) close();
});

/**
 * Open a dialog with some content; close(value) settles the promise; Escape, a way to another view, or another person
 * with undefined. Where somebody has written something, Escape asks to be pressed twice.
 */
export function dialog(title, build, { wide = false } = {}) {
  return new Promise((resolve) => {
    const before = document.activeElement;
    const heading = newId("dialog");
    const element = h("dialog", { class: wide ? "wide" : "", "aria-labelledby": heading });
    let value;
    let isWritten = false;
    const close = (given) => {
      value = given;
      element.close();
    };
    const left = () => close(undefined);
    const warning = h("p.notice", { role: "status", hidden: true }, "Press Escape once more to drop what you have written.");
    element.append(h("h2", { id: heading }, title), h("div.dialog-body", build(close)), warning);
    element.addEventListener("input", (event) => (isWritten ||= event.target.matches("textarea")));
    // By its button, so that what is under way or not to be had yet stays so.
    element.addEventListener("keydown", (event) => {
      if (event.key !== "Enter" || !(event.ctrlKey || event.metaKey) || !event.target.matches("textarea")) return;
      event.target.form?.querySelector("[type=submit]")?.click();
    });
    element.addEventListener("cancel", (event) => {
      if (!isWritten || !warning.hidden) return;
      event.preventDefault();
      warning.hidden = false;
    });
    window.addEventListener("hashchange", left);
    open.add(left);
    element.addEventListener("close", () => {
      window.removeEventListener("hashchange", left);
      open.delete(left);
      element.remove();
      if (before?.isConnected) before.focus();
      resolve(value);
    });
    document.body.append(element);
    element.showModal();
  });
}

/**
 * Ask before something is done. `typed`: what a person must write for it to be possible, where it destroys.
 * Resolves to true, or to the value of `field` where there is one; to undefined where they would rather not.
 */
export function confirm({ title, text, command, yes = "Do it", danger = false, typed = null, field = null, preview = null }) {
  return dialog(title, (close) => {
    const input = field ? h("input", { type: "text", maxlength: 1000, required: true, ...field.attributes }) : null;
    const proof = typed === null ? null : h("input", { type: "text", autocomplete: "off", spellcheck: "false" });
    const button = h("button", { type: "submit", class: danger ? "danger" : "primary", disabled: proof !== null || input !== null }, yes);
    const look = () => {
      button.disabled = (proof !== null && proof.value !== typed) || (input !== null && !input.value.trim());
    };
    proof?.addEventListener("input", look);
    input?.addEventListener("input", look);
    const submit = (event) => {
      event.preventDefault();
      if (!button.disabled) close(input ? input.value.trim() : true);
    };
    return h(
      "form",
      { on: { submit } },
      [text].flat().map((one) => (one instanceof Node ? one : h("p", one))),
      preview,
      input ? h("label.field", h("span", field.label), input) : null,
      proof ? h("label.field", h("span", "Write ", h("strong", { dir: "auto" }, typed), " to go on"), proof) : null,
      command ? shown(command) : null,
      h(
        "div.dialog-buttons",
        h("button", { type: "button", on: { click: () => close(undefined) } }, "Cancel"),
        button,
      ),
    );
  });
}
