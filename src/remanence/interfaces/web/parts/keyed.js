// A list drawn anew without losing what is in the middle of it: rows that stay are the same elements, focus and all.

/** Make `place` hold these elements in this order; those that were there and stay are not taken out. */
export function arrange(place, elements) {
  const kept = new Set(elements);
  for (const one of [...place.children]) if (!kept.has(one)) one.remove();
  let at = place.firstElementChild;
  for (const one of elements) {
    if (one === at) at = at.nextElementSibling;
    else place.insertBefore(one, at);
  }
}
