// The buttons of a memory: each changes it only if it still is what is shown, and says its command.

import { act } from "../../acting.js";
import { ask } from "../../api.js";
import { rem } from "../../commands.js";
import { fill, h } from "../../dom.js";
import { beginning } from "../../words.js";
import { command } from "../../parts/command.js";
import { confirm, dialog } from "../../parts/dialog.js";
import { pick } from "../../parts/pick.js";
import { whyNot } from "../../parts/why_not.js";
import { eraseHref } from "../erase/address.js";
import { edit } from "./editing.js";
import { FIRST } from "./text.js";

const UP = ["working", "episodic"];
const DOWN = ["semantic", "episodic"];

/** Things one after the other: each begins when those before it are done, whatever came of them. */
export function inTurn() {
  let before = Promise.resolve();
  return (work) => {
    const mine = before.then(work);
    before = mine.catch(() => {});
    return mine;
  };
}

/**
 * The buttons. `held()` gives {memory, etag} as they are shown; `took(answer)` is told what a change made of it, so that
 * the next one is held against that; `moved()` is called when it turned out that somebody else has changed it. `turn`
 * does one thing after the other.
 */
export function buttons(place, { held, took, moved, turn }) {
  const { memory } = held();
  const { id } = memory;

  /** Do it if the memory is still what is shown. Calls by id take the ETag along; others look before. */
  const marked = (call, given) => () => turn(async () => {
    try {
      const { answer, etag } = await ask(call, { id, ...given }, { match: held().etag, shorten: FIRST, whole: true });
      took(answer, etag);
      return answer;
    } catch (problem) {
      if (problem.status !== 412 && problem.status !== 404) throw problem;
      moved();
      throw new DOMException("told in its place", "AbortError");
    }
  });
  const isSame = async () => {
    try {
      const { etag } = await ask("get", { id }, { whole: true, shorten: 100, signal: place.signal });
      if (etag === held().etag) return true;
      moved();
    } catch (problem) {
      if (problem.name !== "AbortError") moved();
    }
    return false;
  };
  const simple = (call, said, { given = {}, options = {} } = {}) => (event) =>
    act({
      work: marked(call, given), said: () => said, command: rem(call, [id], options), button: event.currentTarget,
    });
  const forget = async (event) => {
    const button = event.currentTarget;
    const said = rem("forget", [id], { yes: true });
    const sure = await confirm({ title: "Forget this memory?", text: [h("p.text", { dir: "auto" }, beginning(memory.text, 200)), "It leaves every recall. It can be undone."], yes: "Forget", command: said });
    if (!sure || !(await turn(isSame))) return;
    await act({ work: () => ask("forget", { ids: [id] }), said: (told) => (told.applied.length ? "Forgotten." : "It was left alone."), command: said, button });
  };
  const restore = async (event) => {
    const button = event.currentTarget;
    if (!(await turn(isSame))) return;
    await act({ work: () => ask("restore", { ids: [id] }), said: (told) => (told.applied.length ? "Restored: it is recalled again." : "It was left alone."), command: rem("restore", [id]), button });
  };
  const doubt = async (event) => {
    const button = event.currentTarget;
    const by = await challenger(memory);
    if (by === undefined) return;
    await act({
      work: marked("challenge", { by: by || undefined }),
      said: () => "Challenged: it is marked as doubted until somebody confirms it.", command: rem("challenge", [id], { by }), button,
    });
  };
  const isLive = memory.state === "live";
  const all = [
    ["edit", "Edit…", () => turn(() => {}).then(() => edit(place, held, moved)), isLive, "primary", null],
    memory.pinned ? ["unpin", "Unpin", simple("unpin", "Unpinned: it ages again."), true, "", rem("unpin", [id])] : ["pin", "Pin", simple("pin", "Pinned: no automatic pass touches it."), true, "", rem("pin", [id])],
    ["promote", "Promote", simple("promote", "Promoted by one layer."), UP.includes(memory.layer), "", rem("promote", [id])],
    ["demote", "Demote", simple("demote", "Demoted by one layer."), DOWN.includes(memory.layer), "", rem("demote", [id])],
    ["confirm", "Confirm", simple("confirm", "Confirmed."), true, "", rem("confirm", [id])],
    ["challenge", "Challenge…", doubt, true, "", rem("challenge", [id])],
    ["used", "Useful", simple("used", isLive ? "Noted: it was of use. It ranks higher and fades more slowly." : `Noted: it was of use, and is ${memory.state}. Restore brings it back.`), true, "", rem("used", [id])],
    ["useless", "Not useful", simple("feedback", "Noted: it was of no use. It ranks lower and fades sooner.", { given: { useful: false }, options: { no_useful: true } }), true, "", rem("feedback", [id], { no_useful: true })],
    isLive ? ["forget", "Forget…", forget, true, "", rem("forget", [id], { yes: true })] : null,
    !isLive && memory.state !== "quarantined" ? ["restore", "Restore", restore, true, "", rem("restore", [id])] : null,
  ].filter((one) => one && one[3]);
  return h(
    "div",
    h("div.buttons", all.map(([name, text, click, , kind]) => h("button", { type: "button", class: kind, "data-writes": "", "data-does": name, on: { click } }, text)),
      place.can.whole ? h("a.button.danger-link", { href: eraseHref([id]), "data-writes": "", "data-does": "purge" }, "Purge…") : null,
      h("button.quiet", { type: "button", "data-does": "why", on: { click: () => whyNot({ memory, signal: place.signal }) } }, "Why does it not come?")),
    memory.state === "quarantined" ? h("p.notice", "It is kept for review: ", h("a", { href: "#/review" }, "accept or reject it there"), ".") : null,
    h("details.numbers", h("summary", "On the command line"), command(rem("show", [id])), all.map(([, , , , , said]) => (said ? command(said) : null)), place.can.whole ? command(rem("purge", [id], { reason: "REASON", yes: true })) : null, command(rem("revise", [id], { text: "NEW TEXT" }))),
  );
}

/** Who doubts it: "" for a person, an id for another memory; undefined where nobody does after all. */
function challenger(memory) {
  return dialog("Challenge this memory", (close) => {
    const shown = h("div", command(rem("challenge", [memory.id])));
    const chosen = h("p", { role: "status" });
    let by = "";
    const taken = (one) => {
      by = one.id;
      fill(chosen, "Contradicted by ", h("q", { dir: "auto" }, beginning(one.text, 100)));
      fill(shown, command(rem("challenge", [memory.id], { by })));
      button.textContent = "Challenge by that";
    };
    const button = h("button.primary", { type: "button", on: { click: () => close(by) } }, "Challenge it myself");
    return [
      h("p", "A challenged memory is marked as doubted and comes up for review. Say by which memory it is contradicted, or doubt it yourself."),
      pick("The memory that contradicts it", taken, { except: memory.id }), chosen, shown,
      h("div.dialog-buttons", h("button", { type: "button", on: { click: () => close() } }, "Cancel"), button),
    ];
  });
}
