// Write something down by hand.

import { ask } from "../api.js";
import { act } from "../acting.js";
import { rem } from "../commands.js";
import { fill, h } from "../dom.js";
import { counted, words } from "../words.js";
import { command } from "./command.js";
import { dialog } from "./dialog.js";

const SAID = {
  added: "Remembered.", superseded: "Remembered, as the newer version of what was known.", duplicate: "That was known already.",
  quarantined: "Kept for review: it looks suspicious.", blocked: "Not remembered: it was purged before.",
};

/** Which secrets were taken out of what was written. */
function secrets(redacted) {
  const all = Object.values(redacted).reduce((sum, one) => sum + one, 0);
  return all ? [h("p", `${counted(all, "secret")} taken out before it was stored: ${Object.keys(redacted).map(words).join(", ")}.`)] : [];
}

/** Ask for something to remember, and remember it. */
export async function remember(me) {
  const answer = await dialog("Remember something", (close) => {
    const text = h("textarea", { rows: 4, required: true, maxlength: 1000000, dir: "auto", autofocus: true });
    const scope = h("input", { type: "text", value: me.scope ?? "/", pattern: "/.*", title: "A scope is a path that begins with /", maxlength: 1024, dir: "ltr" });
    const kind = h("input", { type: "text", value: "fact", maxlength: 200, list: "kinds" });
    const pinned = h("input", { type: "checkbox" });
    const values = () => ({
      text: text.value, scope: scope.value.trim() || undefined, kind: kind.value.trim() || undefined, pinned: pinned.checked || undefined,
    });
    const place = h("div");
    const trouble = h("div", { role: "alert" });
    const button = h("button.primary", { type: "submit" }, "Remember");
    const look = () => {
      const { text: said, ...rest } = values();
      text.setCustomValidity(said && !said.trim() ? "There are only blanks here." : "");
      fill(place, command(rem("remember", [said], rest)));
    };
    look();
    // What was written stays until it is stored.
    const submit = async (event) => {
      event.preventDefault();
      const { text: said, ...rest } = values();
      const told = await act({
        work: () => ask("remember", values(), { shorten: 2000 }),
        said: ({ outcome }) => SAID[outcome] ?? outcome,
        notes: ({ redacted }) => secrets(redacted),
        // A secret that was taken out is not put on the screen once more.
        command: ({ memory, redacted }) => rem("remember", [memory && Object.keys(redacted).length ? memory.text : said], rest),
        button,
        failed: (problem) => fill(trouble, h("p.notice.bad", { dir: "auto" }, problem.message)),
      });
      if (told?.outcome === "blocked") fill(trouble, h("p.notice.bad", SAID.blocked));
      else if (told) close(told);
    };
    return h(
      "form",
      { on: { submit, input: look } },
      h("label.field", h("span", "What"), text),
      h("div.fields", h("label.field", h("span", "Scope"), scope), h("label.field", h("span", "Kind"), kind)),
      h("datalist#kinds", ["fact", "preference", "decision", "lesson", "observation", "identity"].map((one) => h("option", { value: one }))),
      h("label.choice", pinned, "Keep it from every automatic change"),
      place,
      trouble,
      h("div.dialog-buttons", h("button", { type: "button", on: { click: () => close() } }, "Cancel"), button),
    );
  });
  if (answer?.memory) location.hash = `#/memory/${answer.memory.id}`;
}
