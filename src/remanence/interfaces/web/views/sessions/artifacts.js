// What the next session of a project is told, and the files that hold the rest, as people read them.

import { act } from "../../acting.js";
import { ask } from "../../api.js";
import { rem } from "../../commands.js";
import { fill, h } from "../../dom.js";
import { command } from "../../parts/command.js";
import { markdown } from "../../parts/markdown.js";
import { nothing, progress, waiting, wrong } from "../../parts/states.js";
import { number } from "../../words.js";

const TOLD = "";
const FILES = [["memory_summary.md", "Summary"], ["MEMORY.md", "MEMORY.md"]];
const MOST_TOKENS = 12000;
const USUAL_TOKENS = 5000;
const MOST_LETTERS = 100000;
const SKILL = /^skills\/([a-z0-9-]{1,64})\/SKILL\.md$/;

export async function artifacts(place, body) {
  const { signal } = place;
  const projects = await known(signal, place.can.whole);
  const shown = h("div.artifact");
  const files = h("nav.files", { "aria-label": "Files of the project" });
  const bar = h("div");
  const input = h("input", { type: "text", dir: "ltr", maxlength: 1024, list: "artifact-projects", required: true });
  let project = null;
  let file = TOLD;
  let drawn = 0;

  const go = (more) => `#/sessions?${new URLSearchParams({ tab: "artifacts", project, ...more })}`;
  const leads = (address) => {
    const path = address === "memory://root" ? "memory_summary.md" : address.startsWith("memory://root/") ? address.slice(14) : "";
    return FILES.some(([name]) => name === path) || SKILL.test(path) ? go({ file: path }) : null;
  };
  const read = (path) => ask("artifacts.read", { url: `memory://root/${path}`, project }, { signal });

  const drawFiles = async () => {
    const mine = project;
    const link = (name, title) => h("a", { href: go(name ? { file: name } : {}), "aria-current": file === name ? "page" : null, dir: "auto" }, title);
    const draw = (skills) => fill(files, link(TOLD, "What it is told"), FILES.map(([name, title]) => link(name, title)),
      skills.length ? h("details", { open: skills.length < 8 || SKILL.test(file) }, h("summary", `Skills (${number(skills.length)})`), skills.slice(0, 200).map((path) => link(path, SKILL.exec(path)[1].replaceAll("-", " ")))) : null);
    try {
      const { text } = await read("skills");
      if (mine === project) draw(text.split("\n").map((line) => line.trim().replace("memory://root/", "")).filter((path) => SKILL.test(path)));
    } catch (problem) {
      if (problem.name !== "AbortError" && mine === project) draw([]);
    }
  };
  const drawShown = async () => {
    const turn = (drawn += 1);
    fill(shown, waiting(5));
    try {
      const element = file === TOLD ? await told() : page((await read(file)).text);
      if (turn === drawn) fill(shown, element);
    } catch (problem) {
      if (problem.name === "AbortError" || turn !== drawn) return;
      fill(shown, problem.status === 404
        ? nothing("This is not written yet", problem.message.replace(/ Write it with:.*$/, ""), h("p", "Files are written after a session of the project was processed, or when you write them now."), command(rem("memory rebuild", [project])))
        : wrong(problem, drawShown));
    }
  };
  const page = (text) => {
    const inside = h("div", markdown(text.slice(0, MOST_LETTERS), { level: 3, leads }));
    const rest = text.length > MOST_LETTERS ? h("button", { type: "button", on: { click: () => { fill(inside, markdown(text, { level: 3, leads })); rest.remove(); } } }, `Show all ${number(text.length)} characters`) : null;
    return [h("h2", { dir: "auto" }, SKILL.exec(file)?.[1].replaceAll("-", " ") ?? FILES.find(([name]) => name === file)?.[1] ?? file), h("article.card", inside, rest), command(rem("read", [`memory://root/${file}`], { project }))];
  };
  const told = async () => {
    const tokens = Number(place.query.get("tokens")) || USUAL_TOKENS;
    const slider = h("input", { type: "range", min: 0, max: MOST_TOKENS, step: 100, value: tokens });
    const value = h("output", `${number(tokens)} tokens`);
    const inside = h("div", { "aria-live": "polite" });
    const said = h("div");
    let timer = null;
    let asked = 0;
    const look = async () => {
      const budget = Number(slider.value);
      const turn = (asked += 1);
      const { text } = await ask("guidance", { project, budget_tokens: budget }, { signal });
      if (turn !== asked) return;
      fill(inside, text.trim() ? markdown(text, { level: 3, leads }) : nothing("Nothing is told", budget ? "Nothing is remembered of this project that would help its next session." : "A budget of 0 tells nothing."));
      fill(said, command(rem("memory view", [project], { budget_tokens: String(budget) })));
    };
    const again = async () => {
      const turn = asked + 1;
      try {
        await look();
      } catch (problem) {
        if (problem.name === "AbortError" || turn !== asked) return;
        if (problem.status === undefined) throw problem;
        fill(inside, wrong(problem, again));
      }
    };
    slider.addEventListener("input", () => {
      value.textContent = `${number(Number(slider.value))} tokens`;
      clearTimeout(timer);
      timer = setTimeout(() => {
        if (!slider.isConnected) return;
        place.note({ tokens: slider.value === String(USUAL_TOKENS) ? null : slider.value });
        again();
      }, 150);
    });
    signal.addEventListener("abort", () => clearTimeout(timer));
    await look();
    return [h("h2", "What the next session is told"), h("p.quiet", "This block is put into the prompt when a session of the project begins, marked as data."),
      h("label.budget", h("span", "At most "), value, slider), h("article.card", inside), said];
  };
  const rebuild = async (event) => {
    const shownBar = progress("Writing artifacts");
    fill(bar, shownBar);
    const answer = await act({
      work: () => ask("sessions.rebuild", { project }),
      said: (done) => (done ? `${number(done.written.length)} written, ${number(done.kept.length)} as they were, ${number(done.removed.length)} removed.` : "Another process is at it."),
      command: rem("memory rebuild", [project]), button: event.currentTarget,
    });
    fill(bar);
    if (answer !== undefined) await Promise.all([drawFiles(), drawShown()]);
  };
  const submit = (event) => {
    event.preventDefault();
    if (!input.value.trim()) return;
    location.hash = `#/sessions?${new URLSearchParams({ tab: "artifacts", project: input.value.trim() })}`;
  };
  const update = async (query) => {
    const wanted = query.get("project") || projects[0] || place.me.scope || "/";
    const path = query.get("file") ?? TOLD;
    const isNew = wanted !== project;
    place.query = query;
    if (!isNew && path === file && drawn) return;
    project = wanted;
    file = FILES.some(([name]) => name === path) || SKILL.test(path) ? path : TOLD;
    input.value = project;
    await Promise.all([drawFiles(), drawShown()]);
  };
  fill(body,
    h("form.inline", { on: { submit } }, h("label.field", h("span", "Project"), input), h("datalist#artifact-projects", projects.map((one) => h("option", { value: one }))), h("button", { type: "submit" }, "Show"),
      h("button", { type: "button", "data-writes": "", on: { click: rebuild } }, "Write anew")),
    bar, h("div.artifacts", files, shown));
  fill(shown, waiting(5));
  await update(place.query);
  return { update };
}

/** Projects that something is known of: those of captured sessions, and scopes below /project. */
async function known(signal, isWhole) {
  const [sessions, stats] = await Promise.all([
    ask("sessions.list", { limit: 200 }, { signal }).catch(quiet),
    isWhole ? ask("stats", {}, { signal }).catch(quiet) : null,
  ]);
  const named = (sessions?.items ?? []).map((session) => session.project);
  const scopes = Object.keys(stats?.scopes ?? {}).map((scope) => /^\/project\/[^/]+/.exec(scope)?.[0]).filter(Boolean);
  return [...new Set([...named, ...scopes.sort()])].slice(0, 200);
}

function quiet(problem) {
  if (problem.name === "AbortError") throw problem;
  return null;
}
