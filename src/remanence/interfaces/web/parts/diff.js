// What changed between two texts, word by word: the longest common sequence, within bounds; marked by sign and by colour.

import { h } from "../dom.js";

const MOST_CELLS = 4_000_000;
const WORDS = /\s+|[\p{L}\p{N}_]+|[^\s\p{L}\p{N}_]/gu;
const LINES = /[^\n]*\n|[^\n]+/g;

/** The steps from one text to the other: [{how: "same" | "removed" | "added", text}]. */
export function steps(before, after) {
  for (const cut of [WORDS, LINES]) {
    const found = compared(before.match(cut) ?? [], after.match(cut) ?? []);
    if (found) return found;
  }
  return [{ how: "removed", text: before }, { how: "added", text: after }];
}

function compared(one, other) {
  let begin = 0;
  while (begin < one.length && begin < other.length && one[begin] === other[begin]) begin += 1;
  let end = 0;
  while (end < one.length - begin && end < other.length - begin && one.at(-1 - end) === other.at(-1 - end)) end += 1;
  const left = one.slice(begin, one.length - end);
  const right = other.slice(begin, other.length - end);
  if (left.length * right.length > MOST_CELLS) return null;
  const found = [];
  const say = (how, text) => {
    if (found.at(-1)?.how === how) found.at(-1).text += text;
    else if (text) found.push({ how, text });
  };
  say("same", one.slice(0, begin).join(""));
  for (const [how, text] of between(left, right)) say(how, text);
  say("same", one.slice(one.length - end).join(""));
  return found;
}

/** What is common to two lists, and what is not, in order. */
function between(one, other) {
  const wide = other.length + 1;
  const lengths = new Uint32Array((one.length + 1) * wide);
  for (let at = one.length - 1; at >= 0; at -= 1) {
    for (let to = other.length - 1; to >= 0; to -= 1) {
      lengths[at * wide + to] = one[at] === other[to] ? lengths[(at + 1) * wide + to + 1] + 1 : Math.max(lengths[(at + 1) * wide + to], lengths[at * wide + to + 1]);
    }
  }
  const found = [];
  let at = 0;
  let to = 0;
  while (at < one.length || to < other.length) {
    if (at < one.length && to < other.length && one[at] === other[to]) {
      found.push(["same", one[at]]);
      at += 1;
      to += 1;
    } else if (to >= other.length || (at < one.length && lengths[(at + 1) * wide + to] >= lengths[at * wide + to + 1])) {
      found.push(["removed", one[at]]);
      at += 1;
    } else {
      found.push(["added", other[to]]);
      to += 1;
    }
  }
  return found;
}

/** The difference as one text: what went is struck out after a minus, what came is underlined after a plus. */
export function diff(before, after) {
  if (before === after) return h("p.quiet", "The text is the same.");
  return h(
    "div.text.diff", { dir: "auto" },
    steps(before, after).map(({ how, text }) =>
      how === "same" ? text : how === "added" ? h("ins", h("span.sign", "+"), text) : h("del", h("span.sign", "−"), text)),
  );
}
