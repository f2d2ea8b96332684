// The jobs: sessions that wait to be read, artifacts that wait to be written, what failed, why, and when it is tried again.

import { act } from "../../acting.js";
import { ask } from "../../api.js";
import { rem } from "../../commands.js";
import { fill, h } from "../../dom.js";
import * as badges from "../../parts/badges.js";
import { command } from "../../parts/command.js";
import { nothing, progress, waiting, wrong } from "../../parts/states.js";
import { counted } from "../../words.js";
import { address } from "./list.js";

const MOST = 200;
const STATES = { dead: "✗ dead", failed: "✗ failed", ready: "● ready", waits: "◌ waits" };
const LOOKS = { dead: "state-forgotten", failed: "state-forgotten", ready: "state-live", waits: "state-superseded" };

export async function jobs(place, body) {
  const { signal } = place;
  const list = h("ol.job-list", { "aria-label": "Jobs" });
  const under = h("div");
  const bar = h("div");
  let isBusy = false;
  let turns = 0;

  const load = async () => {
    const turn = (turns += 1);
    let items;
    try {
      ({ items } = await ask("sessions.queue", {}, { signal }));
    } catch (problem) {
      if (problem.name === "AbortError" || turn !== turns) return;
      if (problem.status === undefined) throw problem;
      fill(under, wrong(problem, load));
      return;
    }
    if (turn !== turns) return;
    list.replaceChildren(...items.slice(0, MOST).map((job) => row(job, run, enqueue, rebuild)));
    fill(under, items.length > MOST ? h("p.quiet", `The first ${MOST} of ${counted(items.length, "job")}.`) : items.length ? null
      : nothing("Nothing waits", "Every session was read and every artifact is written. New jobs come with what agents do.", command(rem("session queue"))));
  };
  const doing = async (label, work) => {
    if (isBusy) return;
    isBusy = true;
    const shown = progress(label);
    fill(bar, shown);
    try {
      await work(shown.told);
    } finally {
      isBusy = false;
      fill(bar);
      await load();
    }
  };
  const run = (only, button) => doing(only ? "Processing the session" : "Processing what is ready", (told) => act({
    work: () => ask("sessions.run", only ? { only: [only] } : {}, { progress: told }),
    said: ended, command: rem("session run", [], { only }), button,
  }));
  const rebuild = (project, button) => doing("Writing artifacts", () => act({
    work: () => ask("sessions.rebuild", { project }),
    said: (done) => (done ? `${counted(done.written.length, "file")} written.` : "Another process is at it."),
    command: rem("memory rebuild", [project]), button,
  }));
  const enqueue = async (session, button) => {
    await act({
      work: () => ask("sessions.enqueue", { session }), said: () => "The next run processes it, whatever its age.",
      command: rem("session enqueue", [session]), button,
    });
    await load();
  };
  place.onEntries(() => !signal.aborted && !isBusy && !list.contains(document.activeElement) && load());
  fill(body,
    h("p", "A session is read when it has rested for a while; then the artifacts of its project are written. ", h("code", "rem work"), " and ", h("code", "rem serve"), " do so by the clock."),
    h("div.buttons", h("button.primary", { type: "button", "data-writes": "", on: { click: (event) => run(null, event.currentTarget) } }, "Run what is ready now")),
    command(rem("session run")), bar, list, under);
  fill(under, waiting(3));
  await load();
}

function ended(done) {
  const said = [`${counted(done.processed.length, "session")} processed`, `${counted(done.written.length, "project")} written`];
  if (done.failed.length) said.push(`${counted(done.failed.length, "job")} failed: ${done.failed[0].why}`);
  if (done.left) said.push(`${done.left} left for the next run`);
  return `${said.join(", ")}.`;
}

function row(job, run, enqueue, rebuild) {
  const [, stage, subject] = /^(stage[12]):(.*)$/s.exec(job.name) ?? [null, "", job.name];
  const state = job.dead ? "dead" : job.failed_at ? "failed" : job.why === "ready" ? "ready" : "waits";
  const button = (words, does) => h("button.small", { type: "button", "data-writes": "", on: { click: (event) => does(subject, event.currentTarget) } }, words);
  return h(
    "li.card.job", { "data-row": "", "data-job": job.name },
    h("div.job-what", stage === "stage1" ? ["Read ", h("a", { href: address(subject), dir: "ltr" }, `session ${subject}`)] : stage === "stage2" ? ["Write the artifacts of ", badges.scope(subject)] : h("span", { dir: "auto" }, subject)),
    h("div.marks", h("span.badge", { class: LOOKS[state] }, STATES[state]), job.tries ? h("span", `tried ${counted(job.tries, "time")}`) : null,
      job.wanted_at ? h("span", "wanted ", badges.when(job.wanted_at)) : null, job.again_at && !job.dead ? h("span", "again ", badges.when(job.again_at)) : null),
    job.why && job.why !== "ready" ? h("p.job-why", { dir: "auto" }, job.why) : null,
    job.dead ? h("p.quiet", "It is not tried again until somebody wants it.") : null,
    h("div.buttons", stage === "stage1" ? [button("Process now", run), button("Let the next run do it", enqueue)] : stage === "stage2" ? button("Write now", rebuild) : null),
  );
}
