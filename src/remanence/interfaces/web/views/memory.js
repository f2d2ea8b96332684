// One memory: its text, why it stands where it does, where it comes from, what happened to it, and what can be done.

import { settled, wasDoneHere } from "../acting.js";
import { ask, Problem } from "../api.js";
import { rem } from "../commands.js";
import { fill, h } from "../dom.js";
import { ago, words } from "../words.js";
import { scope, state, tag, when } from "../parts/badges.js";
import { command } from "../parts/command.js";
import { nothing, waiting, wrong } from "../parts/states.js";
import { buttons, inTurn } from "./memory/doing.js";
import { tell } from "./memory/fate.js";
import { changed, changes, fields } from "./memory/fields.js";
import { FIRST, text } from "./memory/text.js";
import { ties } from "./memory/ties.js";
import { journal, versions, withUndone } from "./memory/versions.js";

const COMPARED = 20000;

export async function show(place) {
  const id = place.path[0] ?? "";
  const { signal } = place;
  let held;
  try {
    held = await fetched();
  } catch (problem) {
    if (problem.status !== 404 && problem.status !== 422) throw problem;
    await gone(place, id);
    return;
  }

  // -- the frame
  const notice = h("div", { "aria-live": "polite" });
  const head = h("section.card.head", { "aria-label": "The memory" });
  const facts = h("section.card", h("h2", "All fields"));
  const section = (title, lines = 4) => {
    const content = h("div", waiting(lines));
    return { content, element: h("section.card", h("h2", title), content) };
  };
  const parts = {
    life: section("From birth to forgetting", 6), spoken: section("In words"), factors: section("What it is worth, and why", 8),
    ties: section("Lineage"), versions: section("Versions"), journal: section("Journal"),
  };
  fill(
    place.main, place.heading(),
    h("div.memory-page", notice, head,
      h("div.pair", h("div.stack", parts.life.element, parts.spoken.element), parts.factors.element),
      parts.ties.element,
      h("div.pair", h("div.stack", parts.versions.element, parts.journal.element), facts)),
  );

  async function fetched() {
    const { answer, etag } = await ask("get", { id }, { whole: true, shorten: FIRST, signal });
    return { memory: answer, etag };
  }

  function drawHead() {
    const { memory } = held;
    const does = head.contains(document.activeElement) ? document.activeElement.dataset.does : null;
    fill(
      head,
      memory.superseded_by ? h("p.notice", "There is a newer version: ", h("a", { href: `#/memory/${memory.superseded_by}` }, "show it"), ".") : null,
      text(memory, signal),
      h("div.marks",
        state(memory.state), tag(words(memory.kind)), h("span", memory.layer), scope(memory.scope), h("span", `from ${memory.source}`), h("span", "born ", when(memory.created_at)),
        memory.pinned ? h("span", "pinned") : null, memory.challenged_by ? h("span.doubted", "challenged") : null, memory.version > 1 ? h("span", `version ${memory.version}`) : null),
      buttons(place, { held: () => held, took, moved, turn: queue }),
    );
    if (does) (head.querySelector(`[data-does="${does}"]`) ?? head.querySelector("[data-does]"))?.focus({ preventScroll: true });
    fill(facts, h("h2", "All fields"), fields(memory));
  }

  // -- what is asked for besides, each part by itself: one that fails leaves the others
  let turn = 0;
  async function drawParts() {
    const mine = (turn += 1);
    const history = ask("history", { id }, { signal, shorten: COMPARED }).then((answer) => answer.items);
    const into = async (places, asked, draw) => {
      try {
        const answer = await asked();
        if (mine === turn) draw(answer);
      } catch (problem) {
        if (problem.name === "AbortError" || mine !== turn) return;
        if (!(problem instanceof Problem)) console.error(problem);
        for (const one of places) fill(one.content, wrong(problem, drawParts));
      }
    };
    await Promise.all([
      into([parts.life, parts.spoken, parts.factors], () => Promise.all([ask("explain", { id }, { signal }), history.catch(() => [])]), ([told, events]) =>
        tell({ life: parts.life.content, spoken: parts.spoken.content, factors: parts.factors.content }, told, events)),
      into([parts.ties], () => ask("lineage", { id }, { signal }), (told) => fill(parts.ties.content, ties(told))),
      into([parts.versions], () => history, (events) => fill(parts.versions.content, versions(events, id))),
      into([parts.journal], async () => await withUndone(await history, { isWhole: place.can.whole, signal }), drawJournal),
    ]);
  }

  /** The journal anew; who was at one of its buttons stays there. */
  function drawJournal(events) {
    const { content } = parts.journal;
    const does = content.contains(document.activeElement) ? document.activeElement.dataset.does : null;
    fill(content, journal(place, events, id));
    if (does) (content.querySelector(`[data-does="${does}"]`) ?? content.querySelector("[data-does]"))?.focus({ preventScroll: true });
  }

  let latest = 0;
  /** What is there now. That something was not done stays said until it is wanted anew, or something else is done. */
  async function anew() {
    const mine = (latest += 1);
    try {
      const now = await fetched();
      if (mine !== latest) return;
      held = now;
      if (!notice.querySelector(".meanwhile")) fill(notice);
      drawHead();
      await drawParts();
    } catch (problem) {
      if (problem.name !== "AbortError" && mine === latest) place.again();
    }
  }

  const queue = inTurn();
  /** What was done here made this of it. */
  function took({ receipt_id: _, ...memory }, etag) {
    held = { memory, etag };
    latest += 1; // what is on its way was asked for before
    fill(notice);
  }

  /** Somebody else changed it: say what, and leave what is shown until it is wanted anew. */
  async function moved() {
    const before = held;
    let now;
    try {
      now = await fetched();
    } catch (problem) {
      if (problem.name === "AbortError") return;
      if (problem.status === 404) fill(notice, h("div.notice.bad", { role: "alert" }, h("strong", "It is gone: "), "somebody purged it meanwhile. ", again()));
      else fill(notice, h("div.meanwhile", wrong(problem, moved)));
      return;
    }
    const pairs = changed(before.memory, now.memory);
    fill(notice, h("div.notice.meanwhile", { role: "alert" },
      h("p", h("strong", "Changed meanwhile"), ": somebody else changed this memory after it was shown here. Nothing was done."),
      pairs.length ? changes(pairs) : h("p", "None of what is shown here differs."),
      again()));
    notice.scrollIntoView({ block: "nearest" });
  }
  const again = () => h("button.small", { type: "button", on: { click: async () => { fill(notice); await anew(); place.main.querySelector("h1")?.focus(); } } }, "Show it as it is now");

  place.onDone(anew);
  place.onEntries(async (entries) => {
    await settled();
    const others = entries.filter((entry) => entry.memory_id === id && !wasDoneHere(entry.receipt_id));
    if (signal.aborted || !others.length) return;
    try {
      const now = await fetched();
      if (now.etag === held.etag || notice.querySelector(".meanwhile")) return;
      const { verb, at } = others.at(-1);
      const pairs = changed(held.memory, now.memory);
      fill(notice, h("div.notice", h("p", h("strong", "Changed elsewhere"), `: ${words(verb)}, ${ago(at)}.`), pairs.length ? changes(pairs) : null, again()));
    } catch (problem) {
      if (problem.status === 404) moved();
    }
  });

  drawHead();
  drawParts();
}

/** No such memory, or no longer: the journal may know what became of it. */
async function gone(place, id) {
  let events = [];
  try {
    events = (await ask("history", { id }, { signal: place.signal, shorten: 200 })).items;
  } catch (problem) {
    if (problem.name === "AbortError") throw problem;
  }
  place.onDone(place.again);
  const purge = [...events].reverse().find((event) => event.action === "purge" && event.memory_id === id);
  fill(
    place.main,
    place.heading(purge ? "This memory was purged" : "There is no such memory"),
    purge
      ? h("section.card.memory-page",
          h("p", "Its text is destroyed: nothing here or in the files has it any more. ", purge.note ? ["Reason: ", h("bdi", purge.note)] : ""),
          h("h2", "What the journal still knows"), journal(place, events, id, { isGone: true }), command(rem("history", [id])))
      : nothing("Nothing is known by this id", h("p", h("code", { dir: "ltr" }, id.slice(0, 80) || "(none)")),
          "It may be of another namespace, or be mistyped. Your token may also not reach it.", h("div.row.center", h("a.button", { href: "#/memories" }, "To the memories"))),
  );
}
