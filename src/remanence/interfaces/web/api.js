// Asking the server: every call of its table by name, with the token, and what goes wrong as a Problem.

import { CALLS } from "./calls.js";

const TOKEN = "remanence.token";
const NAMESPACE = "remanence.namespace";

/** What went wrong: the status (0: no answer at all), the server's code, and its own words. */
export class Problem extends Error {
  constructor(status, code, detail, told = {}) {
    super(detail);
    this.status = status;
    this.code = code;
    this.told = told;
  }
}

const listeners = new Set();
let visits = 0;
/** A number that is another one after each change of token or namespace: what was begun before is not of now. */
export const epoch = () => visits;
/** Be told "unauthorized" or "silent", whoever asked; "moved" when another namespace is looked at, "left" when the token is another. */
export function onAnswers(listener) {
  listeners.add(listener);
}
function tell(what, problem) {
  if (what === "left" || what === "moved") visits += 1;
  for (const listener of listeners) listener(what, problem);
}

// -- who asks

/** Whether a text can be a token at all; what is none is kept out of headers, and out of this browser. */
export const isToken = (text) => /^[\w-]{16,200}$/.test(text ?? "");

export function token() {
  const kept = localStorage.getItem(TOKEN);
  return isToken(kept) ? kept : null;
}
export const namespace = () => sessionStorage.getItem(NAMESPACE);

export function keepToken(value) {
  const isOther = (value ?? null) !== token();
  if (value) localStorage.setItem(TOKEN, value);
  else localStorage.removeItem(TOKEN);
  if (isOther) tell("left");
}

export function keepNamespace(value) {
  if (value) sessionStorage.setItem(NAMESPACE, value);
  else sessionStorage.removeItem(NAMESPACE);
}

// Another tab of this browser has taken another token.
window.addEventListener("storage", (event) => event.key === TOKEN && tell("left"));

/** Look at another namespace, or at the usual one. */
export function visit(name) {
  keepNamespace(name);
  location.hash = "#/";
  tell("moved");
}

/** The token that the address brought, taken out of it at once: it is not to stay in history or on screen. */
export function takeToken() {
  const match = /^#token=(.*)$/s.exec(location.hash);
  if (!match) return null;
  history.replaceState(null, "", `${location.pathname}#/`);
  return match[1];
}

// A header holds bytes: a name in any script goes as the bytes of its UTF-8.
const bytes = (text) => String.fromCharCode(...new TextEncoder().encode(text));

function headers(more = {}, where = namespace(), secret = token()) {
  // What is written here a person writes; the server looks whether this token may say so.
  const given = { authorization: `Bearer ${secret ?? ""}`, "remanence-source": "human", ...more };
  if (where) given["remanence-namespace"] = bytes(where);
  return given;
}

// -- asking

/**
 * Ask for a call of the table: ask("review.accept", {ids}). Arguments that are undefined or null are left out.
 * Options: signal; shorten (cut texts to so many characters); match (an ETag that must still hold);
 * progress (done, total) for long calls; whole: true gives {answer, etag}.
 */
export async function ask(name, given = {}, options = {}) {
  const [method, path] = CALLS[name];
  const left = Object.fromEntries(Object.entries(given).filter(([, value]) => value !== undefined && value !== null));
  const place = path.replace(/\{(\w+)\}/g, (_, key) => {
    const value = left[key];
    delete left[key];
    return encodeURIComponent(value);
  });
  const more = {};
  if (options.shorten) more["remanence-shorten"] = String(options.shorten);
  if (options.match) more["if-match"] = options.match;
  if (options.progress) more.accept = "text/event-stream";
  let address = `/v1${place}`;
  const request = { method, signal: options.signal, cache: "no-store" };
  if (method === "GET") {
    const query = new URLSearchParams();
    for (const [key, value] of Object.entries(left)) {
      for (const one of Array.isArray(value) ? value : [value]) query.append(key, one);
    }
    if (query.size) address += `?${query}`;
  } else {
    more["content-type"] = "application/json";
    request.body = JSON.stringify(left);
  }
  request.headers = headers(more);
  const response = await fetched(address, request);
  if ((response.headers.get("content-type") ?? "").startsWith("text/event-stream")) {
    return await followed(response, options.progress);
  }
  const answer = response.status === 204 ? null : await whole(() => response.json());
  const receipt = response.headers.get("remanence-receipt");
  if (receipt && answer) answer.receipt_id = receipt;
  return options.whole ? { answer, etag: response.headers.get("etag") } : answer;
}

