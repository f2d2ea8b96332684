// What a purge would take, by why it goes; what was asked for itself can be taken out of it.

import { ask } from "../../api.js";
import { fill, h } from "../../dom.js";
import * as badges from "../../parts/badges.js";
import { command } from "../../parts/command.js";
import { figure } from "../../parts/figure.js";
import { waiting, wrong } from "../../parts/states.js";
import { rem, some } from "../../commands.js";
import { memories, number } from "../../words.js";
import { MOST_IDS } from "./address.js";

const PAGE = 50;
const MOST = 200;
const TIES = 3;
const CAPTURED = /captured (observations?|sessions?) /;
const KEPT = /^the newer version (\S+) says something else/;
const WHY = [
  ["asked", "Asked for", "These are what you named."],
  ["older version", "Older versions", "Earlier words of the same memories."],
  ["made from it", "Made from them", "Summaries, insights and cards that hold their words."],
  ["taken from it", "Texts they were taken from", "Whole texts and session summaries that hold their words."],
];

export function preview(plan, { signal, given, said, without, erase }) {
  const gone = plan.changes.filter((one) => one.action === "purge");
  const reading = reader(new Set(gone.map((one) => one.memory_id)), signal);
  const back = plan.changes.filter((one) => one.action !== "purge");
  const newer = plan.warnings.map((one) => KEPT.exec(one)?.[1]).filter(Boolean);
  const notices = plan.warnings.filter((one) => !KEPT.test(one)).map((one) => h("p.notice.sentence", { dir: "auto" }, one));
  const out = new Set();
  const asked = gone.filter((one) => one.reason === "asked").map((one) => one.memory_id);
  const left = h("p.notice", { hidden: true, role: "status" });
  const again = h("button", { type: "button", hidden: true, on: { click: () => without(asked.filter((id) => !out.has(id))) } });
  const go = h("button.danger", { type: "button", "data-writes": "", on: { click: () => erase(gone.length) } }, `Erase ${memories(gone.length)}…`);
  const changed = (id, isIn) => {
    if (isIn) out.delete(id);
    else out.add(id);
    const stays = asked.length - out.size;
    const tooMany = stays > MOST_IDS;
    left.hidden = !out.size;
    left.textContent = tooMany
      ? `Memories one by one can be purged ${number(MOST_IDS)} at a time, and ${number(stays)} are left: choose a narrower scope instead.`
      : stays ? `${memories(out.size)} taken out. What goes along may be different without them: look again before anything is erased. Captured sessions of a scope stay when memories are purged one by one.` : "Nothing is left to erase.";
    again.hidden = !out.size || tooMany || !stays;
    again.textContent = `Look again at ${memories(stays)}`;
    go.disabled = out.size > 0;
  };
  const others = gone.filter((one) => !WHY.some(([reason]) => reason === one.reason));
  const groups = [...WHY.map(([reason, title, about]) => [title, about, gone.filter((one) => one.reason === reason), reason]), ["Other", "", others, "other"]].filter(([, , lines]) => lines.length);
  if (!gone.length) {
    const isCaptured = plan.warnings.some((one) => CAPTURED.test(one));
    go.textContent = "Erase what was captured…";
    return h("section.card", h("h2", { tabindex: "-1" }, isCaptured ? "No memory, but what was captured would be destroyed" : "Nothing would go"),
      isCaptured ? null : h("p", "No memory is there."), notices, isCaptured ? h("div.buttons", go) : null);
  }
  return h(
    "section.erase-preview",
    h("h2", { tabindex: "-1" }, `${memories(gone.length)} would be destroyed`),
    said ? h("p.quiet", said) : null,
    h("div.figures", groups.map(([title, , lines]) => figure(lines.length, title.toLowerCase())), back.length ? figure(back.length, "come back into recall") : null),
    notices,
    groups.map(([title, about, lines, reason], at) => group(title, about, lines, reading, { isOpen: at === 0, changed: reason === "asked" && asked.length > 1 ? changed : null })),
    back.length ? group("What comes back", "They had left recall for a summary that goes; they come back into it.", back, reading) : null,
    newer.length ? group("What is kept", "Newer versions that say something else. Erase them too if they are to go: they are not named by what you asked for.", newer.map((id) => ({ memory_id: id })), reading) : null,
    h("section.card.cannot", h("h3", "What cannot be undone"),
      h("ul", h("li", "The words are destroyed: no undo and no restore brings them back."), h("li", "What keeps a record is only that something was purged, when, and why: not what it said."),
        h("li", "Backups and exports that were made before still hold it. The certificate names the backups it knows of.")),
      left, h("div.buttons", again, go), given.ids && some(given.ids).length < given.ids.length ? h("p.quiet", `The command names the first ${some(given.ids).length} of ${number(given.ids.length)}.`) : null, command(rem("purge", given.ids ? some(given.ids) : [], { about: given.about, scope: given.scope, dry_run: true }), { label: "The same preview on the command line" })),
  );
}

