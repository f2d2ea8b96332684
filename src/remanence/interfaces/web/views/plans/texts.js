// The texts of memories that are named by id alone: asked for when they are drawn, fifty at a time, each once.

import { ask } from "../../api.js";
import { fill, h } from "../../dom.js";
import { idLink, link } from "../../parts/badges.js";

const AT_ONCE = 50;
/** So much of a text is read: enough to lay an old version beside a new one. */
export const LENGTH = 1200;

/** A function from id to a promise of the memory, or of null where it is gone or out of reach. */
export function reader(signal) {
  const known = new Map();
  let waiting = [];
  const fetch = async (some) => {
    try {
      const answer = await ask("list", { ids: some.map((one) => one.id), state: "all", limit: some.length }, { signal, shorten: LENGTH });
      const found = new Map(answer.items.map((memory) => [memory.id, memory]));
      for (const one of some) one.resolve(found.get(one.id) ?? null);
    } catch {
      for (const one of some) {
        known.delete(one.id);
        one.resolve(undefined); // not known: the id stays, and the next look asks again
      }
    }
  };
  const hand = () => {
    const all = waiting;
    waiting = [];
    for (let start = 0; start < all.length; start += AT_ONCE) fetch(all.slice(start, start + AT_ONCE));
  };
  return (id) => {
    if (!known.has(id)) {
      known.set(id, new Promise((resolve) => {
        if (!waiting.length) queueMicrotask(hand);
        waiting.push({ id, resolve });
      }));
    }
    return known.get(id);
  };
}

/** A memory by id: the id first, its text as soon as it is there. `more(memory)` may add marks behind it. */
export function named(read, id, more = null) {
  const element = h("span.named", idLink(id));
  read(id).then((memory) => {
    if (memory) fill(element, link(memory, 200), more?.(memory));
    else if (memory === null) fill(element, h("span.id", { dir: "ltr" }, id.slice(-12)), h("span.quiet", " is not there any more"));
  });
  return element;
}
