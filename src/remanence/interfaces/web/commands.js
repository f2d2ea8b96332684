// The command line form of what the page does: every button shows it, so that what is done here can be done in a script.

import { namespace } from "./api.js";

const PLAIN = /^[A-Za-z0-9_./:=@%+,-]+$/;

/** A word as a POSIX shell reads it back. */
function quoted(word) {
  const text = String(word);
  return text !== "" && PLAIN.test(text) ? text : `'${text.replaceAll("'", `'\\''`)}'`;
}

/** A command: rem("forget", ids, {scope, yes: true}). Lists repeat an option; true is a flag; empty ones are left out. */
export function rem(verb, words = [], options = {}) {
  const said = ["rem"];
  if (namespace()) said.push("--namespace", quoted(namespace()));
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
