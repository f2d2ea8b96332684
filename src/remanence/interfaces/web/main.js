// The page: who is here, which view the address names, the keys that work everywhere, and what to do when nobody answers.

import { answers, askPath, isToken, keepNamespace, keepToken, namespace, onAnswers, Problem, takeToken, token, visit } from "./api.js";
import { forgetDone, lastReceipt, onDone, undo } from "./acting.js";
import { VERSION } from "./calls.js";
import { speakFor } from "./commands.js";
import { fill, h, s } from "./dom.js";
import { follow, onEntries, unfollow } from "./live.js";
import { confirm, dialog } from "./parts/dialog.js";
import { isKey, keysOff, switchKeys } from "./parts/keys.js";
import { remember } from "./parts/remember.js";
import { waiting, wrong } from "./parts/states.js";
import { toast } from "./parts/toast.js";
import { arrive, readdress, restore } from "./places.js";
import * as entities from "./views/entities.js";
import * as erase from "./views/erase.js";
import * as memories from "./views/memories.js";
import * as memory from "./views/memory.js";
import * as overview from "./views/overview.js";
import * as plans from "./views/plans.js";
import * as policies from "./views/policies.js";
import * as review from "./views/review.js";
import * as sessions from "./views/sessions.js";
import * as signin from "./views/signin.js";
import * as welcome from "./views/welcome.js";

// All of them from the start: a view that is fetched when it is wanted is not there when the server is away.
const MODULES = new Map(Object.entries({ entities, erase, memories, memory, overview, plans, policies, review, sessions, welcome }));
const VIEWS = [
  { name: "overview", title: "Overview", key: "o", icon: "M4 19V11M10 19V5M16 19v-6M22 19V8" },
  { name: "memories", title: "Memories", key: "m", icon: "M4 6h18M4 12h18M4 18h12" },
  { name: "plans", title: "Sweeps and dreams", key: "s", icon: "M13 3a9 9 0 1 0 9 9 7 7 0 0 1-9-9z" },
  { name: "policies", title: "Policies", key: "p", icon: "M4 7h10M18 7h4M16 5v4M4 17h4M12 17h10M10 15v4" },
  { name: "review", title: "Review", key: "r", icon: "M4 13l5 5L21 6" },
  { name: "sessions", title: "Sessions", key: "e", icon: "M4 5h18v11H12l-5 4v-4H4z" },
  { name: "entities", title: "Entities", key: "t", icon: "M8 12a4 4 0 1 0 0-8 4 4 0 0 0 0 8zM2 20c0-4 3-6 6-6s6 2 6 6M17 12a3 3 0 1 0 0-6M18 20c0-3-1-4-2-5" },
  { name: "erase", title: "Erase", key: "x", icon: "M5 7h16M10 7V4h6v3M7 7l1 13h10l1-13" },
];
const TITLES = new Map([...VIEWS.map(({ name, title }) => [name, title]), ["memory", "Memory"], ["welcome", "Welcome"]]);
const THEME = "remanence.theme";

let me = null;
let shown = null;
let going = "";
let hasArrived = false;
let isTouched = false; // somebody has typed or set something in the view, which a new one would not have
let entering = 0;
let handed = null; // a token that the address brought and nobody has looked at yet

// -- the frame

function frame() {
  const search = h("input#search", {
    type: "search", placeholder: "Search memories", "aria-label": "Search memories", autocomplete: "off",
    enterkeyhint: "search", maxlength: 2000, dir: "auto", on: { input: searched, keydown: leftSearch },
  });
  fill(
    document.getElementById("top"),
    h("a.brand", { href: "#/", "aria-label": "remanence, to the overview" }, h("img", { src: "/page/mark.svg", alt: "", width: 24, height: 24 }), h("span", "remanence")),
    h("form.search", { role: "search", on: { submit: (event) => event.preventDefault() } }, search, h("kbd", { "aria-hidden": "true" }, "/")),
    h("button#new.primary", { type: "button", "aria-label": "Remember", "aria-keyshortcuts": "n", "data-writes": "", on: { click: () => remember(me) } }, h("span.long", "Remember"), h("span.short", "+")),
    h("button.quiet", { type: "button", "aria-label": "Settings and keys", on: { click: settings } }, "⋯"),
  );
  fill(
    document.getElementById("nav"),
    VIEWS.map(({ name, title, icon, key }) =>
      h("a", { href: `#/${name === "overview" ? "" : name}`, "data-view": name, title: `${title} (g ${key})` }, s("svg.icon", { viewBox: "0 0 26 24", "aria-hidden": "true" }, s("path", { d: icon })), h("span", title)),
    ),
  );
}

