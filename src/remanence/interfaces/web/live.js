// What others do meanwhile: the journal as it is written, handed on in small heaps.

import { listen } from "./api.js";

const PAUSE = 300;
const handlers = new Set();
let controller = null;
let heap = [];
let timer = null;

/** Follow the journal, anew where it was followed before. */
export function follow() {
  controller?.abort();
  controller = new AbortController();
  listen((entry) => {
    heap.push(entry);
    timer ??= setTimeout(hand, PAUSE);
  }, controller.signal);
}

function hand() {
  const entries = heap;
  heap = [];
  timer = null;
  for (const handler of [...handlers]) handler(entries);
}

/** Follow it no more. */
export function unfollow() {
  controller?.abort();
  controller = null;
}

/** Be told of entries until the signal. */
export function onEntries(handler, signal) {
  if (signal?.aborted) return;
  handlers.add(handler);
  signal?.addEventListener("abort", () => handlers.delete(handler));
}