/**
 * A path that is no call of the table: "/token", "/demo". `where` names another namespace than the one looked at, `as`
 * another token than the one kept, of which nobody is told that it is refused.
 */
export async function askPath(method, path, options = {}) {
  const more = options.progress ? { accept: "text/event-stream" } : {};
  if (method !== "GET") more["content-type"] = "application/json";
  const response = await fetched(`/v1${path}`, {
    method, signal: options.signal, cache: "no-store", headers: headers(more, options.where, options.as), body: method === "GET" ? undefined : "{}",
  }, Boolean(options.as));
  if (options.progress) return await followed(response, options.progress);
  return await whole(() => response.json());
}

/** What is read of an answer; one that breaks off is as good as none. */
async function whole(read) {
  try {
    return await read();
  } catch (error) {
    if (error.name === "AbortError" || error instanceof Problem) throw error;
    const problem = new Problem(0, "silent", "The server stopped before it had answered. What was done is in the journal.");
    tell("silent", problem);
    throw problem;
  }
}

async function fetched(address, request, isQuiet = false) {
  let response;
  try {
    response = await fetch(address, request);
  } catch (error) {
    if (error.name === "AbortError") throw error;
    const problem = new Problem(0, "silent", "The server does not answer.");
    tell("silent", problem);
    throw problem;
  }
  if (response.ok) return response;
  const told = await response.json().catch(() => ({}));
  const problem = new Problem(response.status, told.code ?? "failed", told.detail ?? told.title ?? `Status ${response.status}`, told);
  if (response.status === 401 && !isQuiet) tell("unauthorized", problem);
  throw problem;
}

/** The answer at the end of a stream of progress. */
const followed = (response, progress) => whole(() => read(response, progress));

async function read(response, progress) {
  for await (const { event, data } of events(response)) {
    if (event === "progress") progress(data.done, data.total);
    if (event === "answer") return data;
    if (event === "problem") throw new Problem(data.status ?? 500, data.code ?? "failed", data.detail ?? "It failed.", data);
  }
  throw new Problem(0, "silent", "The server stopped before it was done. What was done is in the journal.");
}

/** Server-sent events of a response, with their data as values. */
export async function* events(response) {
  const reader = response.body.pipeThrough(new TextDecoderStream()).getReader();
  let rest = "";
  try {
    while (true) {
      const { value, done } = await reader.read();
      if (done) return;
      rest += value;
      let end;
      while ((end = rest.indexOf("\n\n")) >= 0) {
        const lines = rest.slice(0, end).split("\n");
        rest = rest.slice(end + 2);
        const field = (name) => lines.filter((line) => line.startsWith(`${name}: `)).map((line) => line.slice(name.length + 2)).join("\n");
        if (field("data")) yield { event: field("event"), id: field("id"), data: JSON.parse(field("data")) };
      }
    }
  } finally {
    reader.cancel().catch(() => {});
  }
}

/** The journal as it is written, from a place on or from now, until the signal; it comes back by itself after a break. */
export async function listen(onEntry, signal, after = null) {
  let pause = 500;
  while (!signal.aborted) {
    try {
      const address = after ? `/v1/events?after=${encodeURIComponent(after)}` : "/v1/events";
      const response = await fetched(address, { headers: headers(), signal, cache: "no-store" });
      pause = 500;
      for await (const { event, id, data } of events(response)) {
        if (event === "entry") {
          after = id;
          onEntry(data);
        }
      }
    } catch (problem) {
      if (signal.aborted || problem.status === 401 || problem.status === 403) return;
    }
    await new Promise((resolve) => setTimeout(resolve, pause));
    pause = Math.min(pause * 2, 5000);
  }
}

/** Whether the server answers at all. */
export async function answers() {
  try {
    return (await fetch("/healthz", { cache: "no-store" })).ok;
  } catch {
    return false;
  }
}
