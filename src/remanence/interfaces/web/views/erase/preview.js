// What a purge would take, by why it goes; what was asked for itself can be taken out of it.

import { ask } from "../../api.js";
import { fill, h } from "../../dom.js";
import * as badges from "../../parts/badges.js";
import { command } from "../../parts/command.js";
import { waiting, wrong } from "../../parts/states.js";
import { rem, some } from "../../commands.js";
import { memories, number } from "../../words.js";

const PAGE = 50;
const MOST = 200;
const MOST_IDS = 10000;
const CAPTURED = /captured (observations?|sessions?) /;
const KEPT = /^the newer version (\S+) says something else/;
const WHY = [
  ["asked", "Asked for", "These are what you named. Take one out if it is to stay."],
  ["older version", "Older versions", "Earlier words of the same memories."],
  ["made from it", "Made from them", "Summaries, insights and cards that hold their words."],
  ["taken from it", "Texts they were taken from", "Whole texts and session summaries that hold their words."],
];

export function preview(plan, { signal, given, said, without, erase }) {
  const gone = plan.changes.filter((one) => one.action === "purge");
  const back = plan.changes.filter((one) => one.action !== "purge");
  const newer = plan.warnings.map((one) => KEPT.exec(one)?.[1]).filter(Boolean);
  const notices = plan.warnings.filter((one) => !KEPT.test(one)).map((one) => h("p.notice", { dir: "auto" }, one));
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
  const groups = WHY.map(([reason, title, about]) => [title, about, gone.filter((one) => one.reason === reason), reason]);
  const others = gone.filter((one) => !WHY.some(([reason]) => reason === one.reason));
  if (others.length) groups.push(["Other", "", others, "other"]);
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
    h("div.figures", groups.filter(([, , lines]) => lines.length).map(([title, , lines]) => h("div.figure", h("b", number(lines.length)), h("span", title.toLowerCase()))),
      back.length ? h("div.figure", h("b", number(back.length)), h("span", "come back into recall")) : null),
    notices,
    groups.filter(([, , lines]) => lines.length).map(([title, about, lines, reason], at) => group(title, about, lines, { signal, isOpen: at === 0, changed: reason === "asked" && asked.length > 1 ? changed : null })),
    back.length ? group("What comes back", "They had left recall for a summary that goes; they come back into it.", back, { signal, isOpen: false, changed: null }) : null,
    newer.length ? group("What is kept", "Newer versions that say something else. Erase them too if they are to go: they are not named by what you asked for.", newer.map((id) => ({ memory_id: id })), { signal, isOpen: false, changed: null }) : null,
    h("section.card.cannot", h("h3", "What cannot be undone"),
      h("ul", h("li", "The words are destroyed: no undo and no restore brings them back."), h("li", "What keeps a record is only that something was purged, when, and why: not what it said."),
        h("li", "Backups and exports that were made before still hold it. The certificate names the backups it knows of.")),
      left, h("div.buttons", again, go), given.ids && some(given.ids).length < given.ids.length ? h("p.quiet", `The command names the first ${some(given.ids).length} of ${number(given.ids.length)}.`) : null, command(rem("purge", given.ids ? some(given.ids) : [], { about: given.about, scope: given.scope, dry_run: true }), { label: "The same preview on the command line" })),
  );
}

/** Memories that go for one reason; their texts are asked for when the group is opened, some at a time. */
function group(title, about, lines, { signal, isOpen, changed }) {
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
      const { items } = await ask("list", { ids: part.map((one) => one.memory_id), state: "all", limit: PAGE }, { signal, shorten: 300 });
      const known = new Map(items.map((memory) => [memory.id, memory]));
      list.append(...part.map((change) => line(change.memory_id, known.get(change.memory_id), changed)));
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

function line(id, memory, changed) {
  const text = memory ? badges.link(memory, 200) : badges.idLink(id);
  const box = changed ? h("input", { type: "checkbox", checked: true, "aria-label": `Erase: ${memory?.text.slice(0, 60) ?? id}`, on: { change: (event) => changed(id, event.currentTarget.checked) } }) : null;
  return h("li", { "data-row": "" }, box, h("div", text, memory ? h("div.marks", badges.state(memory.state), badges.tag(memory.kind), badges.scope(memory.scope), badges.when(memory.created_at)) : null));
}
