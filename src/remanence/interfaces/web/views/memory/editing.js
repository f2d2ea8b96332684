// Editing: a new version with what was changed; the old one stays behind it.

import { act } from "../../acting.js";
import { ask } from "../../api.js";
import { rem } from "../../commands.js";
import { fill, h } from "../../dom.js";
import { beginning, decimal } from "../../words.js";
import { command } from "../../parts/command.js";
import { dialog } from "../../parts/dialog.js";

const BECAME = {
  superseded: "A new version is in force; the old one is kept behind it.", added: "A new version is in force.", duplicate: "That is known already: this is the memory that says it.",
  quarantined: "The new version is kept for review: it looks suspicious.", blocked: "Not written: what it says was purged before.",
};
const tags = (text) => [...new Set(text.split(",").map((one) => one.trim()).filter(Boolean))];

/** Ask for what is to change, and write the new version. */
export async function edit(place, held, { guarded, button, after }) {
  const { memory } = held();
  const whole = memory.cut ? await ask("get", { id: memory.id }, { signal: place.signal }) : memory;
  const given = await asked(whole);
  if (!given) return;
  const shown = { ...given, text: given.text === undefined ? undefined : beginning(given.text, 200), category: given.categories, categories: undefined };
  const answer = await act({
    work: guarded(() => ask("revise", { id: memory.id, ...given }, { match: held().etag, shorten: 100 })),
    said: (told) => BECAME[told.outcome] ?? told.outcome, command: rem("revise", [memory.id], shown), button,
  });
  if (!answer) return;
  if (answer.memory && answer.memory.id !== memory.id) location.hash = `#/memory/${answer.memory.id}`;
  else after("edit");
}

function asked(memory) {
  return dialog("Edit: a new version", (close) => {
    const text = h("textarea", { rows: 6, required: true, maxlength: 1000000, dir: "auto", value: memory.text });
    const scope = h("input", { type: "text", value: memory.scope, pattern: "/.*", maxlength: 1024, dir: "ltr" });
    const kind = h("input", { type: "text", value: memory.kind, maxlength: 200, dir: "auto" });
    const importance = h("input", { type: "range", min: 0, max: 1, step: 0.01 });
    importance.value = memory.importance;
    const level = h("span.quiet", { "aria-hidden": "true" }, decimal(memory.importance)); // the slider says it itself
    const categories = h("input", { type: "text", value: memory.categories.join(", "), dir: "auto" });
    const shown = h("div");
    const button = h("button.primary", { type: "submit" }, "Save as a new version");
    const values = () => {
      const found = {};
      if (text.value !== memory.text) found.text = text.value;
      if (scope.value.trim() && scope.value.trim() !== memory.scope) found.scope = scope.value.trim();
      if (kind.value.trim() && kind.value.trim() !== memory.kind) found.kind = kind.value.trim();
      if (Math.abs(importance.value - memory.importance) > 0.005) found.importance = Number(importance.value);
      if (tags(categories.value).join("\n") !== memory.categories.join("\n")) found.categories = tags(categories.value);
      return found;
    };
    const look = () => {
      const found = values();
      level.textContent = decimal(Number(importance.value));
      button.disabled = !Object.keys(found).length || !text.value.trim();
      fill(shown, Object.keys(found).length
        ? command(rem("revise", [memory.id], { ...found, text: found.text === undefined ? undefined : beginning(found.text, 200), categories: undefined, category: found.categories }))
        : h("p.quiet", "Nothing is changed yet."));
    };
    look();
    const submit = (event) => {
      event.preventDefault();
      if (!button.disabled) close(values());
    };
    return h(
      "form", { on: { submit, input: look } },
      h("label.field", h("span", "Text"), text),
      h("div.fields", h("label.field", h("span", "Scope"), scope), h("label.field", h("span", "Kind"), kind)),
      h("div.row.apart", h("label.field", h("span", "Importance"), importance), level),
      h("label.field", h("span", "Categories, with commas between"), categories),
      shown,
      h("div.dialog-buttons", h("button", { type: "button", on: { click: () => close() } }, "Cancel"), button),
    );
  }, { wide: true });
}
