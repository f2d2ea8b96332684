// Every field of a memory in words, and what differs between two states of it.

import { h } from "../../dom.js";
import { decimal, moment, number, words } from "../../words.js";
import { idLink, scope, state, tag, when } from "../../parts/badges.js";

const times = (value) => (value === 1 ? "once" : value ? `${number(value)} times` : "never");
const time = (value) => h("span", h("time", { datetime: value }, moment(value)), " (", when(value), ")");
const tags = (values) => (values.length ? h("span.marks", values.map((one) => tag(one))) : null);
const ids = (values) => h("span.marks", values.map(idLink));

const FIELDS = [
  ["id", "Id", (value) => h("code", { dir: "ltr" }, value)],
  ["state", "State", state],
  ["scope", "Scope", scope],
  ["layer", "Layer", (value) => value],
  ["kind", "Kind", (value) => tag(words(value))],
  ["source", "Source", (value) => value],
  ["origin", "Comes from", (value) => h("bdi", value)],
  ["created_at", "Born", time],
  ["last_accessed_at", "Last recalled", (value, memory) => (memory.access_count ? time(value) : "never")],
  ["access_count", "Recalled", times],
  ["importance", "Importance", (value) => decimal(value)],
  ["confidence", "Confidence", (value) => decimal(value)],
  ["valence", "Feeling", (value) => `${decimal(value)} (from −1 to 1)`],
  ["trust", "Trust", (value) => decimal(value)],
  ["trust_limit", "Trust is limited to", (value) => (value < 1 ? decimal(value) : null)],
  ["surprise", "Surprise", (value) => (value === null ? null : decimal(value))],
  ["confirmations", "Confirmed", times],
  ["uses", "Said to be of use", times],
  ["rejections", "Said to be of no use", times],
  ["pinned", "Pinned", (value) => (value ? "yes: no automatic pass touches it" : "no")],
  ["exempt", "Exempt", (value) => (value ? "yes: it never decays" : "no")],
  ["challenged_by", "Challenged by", (value) => (value === "human" ? "a person" : idLink(value))],
  ["expires_at", "Expires", time],
  ["kept_until", "Kept at least until", time],
  ["valid_from", "Holds from", time],
  ["valid_until", "Held until", time],
  ["version", "Version", (value) => number(value)],
  ["supersedes", "Older version", idLink],
  ["superseded_by", "Newer version", idLink],
  ["lineage", "Made from", (value) => (value.length ? ids(value.slice(0, 20)) : null)],
  ["depth", "Steps from what was told", (value) => (value ? number(value) : null)],
  ["categories", "Categories", tags],
  ["concepts", "Concepts", tags],
  ["files", "Files", tags],
  ["metadata", "Metadata", (value) => (Object.keys(value).length ? h("pre", { tabindex: "0" }, JSON.stringify(value, null, 1)) : null)],
  ["revision", "Changed", (value) => times(value - 1)],
];

/** All fields that say something. */
export function fields(memory) {
  return h("dl.fact-list", FIELDS.map(([name, label, draw]) => {
    const value = memory[name];
    const shown = value === null || value === undefined ? null : draw(value, memory);
    return shown === null ? null : [h("dt", label), h("dd", shown)];
  }));
}

const LABELS = new Map([...FIELDS.map(([name, label]) => [name, label]), ["text", "Text"]]);
const OWN = new Set(["id", "revision", "created_at", "last_accessed_at", "recent_accesses", "version", "supersedes", "superseded_by", "trust", "cut", "namespace"]);

function said(value) {
  if (value === null || value === undefined || value === "") return "nothing";
  if (Array.isArray(value)) return value.length ? value.join(", ") : "none";
  if (typeof value === "boolean") return value ? "yes" : "no";
  if (typeof value === "object") return JSON.stringify(value).slice(0, 200);
  if (/^\d{4}-\d\d-\d\dT/.test(String(value))) return moment(value);
  return String(value).slice(0, 200);
}

/** What differs between two states of a memory, or two versions: [[label, before, after]]; the text is left out on demand. */
export function changed(before, after, { text = true } = {}) {
  const names = new Set([...Object.keys(before), ...Object.keys(after)]);
  return [...names]
    .filter((name) => !OWN.has(name) && (text || name !== "text") && JSON.stringify(before[name]) !== JSON.stringify(after[name]))
    .map((name) => [LABELS.get(name) ?? words(name), said(before[name]), said(after[name])]);
}

/** The same as a list. */
export function changes(pairs) {
  return h("ul.changes", pairs.map(([label, before, after]) => h("li", h("strong", label), ": ", h("del", { dir: "auto" }, before), " → ", h("ins", { dir: "auto" }, after))));
}
