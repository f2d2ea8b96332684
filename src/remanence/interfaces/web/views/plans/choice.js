// Which changes of a plan are chosen. A claim is chosen whole, with those it is made from; other changes one by one.

const LEAVING = new Set(["archive", "forget", "supersede", "quarantine"]);
const OFFERS = new Set(["compact", "review"]);
const MARKS = new Map([["add", "+"], ["adjust", "~"], ["promote", "~"], ["demote", "~"], ["restore", "^"], ["purge", "x"], ["compact", "?"], ["review", "?"]]);
const STEPS = new Map([
  ["curve", ["What the policy’s rules move", "The rules of the policy in force, as a sweep would ask them."]],
  ["cluster", ["Memories that are alike", "Each group becomes one summary, and only what it says in full leaves."]],
  ["cards", ["Entity cards", "One card for each person or thing that many memories speak of."]],
  ["bridges", ["Bridges between projects", "What was learned in one place and holds in another."]],
  ["beliefs", ["Old beliefs", "What is believed strongly and was not confirmed for long."]],
  ["drift", ["Drift from the files", "What is remembered of files that have changed since."]],
  ["prune", ["Old traces", "When memories were recalled, more than 90 days ago; captured raw events as old."]],
  ["compact", ["Summaries of the topic", "One summary a scope; only what it says in full leaves."]],
]);

/** One printable character for an action, as on the command line. */
export const mark = (action) => MARKS.get(action) ?? "-";
const leaves = (change) => LEAVING.has(change.action) && change.before?.state !== "forgotten";
export const isOffer = (change) => OFFERS.has(change.action);
const keyOf = (change) => `${change.memory_id} ${change.action}`;

/** The units of a plan (what is chosen whole), in the groups they are shown in, and which of them are chosen. */
export function choice(plan) {
  const units = [];
  const byClaim = new Map(plan.claims.map((claim) => [claim.key, { claim, changes: [], needs: new Set(), neededBy: new Set() }]));
  units.push(...byClaim.values());
  for (const change of plan.changes) {
    const owner = change.claim === null ? undefined : byClaim.get(change.claim);
    if (owner) owner.changes.push(change);
    else units.push({ claim: null, changes: [change], needs: new Set(), neededBy: new Set() });
  }
  tie(units);
  // What destroys and has no lines can be chosen, and is so only by a person.
  const isBare = (unit) => unit.changes.length === 0;
  const can = (unit) => isBare(unit) || unit.changes.some((change) => !isOffer(change));
  const able = units.filter(can);
  const chosen = new Set(able.filter((unit) => !isBare(unit)));

  const put = (unit, wanted) => {
    const waiting = [unit];
    while (waiting.length) {
      const one = waiting.pop();
      if (chosen.has(one) === wanted) continue;
      if (wanted) chosen.add(one);
      else chosen.delete(one);
      waiting.push(...(wanted ? one.needs : one.neededBy));
    }
  };
  return {
    units, able, chosen, groups: grouped(plan, units),
    has: (unit) => chosen.has(unit),
    put: (some, wanted) => some.forEach((unit) => put(unit, wanted)),
    /** How many of these can be chosen, and are. */
    of: (some) => {
      const possible = some.filter(can);
      return { possible: possible.length, chosen: possible.filter((unit) => chosen.has(unit)).length };
    },
    /** All of it, with what destroys and has no lines. */
    isWhole: () => able.every((unit) => chosen.has(unit)),
    /** Claims without lines of their own that are chosen. */
    bare: () => [...chosen].filter(isBare).map((unit) => unit.claim),
    changes: () => [...chosen].flatMap((unit) => unit.changes.filter((change) => !isOffer(change))),
    /** What apply is to be told: nothing where it is the whole plan. */
    only: () => [...new Set([...chosen].flatMap((unit) => unit.changes.map(keyOf)))],
    claims: () => [...chosen].filter((unit) => unit.claim).map((unit) => unit.claim),
  };
}

/** What belongs together: claims that are made from what others make; the same change of a memory in two of them. */
function tie(units) {
  const makers = new Map();
  const holders = new Map();
  for (const unit of units) {
    for (const id of unit.claim?.made ?? []) makers.set(id, unit);
    for (const change of unit.changes) {
      const key = keyOf(change);
      const first = holders.get(key);
      if (first === undefined) holders.set(key, unit);
      else if (first !== unit) [[first, unit], [unit, first]].forEach(([one, other]) => need(one, other));
    }
  }
  for (const unit of units) {
    for (const id of unit.claim?.sources ?? []) {
      const maker = makers.get(id);
      if (maker && maker !== unit) need(unit, maker);
    }
    // Without lines of its own it can only be named by naming everything.
    if (!unit.changes.length) units.filter((other) => other !== unit && other.changes.length).forEach((other) => need(unit, other));
  }
}

function need(unit, other) {
  unit.needs.add(other);
  other.neededBy.add(unit);
}

function grouped(plan, units) {
  const groups = new Map();
  const told = new Map(plan.groups.map((group) => [`${group.rule} ${group.action}`, group]));
  for (const unit of units) {
    const change = unit.changes[0];
    const name = unit.claim ? unit.claim.step : `${change.reason} ${change.action}`;
    if (!groups.has(name)) groups.set(name, about(unit, change, told.get(name)));
    groups.get(name).units.push(unit);
  }
  return [...groups.values()];
}

function about(unit, change, told) {
  if (unit.claim) {
    const [title, why] = STEPS.get(unit.claim.step) ?? [unit.claim.step, ""];
    return { title, why, action: null, told: null, units: [], isClaims: true };
  }
  return { title: change.reason, why: told?.why ?? "", action: change.action, told, units: [], isClaims: false };
}

/** What some changes amount to: how many leave recall, come, are only adjusted; the tokens of those that say so. */
export function sums(changes) {
  const found = { lines: changes.length, leaving: 0, added: 0, back: 0, adjusted: 0, tokens: 0 };
  for (const change of changes) {
    if (leaves(change)) {
      found.leaving += 1;
      found.tokens += change.evidence.tokens ?? 0;
    } else if (change.action === "add") found.added += 1;
    else if (change.action === "restore") found.back += 1;
    else found.adjusted += 1;
  }
  return found;
}
