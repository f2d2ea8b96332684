// What the address of Erase says: a name, a scope, or memories that were chosen elsewhere.

/** The most ids that one call takes. */
export const MOST_IDS = 10000;

/** The way there with these memories. */
export const eraseHref = (ids) => `#/erase?ids=${ids.join(",")}`;

/** Which way of naming it is, and the ids that were handed over. */
export function read(query) {
  const ids = [...new Set(query.getAll("ids").flatMap((one) => one.split(",")).map((one) => one.trim()).filter(Boolean))];
  return { way: ids.length ? "ids" : query.has("scope") ? "scope" : "about", ids };
}
