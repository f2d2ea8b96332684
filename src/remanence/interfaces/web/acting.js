// Doing things: a call that changes something, told of when it is done, with its receipt, its undo and its command.

import { ask, Problem } from "./api.js";
import { rem } from "./commands.js";
import { h } from "./dom.js";
import { toast } from "./parts/toast.js";

let latest = null;

/** The receipts that `u` takes back: the last thing done on this page. */
export const lastReceipt = () => latest;

/**
 * Do something and say so. `work` gives the answer of a call, or a list of answers; `said(answer)` is what is told,
 * `command` its command line form, `id` the memory (or the list of them) that was changed by hand. Answers undefined
 * where it failed, which was told too.
 */
export async function act({ work, said, command, button, id }) {
  button?.setAttribute("aria-busy", "true");
  if (button) button.disabled = true;
  try {
    const answer = await work();
    const receipts = await receiptsOf(answer, id);
    if (receipts.length) latest = receipts;
    toast({ text: said(answer), command, undo: receipts.length ? () => undo(receipts) : null, notes: [answer].flat().flatMap(skipped) });
    return answer;
  } catch (problem) {
    if (problem.name === "AbortError") return undefined;
    if (!(problem instanceof Problem)) throw problem;
    if (problem.status !== 401) toast({ text: problem.message, bad: true, command });
    return undefined;
  } finally {
    button?.removeAttribute("aria-busy");
    if (button) button.disabled = false;
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

async function receiptsOf(answer, id) {
  const answers = [answer].flat();
  const ids = [id].flat();
  const found = [];
  for (const [at, one] of answers.entries()) found.push(await receiptOf(one, ids[at]));
  return [...new Set(found.filter(Boolean))];
}

/** The receipt of an answer; what is done to one memory by hand answers with the memory, and the journal knows it. */
async function receiptOf(answer, id) {
  if (!answer || Array.isArray(answer.purged)) return null; // what is purged does not come back
  if (answer.receipt_id) return answer.receipt_id;
  if (typeof answer.id === "string" && /^r\d+$/.test(answer.id)) return answer.applied?.length ? answer.id : null;
  if (!id) return null;
  try {
    const { items } = await ask("journal", { limit: 20 });
    return items.find((entry) => entry.memory_id === id)?.receipt_id ?? null;
  } catch {
    return null; // a token kept to a scope sees no journal: the thing is done, and has no undo here
  }
}

function skipped(answer) {
  const left = Object.entries(answer?.skipped ?? {});
  return left.slice(0, 5).map(([id, why]) => h("p", `${id.slice(-12)} was left alone: ${why}`));
}
