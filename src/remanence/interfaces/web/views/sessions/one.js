// One session: what it was about, what was learned in it, and what was said and done, in order.

import { act } from "../../acting.js";
import { ask } from "../../api.js";
import { rem } from "../../commands.js";
import { fill, h } from "../../dom.js";
import * as badges from "../../parts/badges.js";
import { command } from "../../parts/command.js";
import { markdown } from "../../parts/markdown.js";
import { nothing, progress } from "../../parts/states.js";
import { whole } from "../../parts/whole.js";
import { beginning, counted, moment, number } from "../../words.js";

const LETTERS = 1200;
const STEP = 100;
const MOST_LEARNED = 200;
const WHO = { user: "Person", assistant: "Agent", tool: "Tool", system: "System" };

export async function one(place, id) {
  const { main, signal } = place;
  const session = await ask("sessions.show", { id }, { signal, shorten: LETTERS });
  const observed = session.observations;
  // The summary by its own name: it may stand behind all that was learned.
  const named = session.learned.filter((one) => one !== session.summary);
  const ids = [session.summary, ...named.slice(0, MOST_LEARNED)].filter(Boolean);
  const learned = ids.length ? (await ask("list", { ids, state: "all", limit: ids.length }, { signal, shorten: 4000 })).items : [];
  const summary = learned.find((memory) => memory.id === session.summary);
  const others = learned.filter((memory) => memory.id !== session.summary);
  const unseen = named.length - MOST_LEARNED;
  const fresh = observed.length - session.processed_to;
  const under = h("div");

  fill(main,
    h("p.crumbs", h("a", { href: "#/sessions" }, "Sessions"), " / ", h("a", { href: `#/sessions?project=${encodeURIComponent(session.project)}`, dir: "ltr" }, session.project)),
    place.heading(h("span", { dir: "auto" }, `Session of ${session.agent}`)),
    h("div.marks", badges.scope(session.project), h("span", "began ", badges.when(session.started_at)), h("span", session.ended_at ? ["ended ", badges.when(session.ended_at)] : "going on, or never ended"),
      h("span", counted(observed.length, "observation")), h("span", session.processed_at ? ["read ", badges.when(session.processed_at)] : "not read yet"), h("span.id", { dir: "ltr" }, session.id)),
    work(session, fresh, place, under), under,
    h("div.session-parts",
      h("section.card", h("h2", "What it was about"), summary ? [markdown(summary.text, { level: 3 }), h("p", h("a", { href: `#/memory/${summary.id}` }, "The summary as a memory"))] : h("p.quiet", "No summary yet: it is written when the session is processed.")),
      h("section.card", h("h2", "What was learned"), others.length
        ? [h("ul.plain", others.map((memory) => h("li", badges.link(memory, 220), h("div.marks", badges.state(memory.state), badges.tag(memory.kind))))), unseen > 0 ? h("p.quiet", `and ${number(unseen)} more: the command below names all of them.`) : null]
        : h("p.quiet", session.processed_at ? "Nothing that would be worth a memory." : "Nothing yet."))),
    h("section", h("h2", "What was said and done"), talk(session, observed, signal)),
    command(rem("session show", [session.id])));
}

function work(session, fresh, place, under) {
  const run = async (event) => {
    const bar = progress("Processing the session");
    fill(under, bar);
    const answer = await act({
      work: () => ask("sessions.run", { only: [session.id] }, { progress: bar.told }),
      said: (done) => (done.failed.length ? `It failed: ${done.failed[0].why}` : `${counted(done.processed.length, "session")} processed.`),
      command: rem("session run", [], { only: session.id }), button: event.currentTarget,
    });
    fill(under);
    if (answer) place.again();
  };
  const queue = (event) => act({
    work: () => ask("sessions.enqueue", { session: session.id }),
    said: () => "The next run processes it, whatever its age.",
    command: rem("session enqueue", [session.id]), button: event.currentTarget,
  });
  return h("div.buttons",
    h("button", { type: "button", "data-writes": "", class: fresh > 0 ? "primary" : "", hidden: !place.can.whole, on: { click: run } }, fresh > 0 ? `Process ${counted(fresh, "new observation")} now` : "Process again"),
    h("button", { type: "button", "data-writes": "", on: { click: queue } }, "Let the next run do it"));
}

/** The observations as a conversation; calls of tools that follow each other are folded into one line each. */
function talk(session, observed, signal) {
  if (!observed.length) return nothing("Nothing of it is left", "What was observed is kept for 90 days; what was learned from it stays.");
  const list = h("ol.talk", { "aria-label": "Conversation" });
  let shown = 0;
  let whole = null;
  const all = (seq) => {
    whole ??= ask("sessions.show", { id: session.id }, { signal }).catch((problem) => {
      whole = null;
      throw problem;
    });
    return whole.then((found) => found.observations.find((one) => one.seq === seq));
  };
  const button = h("button", { type: "button", on: { click: () => more() } });
  const more = () => {
    const first = list.children.length;
    list.append(...observed.slice(shown, shown + STEP).map((seen) => turn(seen, all)));
    shown = Math.min(shown + STEP, observed.length);
    button.hidden = shown >= observed.length;
    button.textContent = `Show more (${number(observed.length - shown)} left)`;
    if (first) list.children[first].querySelector("summary, .turn-who")?.focus?.();
  };
  more();
  return [list, h("div.buttons", button)];
}

function turn(seen, all) {
  const when = h("time", { datetime: seen.at, title: moment(seen.at) }, new Date(seen.at).toLocaleTimeString(undefined, { hour: "2-digit", minute: "2-digit" }));
  const who = WHO[seen.role] ?? seen.role;
  const text = seen.role === "tool" ? h("pre", { dir: "auto", tabindex: "0", role: "group", "aria-label": "What it gave back" }, seen.text) : h("div.text", { dir: "auto" }, seen.text);
  const rest = seen.cut ? whole(seen.cut, text, async () => (await all(seen.seq))?.text ?? "") : null;
  if (seen.role !== "tool") return h("li.turn", { class: seen.role }, h("div.turn-head", h("strong.turn-who", who), when), text, rest);
  return h("li.turn.tool", { class: seen.failed ? "failed" : "" },
    h("details", h("summary", h("span.turn-who", seen.failed ? h("span.failed-mark", "✗ failed") : h("span.ok-mark", "✓"), " ", h("strong", { dir: "auto" }, seen.tool ?? "Tool"), " ", seen.call ? h("code", { dir: "auto" }, beginning(seen.call.split("\n")[0], 100)) : null), when),
      seen.call.length > 100 || seen.call.includes("\n") ? h("pre.call", { dir: "auto", tabindex: "0", role: "group", "aria-label": "What it was called with" }, seen.call) : null,
      seen.text ? text : h("p.quiet", "It gave nothing back."), rest));
}
