// What others do meanwhile: the journal as it is written, handed on in small heaps. A browser has six connections to a
// server in all its tabs, so only tabs that are looked at follow; one that is looked at again is told what it missed.

import { ask, listen } from "./api.js";

const PAUSE = 300;
const handlers = new Set();
let controller = null;
let isFollowing = false;
let last = null;
let heap = [];
let timer = null;

/** Follow the journal from now on, anew where it was followed before. */
export function follow() {
  unfollow();
  isFollowing = true;
  if (!document.hidden) begin();
}

/** Follow it no more. */
export function unfollow() {
  isFollowing = false;
  last = null;
  heap = [];
  controller?.abort();
}

async function begin() {
  controller?.abort();
  controller = new AbortController();
  const { signal } = controller;
  try {
    last ??= (await ask("journal", { limit: 1 }, { signal })).items[0]?.place ?? null;
  } catch (problem) {
    if (problem.status === undefined) return; // left again meanwhile
  }
  if (signal.aborted) return;
  listen((entry) => {
    last = entry.place;
    heap.push(entry);
    timer ??= setTimeout(hand, PAUSE);
  }, signal, last);
}

document.addEventListener("visibilitychange", () => {
  if (document.hidden) controller?.abort();
  else if (isFollowing) begin();
});

function hand() {
  const entries = heap;
  heap = [];
  timer = null;
  if (entries.length) for (const handler of [...handlers]) handler(entries);
}

/** Be told of entries until the signal. */
export function onEntries(handler, signal) {
  if (signal?.aborted) return;
  handlers.add(handler);
  signal?.addEventListener("abort", () => handlers.delete(handler));
}
