// Whether the store is well: what is known without looking, and a check on demand.

import { ask } from "../../api.js";
import { act } from "../../acting.js";
import { rem } from "../../commands.js";
import { fill, h } from "../../dom.js";
import { command } from "../../parts/command.js";
import { progress } from "../../parts/states.js";
import { memories, number } from "../../words.js";

/** The card's content. */
export function checkup(stats, place) {
  const embedded = Object.values(stats.vectors).reduce((sum, one) => sum + one, 0);
  const facts = [
    ["Policy", stats.policy], ["Due now", memories(stats.due)],
    ["Meaning", stats.embedder ? `${number(embedded)} embedded${stats.waiting ? `, ${number(stats.waiting)} waiting` : ""}` : "by words alone"],
    ["Journal", `${number(stats.receipts)} receipts, ${number(stats.tombstones)} purged`],
    ["Recalls, 30 days", number(stats.recalls)], ["Regrets", number(stats.regrets)],
  ];
  const result = h("div", { role: "status" });
  const look = async (event, repair = false) => {
    const button = event.currentTarget;
    const bar = progress("Checking");
    fill(result, bar);
    const work = () => ask("check", { repair: repair || undefined }, { signal: place.signal, progress: bar.told });
    const told = await act({ work, said: (answer) => (answer.ok ? `All is well: ${memories(answer.checked)} checked.` : "There is damage."), command: rem("check", [], { repair }), button });
    fill(result, told ? shown(told, look) : null);
  };
  return [
    stats.purge_pending ? h("p.notice", "A purge is not finished: something still reads the file. It ends by itself at the next check.") : null,
    stats.sizes.map((one) => h("p.notice", one)),
    h("dl.facts", facts.map(([name, value]) => h("div", h("dt", name), h("dd", { dir: "auto" }, value)))),
    stats.regrets ? h("p.quiet", "A regret is a recall that would have had a memory which had left. ", h("a", { href: "#/plans/dreams" }, "Those that dreams took out"), " can be restored where dreams are listed; of any other, its own page says so.") : null,
    h("div.buttons", h("button", { type: "button", "data-writes": "", on: { click: look } }, "Check now")),
    result,
    command(rem("check")),
  ];
}

function shown(told, look) {
  if (told.ok) return h("p.well", `✓ ${memories(told.checked)} checked, no damage`, told.repaired.length ? `; ${told.repaired.length} kinds of damage repaired.` : ".");
  return [
    h("p.notice.bad", "Damage was found:"),
    h("ul", told.problems.map((one) => h("li", `${one.kind}: ${number(one.count)} (${one.detail})`))),
    told.problems.some((one) => one.repairable) ? h("button", { type: "button", on: { click: (event) => look(event, true) } }, "Repair what can be") : null,
  ];
}
