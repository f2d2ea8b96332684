// The first visit: what this is, a made-up year to look around in, and the ways to connect an agent of one's own.

import { act } from "../acting.js";
import { askPath, visit } from "../api.js";
import { onStore, rem } from "../commands.js";
import { fill, h } from "../dom.js";
import { command, copyable } from "../parts/command.js";
import { confirm } from "../parts/dialog.js";
import { remember } from "../parts/remember.js";
import { progress, wrong } from "../parts/states.js";
import { memories } from "../words.js";

const DEMO = "demo";
const HOSTS = ["claude-code", "codex", "cursor", "gemini"];

export async function show(place) {
  fill(place.main, invitation(place));
}

/** What stands where memories would be, while there are none. */
export function invitation(place) {
  return h(
    "div.welcome",
    place.heading("A memory that knows how to forget"),
    h("p.lead", "remanence keeps what your agents learn, lets what is no longer of use fade, and can always say why. This page shows what it remembers, where each memory came from, and what it is about to forget."),
    h("div.welcome-parts", place.me.demo ? ending(place) : beginning(place), own(place)),
    h("h2", "Connect an agent"),
    h("div.welcome-ways", coding(), overHttp(), python()),
  );
}

/** One press, and there is something to look at. */
function beginning(place) {
  const under = h("div");
  const start = async () => {
    const bar = progress("Living a year");
    fill(under, bar);
    button.disabled = true;
    try {
      await askPath("POST", "/demo", { progress: bar.told, where: DEMO });
      if (under.isConnected) visit(DEMO);
    } catch (problem) {
      if (problem.status === 409 && /already/.test(problem.message)) return visit(DEMO);
      button.disabled = false;
      fill(under, wrong(problem, start));
    }
  };
  const button = h("button.primary", { type: "button", on: { click: start } }, "Show me a demo");
  const away = place.me.is_bound ? "Your token is good for one namespace alone, and the demo lives in its own: make it on the command line."
    : place.can.write && place.can.whole ? null : "Your token may not write everywhere: the owner makes the demo.";
  return h(
    "section.card",
    h("h2", "Look around first"),
    h("p", "A year of an agent’s life: work, people, decisions, things that turned out wrong. ", h("strong", "All of it is made up"), ", it lives in a namespace of its own, and every page says so while you are in it. Your own memory stays as it is."),
    away ? h("p.quiet", away) : h("div.buttons", button), under, command(onStore("demo")),
    h("p.quiet", "It takes a minute or two. Take it away again with:"), command(onStore("demo --remove")),
  );
}

/** The command that takes away the demo of a namespace: where that is not `demo`, it has to be named. */
function removing(where) {
  const word = /^[\w.-]+$/.test(where) ? where : `'${where.replaceAll("'", `'\\''`)}'`;
  return `rem ${where === DEMO ? "" : `--namespace ${word} `}demo --remove`;
}

/** In the demo: how to leave, and how to take it away. */
function ending(place) {
  const under = h("div");
  const where = place.me.namespace;
  const end = async () => {
    const sure = await confirm({
      title: "Take the demo away?", text: `All that is in namespace ${where} is destroyed, also what you wrote into it yourself. Other namespaces stay as they are.`,
      command: `${removing(where)} --yes`, yes: "Take it away", danger: true,
    });
    if (!sure) return;
    const bar = progress("Taking the demo away");
    fill(under, bar);
    const answer = await act({
      work: () => askPath("DELETE", "/demo", { progress: bar.told, where }),
      said: (proof) => `The demo is gone: ${memories(proof.purged.length)} destroyed.`, command: `${removing(where)} --yes`, button,
    });
    fill(under);
    if (answer) visit(null);
  };
  const button = h("button.danger", { type: "button", "data-writes": "", on: { click: end } }, "Take the demo away…");
  return h(
    "section.card",
    h("h2", "You are in the demo"),
    h("p", "A made-up year of an agent’s life. Nothing in it is yours, and nothing you do here reaches your own memory: try all of it."),
    h("div.buttons", h("a.button", { href: "#/" }, "Look around"), h("button", { type: "button", on: { click: () => visit(null) } }, "Back to my memory"), place.can.whole ? button : null),
    under, command(removing(where)),
  );
}

function own(place) {
  return h(
    "section.card",
    h("h2", "Remember something yourself"),
    h("p", "A fact, a preference, a decision: written down here, or in a terminal."),
    h("div.buttons", h("button", { type: "button", "data-writes": "", on: { click: () => remember(place.me) } }, "Remember something")),
    command(rem("remember", ["Deploys need the staging key first"])), command(rem("recall", ["what do deploys need"])),
  );
}

function coding() {
  const picked = h("div");
  const pick = (host) => fill(picked, command(onStore(`connect ${host}`)));
  const choices = h("select", { on: { change: (event) => pick(event.currentTarget.value) } }, HOSTS.map((host) => h("option", { value: host }, host)));
  pick(HOSTS[0]);
  return h(
    "section.card",
    h("h3", "A coding agent"),
    h("p", "Captures what it does by its own hooks, and tells the next session what was learned."),
    h("label.field", h("span", "Agent"), choices), picked,
    h("p.quiet", "Shows the edits and asks before it makes them. Take it back with:"), command(onStore("connect claude-code --remove")),
  );
}

function overHttp() {
  return h(
    "section.card",
    h("h3", "Anything that speaks MCP"),
    h("p", "This server’s address, with a token in the header ", h("code", "Authorization: Bearer …"), "."),
    copyable(`${location.origin}/mcp`, { label: "Address" }), h("p", "A token for it, which can be kept to a scope or to reading:"), command(onStore("token create NAME")),
  );
}

function python() {
  return h(
    "section.card.python",
    h("h3", "Python"),
    h("p", "Through this server, or straight on the file:"),
    copyable(`from remanence import Mind\n\nwith Mind("${location.origin}") as mind:\n    mind.remember("Deploys need the staging key first")\n    print(mind.recall("what do deploys need"))`, { label: "Through this server" }),
    copyable('Mind().remember("Deploys need the staging key first")', { label: "Straight on the file" }),
  );
}
