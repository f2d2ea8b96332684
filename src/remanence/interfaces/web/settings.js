// The dialog of settings and keys, and the colours that this browser is to have.

import { namespace, visit } from "./api.js";
import { VERSION } from "./calls.js";
import { h } from "./dom.js";
import { dialog } from "./parts/dialog.js";
import { keysOff, switchKeys } from "./parts/keys.js";
import { VIEWS } from "./showing.js";

const THEME = "remanence.theme";

/** Open the dialog, for who is here. */
export function settings(me, signOut) {
  dialog("Settings and keys", (close) => {
    const theme = (value, label) =>
      h("label.choice", h("input", { type: "radio", name: "theme", value, checked: (localStorage.getItem(THEME) ?? "auto") === value, on: { change: () => themed(value) } }), label);
    const space = h("input", { type: "text", value: namespace() ?? "", placeholder: me?.namespace ?? "", maxlength: 200, dir: "auto" });
    const changed = (event) => {
      event.preventDefault();
      close();
      visit(space.value.trim());
    };
    const rows = [["/", "search"], ["n", "remember something"], ["u", "undo the last thing done here"], ["j  k", "down and up in a list"], ["x", "choose a row of a list"], ["b", "to what can be done with those chosen"], ["Esc", "choose none"], ["Ctrl Enter", "store what you have written"],
      ...VIEWS.map(({ key, title }) => [`g ${key}`, `go to ${title}`]), ["?", "this"]];
    return [
      h("fieldset", h("legend", "Colours"), theme("auto", "As the system has them"), theme("light", "Light"), theme("dark", "Dark")),
      h("table.keys", h("caption", "Keys"), h("tbody", rows.map(([key, what]) => h("tr", h("th", { scope: "row" }, h("kbd", key)), h("td", what))))),
      h("label.choice", h("input", { type: "checkbox", checked: !keysOff(), on: { change: (event) => switchKeys(event.target.checked) } }), "Keys work"),
      me?.is_bound ? null : h("form.inline", { on: { submit: changed } }, h("label.field", h("span", "Namespace"), space), h("button", { type: "submit" }, "Look there")),
      h("p.quiet", `remanence ${VERSION}. Signed in as “${me?.name ?? ""}”, namespace ${me?.namespace ?? ""}.`),
      h("div.dialog-buttons",
        h("button", { type: "button", on: { click: () => { close(); signOut(); } } }, "Sign out"),
        h("button.primary", { type: "button", on: { click: () => close() } }, "Close")),
    ];
  });
}

/** Take on the colours that were chosen, or these from now on. */
export function themed(value) {
  if (value) localStorage.setItem(THEME, value);
  const chosen = localStorage.getItem(THEME) ?? "auto";
  if (chosen === "auto") delete document.documentElement.dataset.theme;
  else document.documentElement.dataset.theme = chosen;
}
