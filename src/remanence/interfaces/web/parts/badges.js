// Small marks of a memory: its state, layer, kind, scope, source, and the links to it.

import { h } from "../dom.js";
import { ago, beginning, moment } from "../words.js";

const STATES = { live: "●", archived: "◐", forgotten: "○", superseded: "◌", quarantined: "◆" };

/** A state as a word with a sign, so that colour is not all it says. */
export const state = (name) => h("span.badge", { class: `state-${name}` }, h("span", { "aria-hidden": "true" }, STATES[name] ?? "·"), " ", name);

export const tag = (text, title) => h("span.tag", { dir: "auto", title }, text);

/** A path that may be broken after each of its parts. */
export const breakable = (path) => path.split(/(?<=\/)/).map((part, at) => (at ? [h("wbr"), part] : part));

export const scope = (path) => h("a.scope", { dir: "ltr", href: `#/memories?scope=${encodeURIComponent(path)}` }, breakable(path));

/** A moment as people say it, with the exact one behind it. */
export const when = (value) => (value ? h("time", { datetime: value, title: moment(value) }, ago(value)) : h("span", "–"));

/** A memory by its text, as a link to it. */
export function link(memory, length = 140) {
  const text = memory.text.trim() ? beginning(memory.text, length) : "(blank)";
  return h("a.memory-link", { href: `#/memory/${memory.id}`, dir: "auto" }, text);
}

/** A memory of which only the id is known. */
export const idLink = (id) => h("a.id", { href: `#/memory/${id}`, dir: "ltr" }, id.slice(-12));