function searched(event) {
  const text = event.target.value;
  const query = new URLSearchParams(shown?.name === "memories" ? shown.query : "");
  if (text.trim()) query.set("q", text);
  else query.delete("q");
  query.delete("hits");
  const address = `#/memories${query.size ? `?${query}` : ""}`;
  if (shown?.name === "memories") {
    readdress(address);
    route();
  } else {
    location.hash = address;
  }
}

function leftSearch(event) {
  if (event.key === "ArrowDown" || event.key === "Enter") {
    const first = document.querySelector("#main [data-row] a");
    if (first) {
      event.preventDefault();
      first.focus();
    }
  }
}

/** A mark on the page that lasts as long as what it tells of. */
function banner(name, ...content) {
  const place = document.getElementById("banners");
  place.querySelector(`[data-banner="${name}"]`)?.remove();
  if (content.length) place.append(h("div.banner", { class: name, "data-banner": name }, content));
}

// -- where one is

function parsed() {
  const text = location.hash.replace(/^#\/?/, "");
  const [path, query = ""] = text.split(/\?(.*)/s);
  const [name, ...rest] = path.split("/");
  const parts = rest.map((part) => {
    try {
      return decodeURIComponent(part);
    } catch {
      return part;
    }
  });
  return { name: name || "overview", path: parts, query: new URLSearchParams(query) };
}

/** How a control is found again after its view was drawn anew. */
function handle(element) {
  if (element.id) return `#${CSS.escape(element.id)}`;
  if (element.name) return `[name="${CSS.escape(element.name)}"]`;
  return element.dataset.does ? `[data-does="${CSS.escape(element.dataset.does)}"]` : null;
}

/** Show what the address names; `held` is the control that has the focus, where a view is only drawn anew. */
async function route(held = null) {
  if (!me) return;
  const { name, path, query } = parsed();
  const title = TITLES.get(name);
  const left = arrive();
  if (shown && shown.name === name && shown.path.join("/") === path.join("/") && shown.view?.update) {
    shown.query = query;
    const updated = shown;
    restore(left, document.getElementById("main"));
    Promise.resolve(shown.view.update(query, Boolean(left))).catch((problem) => {
      if (problem.name === "AbortError" || problem.status === 401 || shown !== updated) return;
      if (!(problem instanceof Problem)) throw problem;
      fill(document.getElementById("main"), h("h1", { tabindex: "-1" }, title), wrong(problem, () => {
        leave();
        route();
      }));
    });
    return;
  }
  const isNew = !shown || shown.name !== name || shown.path.join("/") !== path.join("/");
  shown?.controller.abort();
  const controller = new AbortController();
  const main = document.getElementById("main");
  const mine = { name, path, query, controller, view: null };
  shown = mine;
  isTouched = false;
  document.title = title ? `${title} · remanence` : "remanence";
  for (const item of document.querySelectorAll("#nav a")) {
    const current = item.dataset.view === name || (name === "memory" && item.dataset.view === "memories");
    if (current) item.setAttribute("aria-current", "page");
    else item.removeAttribute("aria-current");
    if (current && isNew) item.scrollIntoView({ block: "nearest", inline: "center" });
  }
  const search = document.getElementById("search");
  if (search !== document.activeElement) search.value = name === "memories" ? query.get("q") ?? "" : "";
  if (!title) {
    fill(main, h("h1", { tabindex: "-1" }, "Nothing here"), wrong(new Problem(404, "no_such_page", `There is no page ${name}.`)));
    return;
  }
  if (isNew && !held && !left) window.scrollTo(0, 0);
  fill(main, h("h1", { tabindex: "-1" }, title), waiting(6));
  const place = {
    main, path, query, me, signal: controller.signal,
    can: { write: !me.read_only, whole: !me.scope || me.scope === "/" },
    heading: (...words) => h("h1", { tabindex: "-1" }, words.length ? words : title),
    onEntries: (handler) => onEntries(handler, controller.signal),
    onDone: (handler) => onDone(handler, controller.signal),
    /** Put values into the address without a new page: a filter, a tab. */
    note: (changes) => {
      if (shown !== mine) return;
      const kept = new URLSearchParams(mine.query);
      for (const [key, value] of Object.entries(changes)) {
        if (value === null || value === undefined || value === "") kept.delete(key);
        else kept.set(key, value);
      }
      mine.query = kept;
      readdress(`#/${[name, ...path.map(encodeURIComponent)].join("/")}${kept.size ? `?${kept}` : ""}`);
    },
    again: () => {
      if (shown !== mine) return;
      const held = main.contains(document.activeElement) ? handle(document.activeElement) : null;
      leave();
      route(held);
    },
  };
  try {
    mine.view = (await MODULES.get(name).show(place)) ?? null;
  } catch (problem) {
    if (shown !== mine || problem.name === "AbortError") return;
    if (!(problem instanceof Problem)) console.error(problem);
    if (problem.status === 401) return;
    fill(main, h("h1", { tabindex: "-1" }, title), wrong(problem, place.again));
  }
  if (shown === mine) {
    main.dataset.shown = name;
    main.querySelector(".tabs [aria-current]")?.scrollIntoView({ block: "nearest", inline: "nearest" });
    // On arrival the focus stays where the browser has it, so that the first stop is the way past the frame.
    const isElsewhere = document.activeElement === search || document.activeElement?.closest("dialog");
    if (isNew && hasArrived && !isElsewhere) ((held && main.querySelector(held)) ?? main.querySelector("h1"))?.focus({ preventScroll: true });
    hasArrived = true;
    restore(left, main);
  }
}

// -- who is here

async function enter() {
  const turn = (entering += 1);
  handed = takeToken() ?? handed;
  try {
    await brought(handed);
    handed = null;
  } catch (problem) {
    if (!(problem instanceof Problem)) throw problem;
    if (problem.status) fill(document.getElementById("main"), wrong(problem, enter));
    return; // who does not answer now is asked again
  }
  if (turn !== entering) return;
  if (!token()) return signIn("");
  let found;
  try {
    found = await askPath("GET", "/token");
    if (turn !== entering) return;
  } catch (problem) {
    if (turn !== entering) return;
    if (problem.status === 401) return; // told by onAnswers
    if (problem.status === 0) return;
    if (problem.status === 403 && namespace()) {
      keepNamespace(null);
      return enter();
    }
    fill(document.getElementById("main"), wrong(problem, enter));
    return;
  }
  me = found;
  speakFor({ db: me.db, namespace: me.is_bound ? me.namespace : null });
  document.body.classList.remove("outside");
  mark();
  document.body.classList.toggle("reads", me.read_only);
  if (!me.scope || me.scope === "/") follow();
  else unfollow();
  leave();
  route();
}

/**
 * A token that the address brought. Anybody can lead a browser to an address: one that is signed in already stays so,
 * unless its own token is no longer good or the person wants the other.
 */
async function brought(secret) {
  if (!secret || secret === token()) return;
  const known = token() ? await whose(token()) : null;
  if (known) {
    const other = await whose(secret);
    if (!other) {
      toast({ text: "The address brought a token that is not good here. You are signed in as before.", bad: true });
      return;
    }
    const sure = await confirm({
      title: "Sign in with another token?", yes: "Sign in with it",
      text: h("p", "You are signed in as ", h("strong", { dir: "auto" }, known.name), ". The address brought the token ", h("strong", { dir: "auto" }, other.name), `, for namespace ${other.namespace}.`),
    });
    if (!sure) return;
  }
  keepNamespace(null);
  keepToken(secret);
}

/** What a token may do; null where it is not good. */
async function whose(secret) {
  try {
    return await askPath("GET", "/token", { as: secret, where: null });
  } catch (problem) {
    if (problem.status === 401) return null;
    throw problem;
  }
}

/** End the view that is shown: what it asked for, and what it listens to. */
function leave() {
  shown?.controller.abort();
  shown = null;
}

/** What this browser is looking at, where that is not the usual: the demo, another namespace, a part, reading alone. */
function mark() {
  const own = (text) => (me.is_bound ? null : h("button.small", { type: "button", on: { click: () => visit(null) } }, text));
  if (me.demo) {
    banner("demo", h("strong", "This is the demo: "), "a made-up year of an agent’s life. Nothing in it is yours. ",
      own("Back to my memory"));
  } else if (namespace()) {
    banner("demo", "Namespace ", h("strong", { dir: "auto" }, me.namespace), " ", own("Back to the usual one"));
  } else banner("demo");
  const kept = [me.read_only ? "it may read and change nothing" : "", me.scope && me.scope !== "/" ? `it is kept to ${me.scope}` : ""].filter(Boolean);
  if (kept.length) banner("kept", `Your token “${me.name}” has limits: ${kept.join(", and ")}.`);
  else banner("kept");
}

function signIn(why) {
  leave();
  unfollow();
  me = null;
  for (const name of ["demo", "kept", "back"]) banner(name);
  document.body.classList.add("outside");
  signin.show({ main: document.getElementById("main"), why, enter: (secret) => {
    if (!isToken(secret)) {
      signIn("That is no token: one has letters, digits, - and _ alone, and nothing before or after it.");
      return;
    }
    keepToken(secret);
    enter();
  } });
}

onAnswers((what) => {
  // Several requests may be refused at once; the first of them says why.
  if (what === "unauthorized" && token()) {
    keepToken(null);
    signIn("The token this browser had is no longer good: it has expired, or was revoked, or belongs to another server.");
  }
  if (what === "silent") silent();
  if (what === "moved" || what === "left") forgetDone();
  if (what === "moved") enter();
});

let watching = null;
/** Nobody answers: say so, and come back when somebody does. */
function silent() {
  if (watching) return;
  banner("silent", h("strong", "The server does not answer. "), "What you see may be old. This page tries again by itself. ",
    h("span", "Start it with "), h("code", "rem serve"), ".");
  document.body.classList.add("silent");
  const look = async () => {
    if (!(await answers())) {
      watching = setTimeout(look, 1000);
      return;
    }
    watching = null;
    banner("silent");
    document.body.classList.remove("silent");
    if (!isTouched) {
      enter();
      return;
    }
    banner("back", "The server answers again. What you have set here is as you left it. ", h("button.small", { type: "button", on: { click: () => { banner("back"); enter(); } } }, "Draw the page anew"));
  };
  watching = setTimeout(look, 1000);
}

// -- keys and settings

function pressed(event) {
  if (!me) return;
  if (event.key === "Escape" && event.target.id === "search") event.target.blur();
  if (!isKey(event)) return;
  if (going === "g") {
    going = "";
    const view = VIEWS.find((one) => one.key === event.key);
    if (view) {
      event.preventDefault();
      location.hash = `#/${view.name === "overview" ? "" : view.name}`;
    }
    return;
  }
  const does = {
    "/": () => document.getElementById("search").focus(),
    n: () => !me.read_only && remember(me),
    u: () => lastReceipt() && undo(lastReceipt()),
    g: () => (going = "g"),
    "?": settings,
  }[event.key];
  if (does) {
    event.preventDefault();
    does();
  }
}

function settings() {
  dialog("Settings and keys", (close) => {
    const theme = (value, label) =>
      h("label.choice", h("input", { type: "radio", name: "theme", value, checked: (localStorage.getItem(THEME) ?? "auto") === value, on: { change: () => themed(value) } }), label);
    const space = h("input", { type: "text", value: namespace() ?? "", placeholder: me?.namespace ?? "", maxlength: 200, dir: "auto" });
    const changed = (event) => {
      event.preventDefault();
      close();
      visit(space.value.trim());
    };
    const rows = [["/", "search"], ["n", "remember something"], ["u", "undo the last thing done here"], ["j  k", "down and up in a list"], ["x", "choose a row of a list"], ["b", "to what can be done with those chosen"], ["Esc", "choose none"],
      ...VIEWS.map(({ key, title }) => [`g ${key}`, `go to ${title}`]), ["?", "this"]];
    return [
      h("fieldset", h("legend", "Colours"), theme("auto", "As the system has them"), theme("light", "Light"), theme("dark", "Dark")),
      h("table.keys", h("caption", "Keys"), h("tbody", rows.map(([key, what]) => h("tr", h("th", { scope: "row" }, h("kbd", key)), h("td", what))))),
      h("label.choice", h("input", { type: "checkbox", checked: !keysOff(), on: { change: (event) => switchKeys(event.target.checked) } }), "Keys work"),
      me?.is_bound ? null : h("form.inline", { on: { submit: changed } }, h("label.field", h("span", "Namespace"), space), h("button", { type: "submit" }, "Look there")),
      h("p.quiet", `remanence ${VERSION}. Signed in as “${me?.name ?? ""}”, namespace ${me?.namespace ?? ""}.`),
      h("div.dialog-buttons",
        h("button", { type: "button", on: { click: () => { close(); keepToken(null); signIn(""); } } }, "Sign out"),
        h("button.primary", { type: "button", on: { click: () => close() } }, "Close")),
    ];
  });
}

function themed(value) {
  if (value) localStorage.setItem(THEME, value);
  const chosen = localStorage.getItem(THEME) ?? "auto";
  if (chosen === "auto") delete document.documentElement.dataset.theme;
  else document.documentElement.dataset.theme = chosen;
}

themed();
frame();
document.addEventListener("keydown", pressed);
document.getElementById("main").addEventListener("input", () => (isTouched = true));
document.querySelector(".skip").addEventListener("click", (event) => {
  event.preventDefault(); // the part behind the # names a view here
  document.getElementById("main").focus();
});
window.addEventListener("hashchange", () => (/^#token=/.test(location.hash) ? enter() : route()));
window.addEventListener("storage", (event) => event.key === "remanence.token" && enter());
enter();
