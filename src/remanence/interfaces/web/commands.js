// The command line form of what the page does: every button shows it, so that what is done here can be done in a script.

import { namespace } from "./api.js";

const PLAIN = /^[A-Za-z0-9_./:=@%+,-]+$/;
const CONTROL = /[\u0000-\u0009\u000b-\u001f\u007f-\u009f]/;
let spoken = { db: null, namespace: null };

/** The store, where it is not the one that `rem` takes by itself, and the namespace that a token is kept to. */
export function speakFor({ db, namespace: name }) {
  spoken = { db, namespace: name };
}

/** A word as a shell reads it back; what would move the cursor of a terminal is spelled out. */
function quoted(word) {
  const text = String(word);
  if (CONTROL.test(text)) return `$'${[...text].map((one) => (/[\\']/.test(one) ? `\\${one}` : CONTROL.test(one) || one === "\n" ? escaped(one) : one)).join("")}'`;
  return text !== "" && PLAIN.test(text) ? text : `'${text.replaceAll("'", `'\\''`)}'`;
}

const escaped = (one) => `\\u${one.charCodeAt(0).toString(16).padStart(4, "0")}`;

/** A command: rem("forget", ids, {scope, yes: true}). Lists repeat an option; true is a flag; empty ones are left out. */
export function rem(verb, words = [], options = {}) {
  const said = ["rem"];
  const space = namespace() ?? spoken.namespace;
  if (spoken.db) said.push("--db", quoted(spoken.db));
  if (space) said.push("--namespace", quoted(space));
  said.push(verb);
  const given = [];
  for (const [name, value] of Object.entries(options)) {
    for (const one of Array.isArray(value) ? value : [value]) {
      if (one === undefined || one === null || one === false || one === "") continue;
      const option = `--${name.replaceAll("_", "-")}`;
      if (one === true) given.push(option);
      else if (String(one).startsWith("-")) given.push(`${option}=${quoted(one)}`);
      else given.push(option, quoted(one));
    }
  }
  const named = [words].flat().filter((word) => word !== undefined && word !== null);
  // A word that begins with a dash would be read as an option.
  const dashed = named.some((word) => String(word).startsWith("-"));
  return [...said, ...given, ...(dashed ? ["--"] : []), ...named.map(quoted)].join(" ");
}

/** Ids for a command, as many as a person would copy; the rest are counted. */
export function some(ids, most = 20) {
  const list = [...ids];
  return list.length > most ? list.slice(0, most) : list;
}

/** A command of the whole store, whatever namespace is looked at: onStore("token create NAME"). */
export const onStore = (said) => ["rem", ...(spoken.db ? ["--db", quoted(spoken.db)] : []), said].join(" ");
