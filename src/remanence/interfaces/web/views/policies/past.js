// A policy against this store's own past: what it would have saved and lost, and what that past teaches.

import { ask, Problem } from "../../api.js";
import { rem } from "../../commands.js";
import { fill, h, s } from "../../dom.js";
import { command } from "../../parts/command.js";
import { plot, ticks } from "../../parts/plots.js";
import { nothing, progress, wrong } from "../../parts/states.js";
import { counted, day, memories, number, words } from "../../words.js";
import { sign } from "../plans/lines.js";
import { named as told, reader } from "../plans/texts.js";
import { said } from "./sentences.js";
import { download, fileOf, use, used } from "./using.js";
import { former, named, policies } from "./values.js";

const [LEFT, RIGHT, TOP, BOTTOM] = [44, 12, 10, 34];
const share = (value) => `${(value * 100).toFixed(1)} %`;
const BOUNDS = new Map([["oracle", "a perfect choice"], ["random", "chance"]]);

export async function show(place, content) {
  const { signal } = place;
  const items = await policies(signal);
  const current = items.find((one) => one.current);
  const known = (key) => items.find((one) => one.key === key);
  let one = known(place.query.get("name")) ?? items.find((item) => item !== current) ?? current;
  const read = reader(signal);
  const tested = h("div");
  const learned = h("div");
  const result = h("div", { role: "status" });
  const again = () => place.again();

  /** Ask for something long, with its progress in a place; what came of it is drawn there. */
  const asked = async (into, name, given, label, draw, button) => {
    const bar = progress(label);
    fill(into, bar);
    button.disabled = true;
    try {
      const answer = await ask(name, given, { signal, progress: bar.told });
      fill(into, draw(answer));
    } catch (problem) {
      if (problem.name === "AbortError" || problem.status === 401) return;
      if (!(problem instanceof Problem)) throw problem;
      fill(into, problem.status === 422 ? nothing("There is not enough of a past yet", h("p", { dir: "auto" }, problem.message)) : wrong(problem, () => button.click()));
    } finally {
      button.disabled = false;
    }
  };

  const choose = h("select", { name: "tested", on: { change: () => { one = known(choose.value); place.note({ name: one.key }); fill(tested); commands(); } } }, items.map((item) => h("option", { value: item.key, selected: item === one }, item.title)));
  const testing = h("div");
  const commands = () => fill(testing, command(rem("policy backtest", [named(one)])));
  commands();
  const test = h("button.primary", { type: "button", "data-does": "test", on: { click: () => asked(tested, "policies.backtest", { policy: named(one) }, "Replaying", (found) => [verdict(found), replayed(found), curves(found), losses(found, read), notes(found)], test) } }, "Back-test it");
  const learn = h("button.primary", { type: "button", "data-does": "learn", on: { click: () => asked(learned, "policies.learn", {}, "Learning", drawn, learn) } }, "Learn from it");

  const drawn = (proposal) => {
    const isNew = Boolean(proposal.backtest.current);
    const name = proposal.policy.name;
    const button = h("button.primary", { type: "button", "data-writes": "", on: { click: () => chosen() } }, `Use ${name}`);
    const chosen = async () => use({ policy: proposal.document, name, former: await former(await policies(signal), signal), place: result, button, again });
    return [
      h("p.verdict", { role: "status", class: isNew && !proposal.is_usable ? "bad" : "", dir: "auto" }, proposal.verdict),
      proposal.warnings.length ? h("ul.warnings", proposal.warnings.map((text) => h("li", { dir: "auto" }, text))) : null,
      h("p", `Learned from ${memories(proposal.learned.every.memories)}; ${number(proposal.learned.every.used_again)} of them were used again within 30 days after lying idle.`),
      fitted(proposal.learned),
      isNew ? [h("div.buttons", proposal.is_usable && place.can.write ? button : null, h("button", { type: "button", on: { click: () => download(proposal.yaml, fileOf(name)) } }, `Save as ${fileOf(name)}`)), replayed(proposal.backtest), curves(proposal.backtest), notes(proposal.backtest)] : null,
      isNew && proposal.is_usable ? h("div.stack", command(rem("policy learn", [], { use: true })), command(rem("policy learn", [], { out: fileOf(name) }))) : null,
    ];
  };

  used(result, again);
  fill(
    content,
    result,
    h("section.card", h("h2", "What a policy would have saved and lost"),
      h("p.quiet", "Your own recalls of the past are replayed as if that policy had been in force, beside the one that is. Nothing is changed by looking."),
      h("label.field.short-field", h("span", "Policy"), choose), h("div.buttons", test), testing, tested),
    h("section.card", h("h2", "What this past teaches"),
      h("p.quiet", `How fast memories were wanted again here gives ${current.name} a curve of your own, tried on the last third of the past before it is proposed.`),
      h("div.buttons", learn), command(rem("policy learn")), learned),
  );
}

/** The comparison in words: which of the two loses less at equal savings, or that neither does clearly. */
const verdict = (found) => h("p.verdict", { role: "status", dir: "auto" }, `${found.verdict}.`);

const nameOf = (found, at) => (at === 1 && found.current ? `${found.curves[at].name} (in force)` : BOUNDS.get(found.curves[at].name) ?? found.curves[at].name);

