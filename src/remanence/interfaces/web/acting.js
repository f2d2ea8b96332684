// Doing things: a call that changes something, told of when it is done, with its receipt, its undo and its command.

import { ask, Problem } from "./api.js";
import { rem } from "./commands.js";
import { h } from "./dom.js";
import { toast } from "./parts/toast.js";

const CLOCKS_APART = 2000;
let latest = null;

/** The receipts that `u` takes back: the last thing done on this page; null where that cannot be taken back. */
export const lastReceipt = () => latest;

/** Forget what was done: another namespace, or another person, has receipts of its own. */
export function forgetDone() {
  latest = null;
  document.getElementById("toasts").replaceChildren();
}

/**
 * Do something and say so. `work` gives the answer of a call, or a list of answers; `said(answer)` is what is told,
 * `command` its command line form, `id` the memory (or the list of them) that was changed by hand. Answers undefined
 * where it failed, which was told too, by `failed(problem)` where there is a better place for it than a corner.
 */
export async function act({ work, said, command, button, id, failed }) {
  const isHeld = button && document.activeElement === button;
  button?.setAttribute("aria-busy", "true");
  if (button) button.disabled = true;
  try {
    const begun = Date.now();
    const answer = await work();
    const receipts = await receiptsOf(answer, id, begun);
    latest = receipts.length ? receipts : null;
    toast({ text: said(answer), command, undo: receipts.length ? () => undo(receipts) : null, notes: [answer].flat().flatMap(skipped) });
    return answer;
  } catch (problem) {
    if (problem.name === "AbortError") return undefined;
    if (!(problem instanceof Problem)) throw problem;
    if (failed) failed(problem);
    else if (problem.status !== 401) toast({ text: problem.message, bad: true, command });
    return undefined;
  } finally {
    button?.removeAttribute("aria-busy");
    if (button) button.disabled = false;
    // A button that is switched off loses the focus.
    if (isHeld && button.isConnected && document.activeElement === document.body) button.focus();
  }
}

/** Take back what a receipt applied, or several, the last one first. */
export async function undo(receipt) {
  const receipts = [receipt].flat().reverse();
  return await act({
    work: async () => {
      const answers = [];
      for (const one of receipts) answers.push(await ask("undo", { receipt_id: one }));
      return answers.length === 1 ? answers[0] : answers;
    },
    said: (answer) => `${receipts.join(" and ")} ${receipts.length > 1 ? "were" : "was"} undone: ${[answer].flat().reduce((sum, one) => sum + one.applied.length, 0)} changed back.`,
    command: receipts.map((one) => rem("undo", [one])).join(" && "),
  });
}

async function receiptsOf(answer, id, begun) {
  const answers = [answer].flat();
  const ids = [id].flat();
  const found = [];
  for (const [at, one] of answers.entries()) found.push(await receiptOf(one, ids[at], begun));
  return [...new Set(found.filter(Boolean))];
}

/**
 * The receipt of an answer. What is done to one memory by hand answers with the memory, and its history knows the
 * receipt; where nothing had to be changed there is none, and the last one there is older than what was asked.
 */
async function receiptOf(answer, id, begun) {
  if (!answer || Array.isArray(answer.purged)) return null; // what is purged does not come back
  if (answer.receipt_id) return answer.receipt_id;
  if (typeof answer.id === "string" && /^r\d+$/.test(answer.id)) return answer.applied?.length ? answer.id : null;
  if (!id) return null;
  try {
    const { items } = await ask("history", { id }, { shorten: 1 });
    const last = items.filter(({ entry }) => entry.memory_id === id).at(-1)?.entry;
    return last && new Date(last.at).getTime() >= begun - CLOCKS_APART ? last.receipt_id : null;
  } catch {
    return null; // it is done; without its history it has no undo here
  }
}

function skipped(answer) {
  const left = Object.entries(answer?.skipped ?? {});
  return left.slice(0, 5).map(([id, why]) => h("p", `${id.slice(-12)} was left alone: ${why}`));
}
