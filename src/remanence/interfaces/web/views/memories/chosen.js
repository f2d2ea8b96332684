// Which memories are chosen: by box, by key, by range; it outlives the page of the list, and the way to a memory and back.

import { namespace, onAnswers } from "../../api.js";

const kept = new Map(); // id → memory, of the namespace below
let of = null;

// Who comes next is not to see what somebody else had chosen.
onAnswers((what) => what === "left" && kept.clear());

/** These are gone: they are no longer chosen. */
export function drop(ids) {
  for (const id of ids) kept.delete(id);
}

/** The choice; `changed` is called after each change of it. */
export function choice(changed) {
  if (of !== namespace()) kept.clear();
  of = namespace();
  let order = [];
  let last = null;
  const put = (memories, isChosen) => {
    for (const one of memories) {
      if (isChosen) kept.set(one.id, one);
      else kept.delete(one.id);
    }
    changed();
  };
  return {
    take: (memory, isChosen, isRange = false) => {
      const from = order.findIndex((one) => one.id === last);
      const to = order.findIndex((one) => one.id === memory.id);
      last = memory.id;
      put(isRange && from >= 0 && to >= 0 ? order.slice(Math.min(from, to), Math.max(from, to) + 1) : [memory], isChosen);
    },
    takeAll: (isChosen) => put(order, isChosen),
    clear: () => put(kept.values(), false),
    /** These are done with. */
    drop: (ids) => {
      drop(ids);
      changed();
    },
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
  };
}
