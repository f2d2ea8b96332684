// Memories that were kept out of recall because they looked suspicious, each with why, to be accepted or rejected.

import { act, oneByOne } from "../../acting.js";
import { ask } from "../../api.js";
import { rem, some } from "../../commands.js";
import { fill, h } from "../../dom.js";
import * as badges from "../../parts/badges.js";
import { command } from "../../parts/command.js";
import { confirm } from "../../parts/dialog.js";
import { arrange } from "../../parts/keyed.js";
import { nothing, waiting, wrong } from "../../parts/states.js";
import { toast } from "../../parts/toast.js";
import { whole } from "../../parts/whole.js";
import { beginning, decimal, memories, number } from "../../words.js";
import { MOST_IDS } from "../erase/address.js";
import { hint, keys, neighbour } from "./rows.js";

const PAGE = 20;
const MOST = 200;
const LETTERS = 600;
const STEP = 1000;
const WAYS = ["accept", "reject"];
const NAMED = 20; // ids that a command names

export async function quarantined(place, body) {
  const { signal } = place;
  const scope = place.query.get("scope") || null;
  const rows = new Map();
  let items = [];
  let wanted = PAGE;
  let isMore = false;
  let total = 0;
  let turns = 0;

  const list = h("ol.review-list", { "aria-label": "Quarantined memories" });
  const summary = h("p.quiet", { "aria-live": "polite" });
  const empty = h("div");
  const chosen = () => items.filter(({ id }) => rows.get(id).box.checked).map(({ id }) => id);
  const all = h("input", { type: "checkbox", on: { change: () => { for (const { box } of rows.values()) box.checked = all.checked; look(); } } });
  const tools = bulk({ scope, chosen, total: () => total, settle, signal, ways: place.can.accept ? WAYS : ["reject"] });
  const further = h("button", { type: "button", on: { click: () => { wanted = Math.min(wanted + PAGE, MOST); load(); } } }, "Show more");

  /** As many as are wanted, and how many there are; what is shown stays until they have come, and where they do not. */
  async function load() {
    const turn = (turns += 1);
    try {
      const [page, count] = await Promise.all([
        ask("review.list", { scope, limit: wanted }, { signal, shorten: LETTERS }),
        ask("review.count", { scope }, { signal }),
        place.recount(),
      ]);
      if (turn !== turns) return;
      items = page.items;
      isMore = Boolean(page.next);
      total = count.count;
      draw();
    } catch (problem) {
      if (problem.name === "AbortError" || turn !== turns) return;
      if (problem.status === undefined) throw problem;
      fill(empty, wrong(problem, load));
    }
  }
  function draw() {
    const shown = new Set(items.map(({ id }) => id));
    for (const id of [...rows.keys()]) if (!shown.has(id)) rows.delete(id);
    for (const memory of items) if (!rows.has(memory.id)) rows.set(memory.id, made(memory));
    arrange(list, items.map(({ id }) => rows.get(id).element));
    further.hidden = !isMore || items.length >= MOST;
    tools.element.hidden = !items.length;
    fill(empty, items.length ? null : none(scope));
    look();
  }
  function look() {
    const count = chosen().length;
    all.checked = count > 0 && count === items.length;
    all.indeterminate = count > 0 && count < items.length;
    summary.textContent = items.length ? `${number(items.length)} of ${memories(total)} shown${count ? `, ${number(count)} chosen` : ""}.` : "";
    tools.look(count);
  }
  function made(memory) {
    const box = h("input", { type: "checkbox", "data-writes": "", "aria-label": `Choose: ${beginning(memory.text, 60)}`, on: { change: look } });
    return { box, element: row(memory, box, (how, button) => settleOne(memory, how, button), place) };
  }
  async function settleOne(memory, how, button) {
    const element = rows.get(memory.id).element;
    const after = neighbour(element);
    const answer = await settle(how, [memory.id], rem(`review ${how}`, [memory.id]), button);
    if (!answer) return;
    items = items.filter(({ id }) => id !== memory.id);
    draw();
    if (after?.isConnected) after.focus();
  }

  place.onEntries(() => !signal.aborted && load());
  place.onDone(() => !signal.aborted && load());
  keys(list, { a: "[data-how=accept]", r: "[data-how=reject]", x: "input[type=checkbox]" }, signal);
  fill(body,
    h("p", "These looked as if they wanted to give orders to whoever reads them, so no recall shows them. Accept brings a memory into recall. Reject forgets it, softly. Both can be undone, and nothing leaves by itself."),
    place.can.accept || !place.can.write ? null : h("p.quiet", "Your token does not speak for a person, and what is quarantined waits for one: it can reject, and not accept. Take the owner’s token, or one of ", h("code", "rem token create NAME --human"), "."),
    filter(scope, () => items),
    h("div.row.apart.review-head", h("label.choice", { "data-writes": "" }, all, "Choose all shown"), summary, hint(place, [...(place.can.accept ? [["a", "accept"]] : []), ["r", "reject"]])),
    tools.element, list, empty, h("div.buttons", further));
  fill(empty, waiting(4));
  further.hidden = tools.element.hidden = true;
  await load();
}

