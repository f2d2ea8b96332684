// Who has no token, or one that is no longer good: how to get one, and a place to put it.

import { fill, h } from "../dom.js";
import { command } from "../parts/command.js";

export function show({ main, why, enter }) {
  const input = h("input", { type: "password", autocomplete: "off", spellcheck: "false", required: true, "aria-describedby": "token-hint" });
  const submit = (event) => {
    event.preventDefault();
    if (input.value.trim()) enter(input.value.trim());
  };
  fill(
    main,
    h(
      "section.card.narrow",
      h("h1", { tabindex: "-1" }, "This memory is private"),
      why ? h("p.notice", { role: "alert" }, why) : null,
      h("p", "On the machine where the store is, this opens the page with your own token:"),
      command("rem page --open"),
      h("p", "Somewhere else, paste a token. The owner makes them with:"),
      command("rem token create NAME"),
      h("form.inline", { on: { submit } }, h("label.field", h("span", "Token"), input), h("button.primary", { type: "submit" }, "Enter")),
      h("p.quiet", { id: "token-hint" }, "It is kept in this browser alone, until you sign out."),
    ),
  );
  document.title = "Sign in · remanence";
  main.dataset.shown = "signin";
  main.querySelector("h1").focus();
}
