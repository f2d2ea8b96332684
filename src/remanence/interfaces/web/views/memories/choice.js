// Which memories are chosen: by box, by key, by range; it outlives the page of the list, and the way to a memory and back.

import { namespace } from "../../api.js";

const kept = new Map(); // id → memory, of the namespace below
let of = null;

/** The choice; `changed` is called after each change of it. */
export function choice(changed) {
  if (of !== namespace()) kept.clear();
  of = namespace();
  let order = [];
  let last = null;
  const take = (memory, isChosen, isRange = false) => {
    const from = order.findIndex((one) => one.id === last);
    const to = order.findIndex((one) => one.id === memory.id);
    const meant = isRange && from >= 0 && to >= 0 ? order.slice(Math.min(from, to), Math.max(from, to) + 1) : [memory];
    for (const one of meant) {
      if (isChosen) kept.set(one.id, one);
      else kept.delete(one.id);
    }
    last = memory.id;
    changed();
  };
  return {
    take,
    has: (id) => kept.has(id),
    ids: () => [...kept.keys()],
    all: () => [...kept.values()],
    get size() {
      return kept.size;
    },
    /** The memories on the page, in their order. */
    shown: (memories) => {
      order = memories;
    },
    here: () => order,
    takeAll: (isChosen) => {
      for (const one of order) {
        if (isChosen) kept.set(one.id, one);
        else kept.delete(one.id);
      }
      changed();
    },
    clear: () => {
      kept.clear();
      changed();
    },
  };
}