/** Accept or reject these and no others, in as many calls as that takes. */
async function settle(how, ids, said, button) {
  const portions = Array.from({ length: Math.ceil(ids.length / MOST_IDS) }, (_, at) => ids.slice(at * MOST_IDS, (at + 1) * MOST_IDS));
  let failed = [];
  return await act({
    work: async () => {
      const found = await oneByOne(portions, (some) => ask(`review.${how}`, { ids: some }));
      failed = found.failed;
      if (!found.done.length) throw failed[0][1];
      return found.done.map(([, receipt]) => receipt);
    },
    said: (receipts) => `${memories(receipts.reduce((sum, one) => sum + one.applied.length, 0))} ${how === "accept" ? "accepted: in recall from now on" : "rejected: forgotten, softly"}.`,
    notes: () => failed.map(([some, problem]) => h("p", { dir: "auto" }, `${memories(some.length)} stay: ${problem.message}`)),
    command: said, button,
  });
}

/** All that are quarantined now, by their ids: what comes in while a question is open was not asked about. */
async function waitingIds(scope, signal) {
  const ids = new Set();
  let cursor;
  do {
    const page = await ask("review.list", { scope, limit: STEP, cursor }, { signal, shorten: 1 });
    for (const { id } of page.items) ids.add(id);
    cursor = page.next;
  } while (cursor);
  return [...ids];
}

/** The buttons for many at once. */
function bulk({ scope, chosen, total, settle: work, signal, ways }) {
  const button = (how, many) => h("button.small", { type: "button", "data-writes": "", on: { click: (event) => press(how, many, event.currentTarget) } });
  const buttons = [false, true].flatMap((many) => ways.map((how) => ({ how, many, element: button(how, many) })));
  let isReading = false;
  const press = async (how, isAll, element) => {
    let ids = chosen();
    if (isReading) return;
    if (isAll) {
      isReading = true;
      element.setAttribute("aria-busy", "true");
      try {
        ids = await waitingIds(scope, signal);
      } catch (problem) {
        if (problem.name === "AbortError") return;
        if (problem.status === undefined) throw problem;
        if (problem.status !== 401) toast({ text: problem.message, bad: true });
        return;
      } finally {
        isReading = false;
        element.removeAttribute("aria-busy");
      }
    }
    if (!ids.length) {
      toast({ text: "Nothing waits any more: somebody else has settled it." });
      return;
    }
    const isNamed = !isAll || ids.length <= NAMED;
    const said = isNamed ? rem(`review ${how}`, some(ids, NAMED)) : rem(`review ${how}`, [], scope ? { scope } : { all: true });
    const accepting = how === "accept";
    const sure = await confirm({
      title: `${accepting ? "Accept" : "Reject"} ${memories(ids.length)}?`,
      text: [
        accepting ? "They come into recall: agents are shown their words from then on. Whole texts that wait to be taken apart go to the archive." : "They are forgotten, softly: no recall shows them, and they can be restored.",
        isAll && scope ? `All that are quarantined in ${scope} and below it, those not shown here too.` : isAll ? "All that are quarantined, in every scope, those not shown here too." : "",
        isNamed ? (ids.length > NAMED ? `The command names the first ${NAMED} of ${number(ids.length)}.` : "") : "The command takes whatever is quarantined when it runs.",
        "One undo takes all of it back.",
      ].filter(Boolean),
      command: said, yes: accepting ? "Accept them" : "Reject them", danger: accepting,
    });
    if (!sure) return;
    await work(how, ids, said, element);
  };
  const element = h("div.buttons", buttons.map((one) => one.element));
  const look = (count) => {
    for (const one of buttons) {
      const verb = one.how === "accept" ? "Accept" : "Reject";
      one.element.textContent = one.many ? `${verb} all ${number(total())}${scope ? " of this scope" : ""}` : `${verb} chosen`;
      one.element.disabled = one.many ? !total() : !count;
    }
  };
  return { element, look };
}

