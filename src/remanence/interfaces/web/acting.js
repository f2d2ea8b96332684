// Doing things: a call that changes something, told of when it is done, with its receipt, its undo and its command.

import { ask, epoch, Problem } from "./api.js";
import { rem, some } from "./commands.js";
import { h } from "./dom.js";
import { toast, withdraw } from "./parts/toast.js";
import { number } from "./words.js";

const AT_ONCE = 4;
const NOTES = 5;
const handlers = new Set();
const here = new Set(); // receipts of what was done on this page
let latest = null;
let running = 0;
let waiters = [];

/** The receipts that `u` takes back: the last thing done on this page; null where that cannot be taken back. */
export const lastReceipt = () => latest;

/** Whether a receipt is of something done on this page. */
export const wasDoneHere = (receipt) => here.has(receipt);

/** When nothing is being done any more: only then is it known whose a change was. */
export const settled = () => (running ? new Promise((resolve) => waiters.push(resolve)) : Promise.resolve());

/** Be told after each thing done on this page, an undo too, until the signal. */
export function onDone(handler, signal) {
  if (signal?.aborted) return;
  handlers.add(handler);
  signal?.addEventListener("abort", () => handlers.delete(handler));
}

/** Forget what was done: another namespace, or another person, has receipts of its own. */
export function forgetDone() {
  latest = null;
  here.clear();
  document.getElementById("toasts").replaceChildren();
}

/**
 * Do something and say so. `work` gives the answer of a call, or a list of answers; `said(answer)` is what is told,
 * `notes(answer)` what is told besides, `command` its command line form, or what gives it of the answer. Answers undefined where it failed, which was
 * told too, by `failed(problem)` where there is a better place for it than a corner; and where the person has left.
 */
export async function act({ work, said, command, button, failed, notes = () => [] }) {
  const isHeld = button && document.activeElement === button;
  button?.setAttribute("aria-busy", "true");
  if (button) button.disabled = true;
  running += 1;
  const begun = epoch();
  let answer;
  try {
    answer = await work();
    if (begun !== epoch()) return undefined; // its receipts are another namespace's, or another person's
    const receipts = [...new Set([answer].flat().map(receiptOf).filter(Boolean))];
    for (const one of [...receipts, ...[answer].flat().map((one) => one?.receipt_id)]) if (one) here.add(one);
    latest = receipts.length ? receipts : null;
    toast({
      text: said(answer), command: typeof command === "function" ? command(answer) : command,
      undo: receipts.length ? () => undo(receipts) : null, receipts,
      notes: [...notes(answer), ...[answer].flat().flatMap(skipped)].slice(0, NOTES),
    });
  } catch (problem) {
    if (problem.name === "AbortError") return undefined;
    if (!(problem instanceof Problem)) throw problem;
    if (begun !== epoch()) return undefined;
    if (failed) failed(problem);
    else if (problem.status !== 401) toast({ text: problem.message, bad: true, command: typeof command === "function" ? null : command });
    return undefined;
  } finally {
    running -= 1;
    if (!running) for (const resolve of waiters.splice(0)) resolve();
    button?.removeAttribute("aria-busy");
    if (button) button.disabled = false;
    // A button that is switched off loses the focus.
    if (isHeld && button.isConnected && document.activeElement === document.body) button.focus();
  }
  for (const handler of [...handlers]) handler();
  return answer;
}

/**
 * One thing after the other, a few at a time: {done: [[item, answer]…], failed: [[item, problem]…]}, in the order of
 * the items. Where nobody answers any more the rest is left; `told(count)` hears how far it is.
 */
export async function oneByOne(items, work, told = () => {}) {
  const done = [];
  const failed = [];
  let at = 0;
  let finished = 0;
  const worker = async () => {
    while (at < items.length) {
      const index = at;
      at += 1;
      try {
        done[index] = [items[index], await work(items[index])];
      } catch (problem) {
        if (!(problem instanceof Problem)) throw problem;
        failed[index] = [items[index], problem];
        if (problem.status === 401 || problem.status === 0) at = items.length;
      }
      finished += 1;
      told(finished);
    }
  };
  await Promise.all(Array.from({ length: AT_ONCE }, worker));
  return { done: done.filter(Boolean), failed: failed.filter(Boolean) };
}

/** Take back what a receipt applied, or several, the last one first. */
export async function undo(receipt) {
  const receipts = [receipt].flat().reverse();
  const left = [];
  return await act({
    work: async () => {
      const answers = [];
      for (const one of receipts) {
        try {
          answers.push(await ask("undo", { receipt_id: one }));
        } catch (problem) {
          if (!(problem instanceof Problem) || receipts.length === 1) throw problem;
          left.push([one, problem]);
          if (problem.status === 401 || problem.status === 0) break;
        }
      }
      if (!answers.length) throw left[0][1];
      withdraw(receipts);
      return answers.length === 1 ? answers[0] : answers;
    },
    said: (answer) => {
      const answers = [answer].flat();
      const what = receipts.length === 1 ? `${receipts[0]} was undone` : `${number(answers.length)} of ${number(receipts.length)} receipts were undone`;
      return `${what}: ${number(answers.reduce((sum, one) => sum + one.applied.length, 0))} changed back.`;
    },
    notes: () => left.map(([one, problem]) => h("p", { dir: "auto" }, `${one} was not: ${problem.message}`)),
    command: some(receipts).map((one) => rem("undo", [one])).join(" && "),
  });
}

/** The receipt of an answer that can be undone; null where nothing had to be changed, or nothing comes back. */
function receiptOf(answer) {
  if (!answer || Array.isArray(answer.purged)) return null;
  if (answer.receipt_id) return answer.receipt_id;
  return /^r\d+$/.test(answer.id) && answer.applied?.length ? answer.id : null;
}

function skipped(answer) {
  return Object.entries(answer?.skipped ?? {}).map(([id, why]) => h("p", `${id.slice(-12)} was left alone: ${why}`));
}
