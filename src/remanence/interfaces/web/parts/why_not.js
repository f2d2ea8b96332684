// Why a memory does not come when something is asked, or at which place it does.

import { ask } from "../api.js";
import { rem } from "../commands.js";
import { fill, h } from "../dom.js";
import { beginning, decimal } from "../words.js";
import { command } from "./command.js";
import { dialog } from "./dialog.js";
import { pick } from "./pick.js";
import { waiting, wrong } from "./states.js";

/** Ask why: for a query whose memory is to be found (memory null), or for a memory whose query is to be written. */
export function whyNot({ query = "", memory = null, given = {}, signal }) {
  return dialog(memory ? "Why does it not come?" : "Why does a memory not come?", (close) => {
    const answer = h("div", { "aria-live": "polite" });
    const look = async (asked, one) => {
      fill(answer, waiting(2, "Looking"));
      try {
        const told = await ask("why_not", { ...given, query: asked, id: one.id }, { signal, shorten: 200 });
        fill(
          answer,
          h("p", h("strong", told.found ? `It comes, at place ${told.place}.` : "It does not come."), " ", h("q", { dir: "auto" }, beginning(one.text, 90))),
          h("ul", told.reasons.map((reason) => h("li", { dir: "auto" }, reason))),
          told.hit ? h("p.quiet", `Its rank is ${decimal(told.hit.rank, 3)}${told.last ? `; the last that comes has ${decimal(told.last.rank, 3)}` : ""}.`) : null,
          told.notes.map((note) => h("p.notice", { dir: "auto" }, note)),
          command(rem("recall", [asked], { why_not: one.id, scope: given.scope })),
        );
      } catch (problem) {
        if (problem.name !== "AbortError") fill(answer, wrong(problem));
      }
    };
    const closing = h("div.dialog-buttons", h("button", { type: "button", on: { click: () => close() } }, "Close"));
    if (!memory) return [h("p", "You asked ", h("q", { dir: "auto" }, beginning(query, 120)), ". Which memory did you expect?"), pick("Words it holds, or its id", (one) => look(query, one)), answer, closing];
    const input = h("input", { type: "text", dir: "auto", maxlength: 2000, required: true });
    const submit = (event) => {
      event.preventDefault();
      if (input.value.trim()) look(input.value.trim(), memory);
    };
    return [h("form.inline", { on: { submit } }, h("label.field", h("span", "When this is asked"), input), h("button.primary", { type: "submit" }, "Ask")), answer, closing];
  });
}