function filter(scope, items) {
  const input = h("input", { type: "text", value: scope ?? "", placeholder: "/ (all)", dir: "ltr", maxlength: 1024, list: "review-scopes", on: { focus: offer } });
  const offered = h("datalist#review-scopes");
  function offer() {
    fill(offered, [...new Set(items().map((memory) => memory.scope))].sort().map((one) => h("option", { value: one })));
  }
  const submit = (event) => {
    event.preventDefault();
    const value = input.value.trim();
    location.hash = value && value !== "/" ? `#/review?scope=${encodeURIComponent(value)}` : "#/review";
  };
  return h("form.inline.review-filter", { on: { submit } }, h("label.field", h("span", "Only this scope and below"), input), offered, h("button", { type: "submit" }, "Filter"));
}

function none(scope) {
  if (scope) return nothing("Nothing is quarantined in this scope", h("p", h("a", { href: "#/review" }, "Look in all of them")));
  return nothing("Nothing waits for you", "What comes from outside and tries to give orders is kept here until you have looked at it.", command(rem("review")));
}

/** One memory: its words, why it is here, and what can be done with it. */
function row(memory, box, settled, { can, signal }) {
  const reasons = Array.isArray(memory.metadata?.screened) ? memory.metadata.screened : [];
  const text = h("div.text", { dir: "auto" }, memory.text);
  const isSource = memory.kind === "source_text";
  const button = (how, words) => h("button", { type: "button", "data-how": how, "data-writes": "", "aria-keyshortcuts": how[0], class: how === "accept" ? "" : "danger", on: { click: (event) => settled(how, event.currentTarget) } }, words);
  return h(
    "li.card.review-row",
    { "data-row": "", "data-id": memory.id, tabindex: "-1" },
    h("div.review-choose", box),
    h("div.review-main",
      text,
      rest(memory, text, signal),
      h("div.why", h("strong", "Kept out because it"), reasons.length ? h("ul", reasons.map((one) => h("li", { dir: "auto" }, String(one)))) : h("p", "was put there by hand.")),
      h("div.marks", badges.tag(memory.kind), badges.scope(memory.scope), h("span", `from ${memory.source}`), h("span", `trust ${decimal(memory.trust)}`), badges.when(memory.created_at), h("a", { href: `#/memory/${memory.id}` }, "All of it")),
      alike(memory, signal)),
    h("div.review-does", can.accept ? button("accept", "Accept") : null, button("reject", "Reject"),
      !can.accept ? null : h("p.quiet", isSource ? "Accepted, it goes to the archive, to be taken apart." : `Accepted, it is a live ${memory.kind} in ${memory.scope}.`)),
  );
}

/** The way to the rest of a memory whose text was cut. */
export const rest = (memory, text, signal) =>
  memory.cut ? whole(memory.cut, text, async () => (await ask("get", { id: memory.id }, { signal })).text) : null;

/** What is known that is alike, asked for when somebody wants to see it beside. */
function alike(memory, signal) {
  const inside = h("div");
  const element = h("details.alike", h("summary", "What is known that is alike"), inside);
  let isAsked = false;
  const asked = async () => {
    if (!element.open || isAsked) return;
    isAsked = true;
    fill(inside, waiting(2));
    try {
      const { hits } = await ask("recall", { query: beginning(memory.text, 500), limit: 4, reinforce: false }, { signal, shorten: 300 });
      fill(inside, hits.length
        ? h("ul.plain", hits.map((hit) => h("li", badges.link(hit.memory, 240), h("div.marks", badges.scope(hit.memory.scope), h("span", `from ${hit.memory.source}`), h("span", `trust ${decimal(hit.memory.trust)}`), badges.when(hit.memory.created_at)))))
        : h("p.quiet", "Nothing in recall is like it."));
    } catch (problem) {
      isAsked = false;
      if (problem.name === "AbortError") return;
      if (problem.status === undefined) throw problem;
      fill(inside, wrong(problem, asked));
    }
  };
  element.addEventListener("toggle", asked);
  return element;
}
