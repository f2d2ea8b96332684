// Editing: a new version with what was changed; the old one stays behind it. What was written stays until it is stored.

import { act } from "../../acting.js";
import { ask, Problem } from "../../api.js";
import { rem } from "../../commands.js";
import { fill, h } from "../../dom.js";
import { decimal } from "../../words.js";
import { command } from "../../parts/command.js";
import { dialog } from "../../parts/dialog.js";
import { waiting, wrong } from "../../parts/states.js";
import { changed, changes } from "./fields.js";

const BECAME = {
  superseded: "A new version is in force; the old one is kept behind it.", added: "A new version is in force.", duplicate: "That is known already: this is the memory that says it.",
  quarantined: "The new version is kept for review: it looks suspicious.",
};
const BLOCKED = "Not written: what it says was purged before. What you wrote is still here, to be changed or copied.";
const MOST_VERSIONS = 100; // that others may have written meanwhile
const tags = (text) => [...new Set(text.split(",").map((one) => one.trim()).filter(Boolean))];
/** The command; null where there is none: it cannot take all categories away. */
function revising(id, { categories, ...found }) {
  if (categories && !categories.length && !Object.keys(found).length) return null;
  return rem("revise", [id], { ...found, category: categories });
}

/** A memory as it is now: the newest of its versions, with its ETag. */
async function newest(id) {
  let now = await ask("get", { id }, { whole: true });
  for (let left = MOST_VERSIONS; now.answer.superseded_by && left; left -= 1) now = await ask("get", { id: now.answer.superseded_by }, { whole: true });
  return now;
}

/** Ask for what is to change, and write the new version. `moved()` is called where somebody else has changed it. */
export async function edit(place, held, moved) {
  const { memory, etag } = held();
  let isMoved = false;
  const answer = await dialog("Edit: a new version", (close) => {
    const content = h("div");
    const cancel = () => h("button", { type: "button", on: { click: () => close() } }, "Cancel");
    const load = async () => {
      try {
        if (memory.cut) fill(content, waiting(4), h("div.dialog-buttons", cancel()));
        const whole = memory.cut ? await ask("get", { id: memory.id }, { signal: place.signal }) : memory;
        fill(content, form(whole, etag, { close, cancel, moved: () => (isMoved = true) }));
        if (memory.cut) content.querySelector("textarea").focus();
      } catch (problem) {
        if (problem.name === "AbortError") return;
        if (!(problem instanceof Problem)) throw problem;
        fill(content, wrong(problem, load), h("div.dialog-buttons", cancel()));
      }
    };
    load();
    return content;
  }, { wide: true });
  if (answer?.memory && answer.memory.id !== memory.id) location.hash = `#/memory/${answer.memory.id}`;
  if (!answer && isMoved) moved();
}

function form(memory, etag, { close, cancel, moved }) {
  let { id } = memory; // of the version that is written over
  const text = h("textarea", { rows: 6, required: true, maxlength: 1000000, dir: "auto", value: memory.text });
  const first = text.value; // as a field has it, which knows one kind of line end
  const scope = h("input", { type: "text", value: memory.scope, pattern: "/.*", maxlength: 1024, dir: "ltr" });
  const kind = h("input", { type: "text", value: memory.kind, maxlength: 200, dir: "auto" });
  const importance = h("input", { type: "range", min: 0, max: 1, step: 0.01 });
  importance.value = memory.importance;
  const level = h("span.quiet", { "aria-hidden": "true" }, decimal(memory.importance)); // the slider says it itself
  const categories = h("input", { type: "text", value: memory.categories.join(", "), dir: "auto" });
  const shown = h("div");
  const trouble = h("div", { role: "alert" });
  const button = h("button.primary", { type: "submit" }, "Save as a new version");
  const values = () => {
    const found = {};
    if (text.value !== first) found.text = text.value;
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
    const said = revising(id, found);
    fill(shown,
      Object.keys(found).length ? (said ? command(said) : null) : h("p.quiet", "Nothing is changed yet."),
      found.categories && !found.categories.length ? h("p.quiet", "The command line cannot take all categories away.") : null);
  };
  const told = (...content) => fill(trouble, h("div.notice.bad", content)).scrollIntoView({ block: "nearest" });
  /** Somebody else was quicker: say what they changed. Whoever saves once more has read it, and writes over that. */
  const meanwhile = async () => {
    moved();
    try {
      const now = await newest(id);
      const pairs = changed(memory, now.answer);
      ({ etag, answer: { id } } = now);
      look();
      told(h("p", h("strong", "Changed meanwhile"), ": somebody else changed this memory after it was shown here. Nothing was saved, and what you wrote is still here."),
        pairs.length ? changes(pairs) : null, h("p", "Save once more to make your version the newest; what you did not touch stays as they have it."));
    } catch (problem) {
      if (!(problem instanceof Problem)) throw problem;
      told(h("p", { dir: "auto" }, problem.status === 404 ? "It is gone: somebody purged it meanwhile. What you wrote is still here, to be copied." : problem.message));
    }
  };
  const submit = async (event) => {
    event.preventDefault();
    if (button.disabled) return;
    const found = values();
    fill(trouble);
    let problem = null;
    const answer = await act({
      work: async () => {
        const made = await ask("revise", { id, ...found }, { match: etag, shorten: 100 });
        if (made.outcome === "blocked") throw new Problem(422, "blocked", BLOCKED);
        return made;
      },
      said: (one) => BECAME[one.outcome] ?? one.outcome, command: revising(id, found), button,
      failed: (one) => (problem = one),
    });
    if (answer) close(answer);
    else if (problem?.status === 412 || problem?.status === 404) await meanwhile();
    else if (problem) told(h("p", { dir: "auto" }, problem.message));
    button.disabled = false;
  };
  look();
  return h(
    "form", { on: { submit, input: look } },
    h("label.field", h("span", "Text"), text),
    h("div.fields", h("label.field", h("span", "Scope"), scope), h("label.field", h("span", "Kind"), kind)),
    h("div.row.apart", h("label.field", h("span", "Importance"), importance), level),
    h("label.field", h("span", "Categories, with commas between"), categories),
    shown,
    trouble,
    h("div.dialog-buttons", cancel(), button),
  );
}
