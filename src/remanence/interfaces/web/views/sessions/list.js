// Sessions, newest first, of all projects or of one.

import { ask } from "../../api.js";
import { onStore, rem } from "../../commands.js";
import { fill, h } from "../../dom.js";
import * as badges from "../../parts/badges.js";
import { command } from "../../parts/command.js";
import { nothing, waiting, wrong } from "../../parts/states.js";
import { beginning, counted, number } from "../../words.js";

const PAGE = 50;
const MOST = 200;
export const address = (id) => `#/sessions/${encodeURIComponent(id)}`;

export async function list(place, body) {
  const { signal } = place;
  const rows = h("ol.session-list", { "aria-label": "Sessions, newest first" });
  const under = h("div");
  const told = h("div");
  const projects = new Set();
  let project = null;
  let count = 0;
  let next = null;
  let turns = 0;

  const further = h("button", { type: "button", on: { click: () => more() } }, "Show more");
  const input = h("input", { type: "text", dir: "ltr", maxlength: 1024, list: "session-projects", placeholder: "all" });
  const offered = h("datalist#session-projects");
  const submit = (event) => {
    event.preventDefault();
    const value = input.value.trim();
    location.hash = value ? `#/sessions?project=${encodeURIComponent(value)}` : "#/sessions";
  };
  const fetched = async (given) => {
    const page = await ask("sessions.list", { project, ...given }, { signal });
    return { ...page, known: await summaries(page.items, signal) };
  };
  const add = (page) => {
    for (const session of page.items) {
      projects.add(session.project);
      rows.append(row(session, page.known.get(session.summary)));
    }
    count += page.items.length;
    next = page.next ?? null;
    further.hidden = !next || count >= MOST;
    fill(offered, [...projects].sort().map((one) => h("option", { value: one })));
  };
  const more = async () => {
    const turn = (turns += 1);
    const first = count;
    further.disabled = true;
    try {
      const page = await fetched({ limit: PAGE, cursor: next });
      if (turn !== turns) return;
      fill(under);
      add(page);
      rows.children[first]?.querySelector("a").focus();
    } catch (problem) {
      if (problem.name === "AbortError" || turn !== turns) return;
      if (problem.status === undefined) throw problem;
      fill(under, wrong(problem, more));
    } finally {
      further.disabled = false;
    }
  };
  const load = async (query) => {
    const turn = (turns += 1);
    project = query.get("project") || null;
    input.value = project ?? "";
    const page = await fetched({ limit: Math.min(Math.max(count, PAGE), MOST) });
    if (turn !== turns) return;
    rows.replaceChildren();
    count = 0;
    add(page);
    fill(told, command(rem("session list", [], { project })));
    fill(under, count ? null : project
      ? nothing("No session of this project was captured", h("p", h("a", { href: "#/sessions" }, "Show those of all projects")))
      : connect());
  };
  const again = async () => {
    if (signal.aborted || further.disabled || rows.contains(document.activeElement)) return;
    try {
      await load(place.query);
    } catch (problem) {
      if (problem.name === "AbortError") return;
      if (problem.status === undefined) throw problem;
      fill(under, wrong(problem, again)); // what is shown stays
    }
  };
  place.onEntries((entries) => entries.some(({ verb }) => /session|stage/.test(verb)) && again());
  fill(body,
    h("form.inline", { on: { submit } }, h("label.field", h("span", "Project"), input), offered, h("button", { type: "submit" }, "Filter")),
    rows, under, h("div.buttons", further), told);
  fill(under, waiting(5));
  further.hidden = true;
  await load(place.query);
  return { update: (query) => {
    place.query = query;
    return load(query);
  } };
}

/** How an agent comes to be captured at all. */
function connect() {
  return nothing("No session was captured yet",
    "Connect a coding agent, and what it does is captured by its own hooks, on this machine alone. Once a session has rested, what was learned in it becomes memories.",
    command(onStore("connect claude-code")), command(onStore("connect codex")),
    h("p", h("a", { href: "#/welcome" }, "All the ways to connect an agent")));
}

/** The summaries of sessions, by their id. */
async function summaries(sessions, signal) {
  const ids = sessions.map(({ summary }) => summary).filter(Boolean);
  if (!ids.length) return new Map();
  const { items } = await ask("list", { ids, state: "all", limit: ids.length }, { signal, shorten: 300 });
  return new Map(items.map((memory) => [memory.id, memory]));
}

function row(session, summary) {
  const minutes = Math.max(1, Math.round((new Date(session.ended_at ?? session.last_at) - new Date(session.started_at)) / 60000));
  const title = summary?.text ? beginning(summary.text.split("\n").find((line) => line.trim()) ?? "", 160) : `Session of ${session.agent}`;
  const fresh = session.observations - session.processed_to;
  return h(
    "li.card.session-row", { "data-row": "" },
    h("a.session-title", { href: address(session.id), dir: "auto" }, title),
    h("div.marks",
      h("span", { dir: "auto" }, session.agent), badges.scope(session.project), badges.when(session.started_at),
      h("span", session.ended_at ? counted(minutes, "minute") : "going on, or never ended"), h("span", counted(session.observations, "observation")),
      h("span.badge", { class: fresh > 0 ? "state-quarantined" : "state-live" }, fresh > 0 ? `◆ ${number(fresh)} not read yet` : "● read")),
  );
}