function scrolled(caption, head, rows) {
  return h("div.scrolls", { tabindex: "0", role: "group", "aria-label": caption },
    h("table", h("caption", caption), h("thead", h("tr", head.map((text, at) => h(at ? "th.number" : "th", { scope: "col", dir: "auto" }, text)))),
      h("tbody", rows.map(([first, ...cells]) => h("tr", h("th", { scope: "row", dir: "auto" }, first), cells.map((cell) => h("td.number", cell)))))));
}

function replayed(found) {
  const row = (one, isCurrent) => [`${one.policy}${isCurrent ? " (in force)" : ""}`, number(one.memories), number(one.tokens), share(one.saved), `${number(one.lost_uses)} (${share(one.lost)})`, number(one.lost_memories)];
  return scrolled(`By its rules, from ${day(found.begins)} to ${day(found.ends)}: ${memories(found.memories)}, ${counted(found.uses, "later use")}`,
    ["policy", "left", "tokens out", "token-days saved", "later uses lost", "of memories"], [row(found.policy, false), ...(found.current ? [row(found.current, true)] : [])]);
}

/** What each order of leaving loses for what it saves; lower is better. A perfect choice and chance are the bounds. */
function curves(found) {
  const kinds = found.current ? ["", "other"] : [""];
  const kind = (at) => kinds[at] ?? (found.curves[at].name === "oracle" ? "perfect" : "bound");
  const most = Math.max(...found.curves.flatMap((one) => one.points.map((point) => point.lost)), 0.01);
  const levels = ticks(most * 100).map((level) => level / 100);
  const draw = (width) => {
    const height = width < 420 ? 180 : 240;
    const [wide, high] = [width - LEFT - RIGHT, height - TOP - BOTTOM];
    const x = (saved) => LEFT + saved * wide;
    const y = (lost) => TOP + (1 - lost / levels.at(-1)) * high;
    return s("svg", { viewBox: `0 0 ${width} ${height}`, height },
      levels.map((level) => [s("line.grid-line", { x1: LEFT, x2: width - RIGHT, y1: y(level), y2: y(level) }), s("text", { x: LEFT - 7, y: y(level) + 4, "text-anchor": "end" }, `${Math.round(level * 100)} %`)]),
      [0, 0.5, 1].map((level) => s("text", { x: x(level), y: height - 18, "text-anchor": level === 1 ? "end" : level ? "middle" : "start" }, `${level * 100} %`)),
      s("text", { x: x(0.5), y: height - 3, "text-anchor": "middle" }, "token-days saved"),
      found.curves.map((one, at) => s("path.line", { class: kind(at), d: [...one.points].sort((a, b) => a.saved - b.saved).map(({ saved, lost }, index) => `${index ? "L" : "M"}${x(saved).toFixed(1)} ${y(lost).toFixed(1)}`).join("") })));
  };
  const rows = found.curves[0].points.map((point, at) => [`${Math.round(point.budget * 100)} % kept`, ...found.curves.map((one) => `${share(one.points[at].saved)} / ${share(one.points[at].lost)}`)]);
  return [
    h("h3", "Later uses lost, for what is saved"),
    h("div.legend", { "aria-hidden": "true" }, found.curves.map((_, at) => h("span", h("i", { class: kind(at) }), nameOf(found, at)))),
    plot("Later uses lost for token-days saved, by each order of leaving", draw),
    h("details.first", h("summary", "The numbers"), scrolled("Saved / lost when only so much of the tokens is kept, the lowest leaving first", ["", ...found.curves.map((_, at) => nameOf(found, at))], rows)),
  ];
}

function losses(found, read) {
  if (!found.policy.losses.length) return null;
  return [h("h3", "The worst losses"), h("ul.lines", found.policy.losses.map((loss) => h("li.line.plain", sign("archive"), h("div.change", told(read, loss.memory_id),
    h("div.marks", h("span", `left ${day(loss.left_at)}`), h("span", `recalled ${day(loss.used_at)}`), loss.times > 1 ? h("span", `${counted(loss.times, "use")} lost`) : null)))))];
}

const notes = (found) => found.notes.map((note) => h("p.quiet", { dir: "auto" }, note));

function fitted(learned) {
  const rows = [learned.every, ...learned.kinds].flatMap((kind) => kind.numbers.map((one, at) => [
    at ? "" : kind.kind ?? "all kinds", at ? "" : number(kind.memories), words(one.name), said(one.before), `${said(one.after)}${one.after === one.fitted ? "" : " !"}`, `${said(Number(one.fitted.toPrecision(2)))} ± ${one.standard_error.toPrecision(2)}`, `${Math.round(one.confidence * 100)} %`,
  ]));
  const isHeld = [learned.every, ...learned.kinds].some((kind) => kind.numbers.some((one) => one.after !== one.fitted));
  return h("details.first", h("summary", "The numbers, before and after"),
    scrolled("Numbers of the curve", ["kind", "memories", "number", "before", "after", "the past has", "confidence"], rows),
    isHeld ? h("p.quiet", "! A limit, no estimate: learning changes the pace of all memories at most tenfold, now and later.") : null);
}