/** Which of what goes it is tied to, and how: [how, ids]. */
function tie(reason, memory, gone) {
  const among = (ids) => ids.filter((id) => gone.has(id));
  if (reason === "older version") return ["Older version of", among([memory.superseded_by])];
  if (reason !== "made from it") return ["", []];
  const made = among(memory.lineage);
  return made.length ? ["Made from", made] : ["Says the same as", among([memory.supersedes])];
}

/** Reads memories by id, some at a time, with what they are tied to: (changes) → [[change, memory, how, tied ones]…]. */
function reader(gone, signal) {
  const known = new Map();
  const read = async (ids) => {
    const missing = [...new Set(ids)].filter((id) => !known.has(id));
    if (!missing.length) return;
    for (const memory of (await ask("list", { ids: missing, state: "all", limit: missing.length }, { signal, shorten: 300 })).items) known.set(memory.id, memory);
  };
  return async (changes) => {
    await read(changes.map((one) => one.memory_id));
    const ties = changes.map(({ memory_id: id, reason }) => (known.has(id) ? tie(reason, known.get(id), gone) : ["", []]));
    await read(ties.flatMap(([, ids]) => ids.slice(0, TIES)));
    return changes.map(({ memory_id: id }, at) => ({ id, memory: known.get(id), how: ties[at][0], tied: ties[at][1].map((one) => known.get(one) ?? { id: one }) }));
  };
}

/** Memories that go for one reason; their texts are asked for when the group is opened, some at a time. */
function group(title, about, lines, reading, { isOpen = false, changed = null } = {}) {
  const list = h("ul.plain.doomed");
  const under = h("div");
  let shown = 0;
  let isAsking = false;
  const further = h("button", { type: "button", hidden: true, on: { click: () => more() } });
  const more = async () => {
    if (isAsking || shown >= lines.length) return;
    isAsking = true;
    const part = lines.slice(shown, shown + PAGE);
    fill(under, waiting(2));
    try {
      list.append(...(await reading(part)).map((one) => line(one, changed)));
      shown += part.length;
      fill(under, shown >= MOST && shown < lines.length ? h("p.quiet", `and ${number(lines.length - shown)} more, which are not shown here.`) : null);
      further.hidden = shown >= lines.length || shown >= MOST;
      further.textContent = `Show more (${number(lines.length - shown)} left)`;
    } catch (problem) {
      if (problem.name !== "AbortError") fill(under, wrong(problem, more));
    } finally {
      isAsking = false;
    }
  };
  const element = h("details.card.doomed-group", { open: isOpen }, h("summary", h("strong", title), ` ${number(lines.length)}`), h("p.quiet", about), list, under, h("div.buttons", further));
  const opened = () => element.open && !shown && more();
  element.addEventListener("toggle", opened);
  opened();
  return element;
}

const named = (memory, id, length) => (memory?.text === undefined ? badges.idLink(id) : badges.link(memory, length));

function line({ id, memory, how, tied }, changed) {
  const box = changed ? h("input", { type: "checkbox", checked: true, "aria-label": `Erase: ${memory?.text.slice(0, 60) ?? id}`, on: { change: (event) => changed(id, event.currentTarget.checked) } }) : null;
  return h("li", { "data-row": "" }, box, h("div", named(memory, id, 200),
    memory ? h("div.marks", badges.state(memory.state), badges.tag(memory.kind), badges.scope(memory.scope), badges.when(memory.created_at)) : null,
    tied.length
      ? h("p.tied", `${how} `, tied.slice(0, TIES).map((one, at) => [at ? ", " : "", h("q", named(one, one.id, 80))]), tied.length > TIES ? ` and ${number(tied.length - TIES)} more` : "")
      : null));
}
