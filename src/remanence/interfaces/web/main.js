// The page: its frame, who is here, the keys that work everywhere, and what to do when nobody answers.

import { answers, askPath, isToken, keepNamespace, keepToken, namespace, onAnswers, Problem, takeToken, token, visit } from "./api.js";
import { forgetDone, lastReceipt, undo } from "./acting.js";
import { speakFor } from "./commands.js";
import { fill, h, s } from "./dom.js";
import { follow, unfollow } from "./live.js";
import { confirm } from "./parts/dialog.js";
import { isKey } from "./parts/keys.js";
import { remember } from "./parts/remember.js";
import { wrong } from "./parts/states.js";
import { toast } from "./parts/toast.js";
import { readdress } from "./places.js";
import { settings, themed } from "./settings.js";
import { isTouched, leave, show, shown, VIEWS } from "./showing.js";
import * as signin from "./views/signin.js";

const NO_TOKEN = "That is no token. One begins with rem_ and has letters, digits, - and _ alone: copy it whole.";
let me = null;
let going = "";
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
    h("button.quiet", { type: "button", "aria-label": "Settings and keys", on: { click: set } }, "⋯"),
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

/** Show what the address names, once somebody is here. */
const route = () => me && show(me);
const set = () => settings(me, () => {
  keepToken(null);
  signIn("");
});

// -- who is here

async function enter() {
  const turn = (entering += 1);
  handed = takeToken() ?? handed;
  let refused;
  try {
    refused = await brought(handed);
    handed = null;
  } catch (problem) {
    if (!(problem instanceof Problem)) throw problem;
    if (problem.status) fill(document.getElementById("main"), wrong(problem, enter));
    return; // who does not answer now is asked again
  }
  if (turn !== entering) return;
  if (!token()) return signIn(refused);
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
 * unless its own token is no longer good or the person wants the other. Answers with why it was not taken, for signing in.
 */
async function brought(secret) {
  if (!secret || secret === token()) return "";
  const known = token() ? await whose(token()) : null;
  if (!known && !isToken(secret)) return NO_TOKEN;
  if (known) {
    const other = isToken(secret) ? await whose(secret) : null;
    if (!other) {
      toast({ text: "The address brought a token that is not good here. You are signed in as before.", bad: true });
      return "";
    }
    const sure = await confirm({
      title: "Sign in with another token?", yes: "Sign in with it",
      text: h("p", "You are signed in as ", h("strong", { dir: "auto" }, known.name), ". The address brought the token ", h("strong", { dir: "auto" }, other.name), `, for namespace ${other.namespace}.`),
    });
    if (!sure) return "";
  }
  keepNamespace(null);
  keepToken(secret);
  return "";
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
      signIn(NO_TOKEN);
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

// -- keys

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
    "?": set,
  }[event.key];
  if (does) {
    event.preventDefault();
    does();
  }
}

themed();
frame();
document.addEventListener("keydown", pressed);
document.querySelector(".skip").addEventListener("click", (event) => {
  event.preventDefault(); // the part behind the # names a view here
  document.getElementById("main").focus();
});
window.addEventListener("hashchange", () => (/^#token=/.test(location.hash) ? enter() : route()));
window.addEventListener("storage", (event) => event.key === "remanence.token" && enter());
enter();
