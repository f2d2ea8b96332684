// Taking back a receipt: what it did is looked up and said first, and nothing is offered that cannot be taken back.

import { act } from "../acting.js";
import { ask, Problem } from "../api.js";
import { rem } from "../commands.js";
import { memories } from "../words.js";
import { confirm } from "./dialog.js";
import { toast } from "./toast.js";

/**
 * A receipt in brief: {id, verb, at, note, undoes, undone_by, actions, memories}. The list of receipts knows whether one
 * was undone, but is for tokens of the whole store; others read the receipt itself, which does not say.
 */
export async function briefOf(id, { isWhole = true, signal } = {}) {
  if (isWhole) {
    const { items } = await ask("receipts", { before: `r${BigInt(id.slice(1)) + 1n}`, limit: 1 }, { signal });
    if (items[0]?.id === id) return items[0];
  }
  const receipt = await ask("receipt", { receipt_id: id }, { signal, shorten: 1 });
  const actions = new Map();
  for (const { action } of receipt.changes ?? []) actions.set(action, (actions.get(action) ?? 0) + 1);
  return { ...receipt, undone_by: null, actions: Object.fromEntries(actions), memories: receipt.applied.length };
}

/** Whether a receipt can be taken back, by what it did. */
export const isUndoable = (brief) => !brief.undone_by && brief.verb !== "purge" && !Object.hasOwn(brief.actions, "purge") && brief.memories > 0;

/**
 * Take back a receipt, or the undo of one, after asking. `receipt` is one in brief, or an id that is looked up. Answers
 * the receipt of the undo, or undefined where nothing was done, which was told where it was not the person's own wish.
 */
export async function takeBack(receipt, button, { isWhole = true, signal } = {}) {
  const brief = typeof receipt === "string" ? await looked(receipt, button, { isWhole, signal }) : receipt;
  if (!brief) return undefined;
  const command = rem("undo", [brief.id]);
  if (!isUndoable(brief)) {
    toast({ text: brief.undone_by ? `${brief.id} was undone already, by ${brief.undone_by}.` : `${brief.id} cannot be undone: nothing it did can be taken back.`, bad: true });
    return undefined;
  }
  const isUndo = Boolean(brief.undoes);
  const sure = await confirm({
    title: isUndo ? `Redo ${brief.undoes}?` : `Undo ${brief.id}?`,
    text: isUndo
      ? `${brief.id} took back ${brief.undoes}. Undoing it does ${brief.undoes} once more, for ${memories(brief.memories)}.`
      : `What ${brief.verb} did to ${memories(brief.memories)} is taken back. What has changed since then is left alone, and the undo can be undone.`,
    command,
    yes: isUndo ? "Redo" : "Undo",
  });
  if (!sure) return undefined;
  return await act({
    work: () => ask("undo", { receipt_id: brief.id }, { shorten: 200 }),
    said: (answer) => `${isUndo ? `${brief.undoes} was done again` : `${brief.id} was undone`}: ${memories(answer.applied.length)} changed back.`,
    command,
    button,
  });
}

async function looked(id, button, options) {
  button?.setAttribute("aria-busy", "true");
  try {
    return await briefOf(id, options);
  } catch (problem) {
    if (problem.name === "AbortError" || problem.status === 401) return null;
    if (!(problem instanceof Problem)) throw problem;
    toast({ text: `${id} was left alone: ${problem.message}`, bad: true, command: rem("undo", [id]) });
    return null;
  } finally {
    button?.removeAttribute("aria-busy");
  }
}
