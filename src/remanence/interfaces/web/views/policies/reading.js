// A policy in words: what never leaves, what leaves when and why, what changes its layer, times, tiers and sizes.

import { ask } from "../../api.js";
import { rem } from "../../commands.js";
import { fill, h } from "../../dom.js";
import { scope as scopeLink, tag } from "../../parts/badges.js";
import { command } from "../../parts/command.js";
import { meter } from "../../parts/plots.js";
import { nothing, wrong } from "../../parts/states.js";
import { sign } from "../plans/lines.js";
import { condition, CURVES, listed, numberOf, said, target, VALUES } from "./sentences.js";
import { download, fileOf, use, used } from "./using.js";
import { former, named, policies } from "./values.js";

const DOES = new Map([["archive", "is archived"], ["forget", "is forgotten"], ["promote", "goes one layer up"], ["demote", "goes one layer down"], ["compact", "is offered to the dream"], ["review", "is put up for review"]]);

export async function show(place, content) {
  const { signal } = place;
  const items = await policies(signal);
  const current = items.find((one) => one.current);
  const wanted = place.query.get("name") ?? current.key;
  const one = items.find((item) => item.key === wanted);
  if (!one) {
    fill(content, nothing(`There is no policy “${wanted.slice(0, 60)}” here`, h("p", h("a", { href: "#/policies" }, "The policy in force"))));
    return;
  }
  const policy = await ask("policies.show", { name: named(one) }, { signal });
  const result = h("div", { role: "status" });
  const again = () => {
    place.note({ name: null });
    place.again();
  };
  const choose = h("select", { name: "policy", on: { change: () => { place.note({ name: choose.value === current.key ? null : choose.value }); place.again(); } } },
    items.map((item) => h("option", { value: item.key, selected: item === one }, item.title)));
  const button = h("button.primary", { type: "button", "data-writes": "", on: { click: () => chosen() } }, `Use ${one.name}`);
  const chosen = async () => {
    if (button.hasAttribute("aria-busy")) return;
    button.setAttribute("aria-busy", "true");
    let before;
    try {
      before = await former(await policies(signal), signal);
    } catch (problem) {
      if (problem.name === "AbortError") return;
      if (problem.status === undefined) throw problem;
      fill(result, wrong(problem, chosen));
      return;
    } finally {
      button.removeAttribute("aria-busy");
    }
    fill(result);
    await use({ policy: one.name, name: one.name, former: before, place: result, button, again });
  };
  used(result, again);
  fill(
    content,
    h("div.row.apart.receipts-head",
      h("label.field.short-field", h("span", "Policy"), choose),
      !place.can.whole ? null : one.current ? h("a.button", { href: "#/policies/change" }, "Change its numbers") : place.can.write ? button : null),
    result,
    head(policy, one.current),
    h("div.grid.policy-cards", leaving(policy), staying(policy), times(policy), moving(policy), h("div.stack", tiers(policy), sizes(policy), overrides(policy))),
    file(policy, one),
  );
}

function head(policy, isCurrent) {
  return h(
    "section.card.wide",
    h("h2", { dir: "auto" }, policy.name, isCurrent ? h("span.tag.in-force", "in force") : null),
    h("p.about", { dir: "auto" }, policy.about),
    policy.enabled ? null : h("p.notice", "Its sweeps are switched off: nothing leaves by a rule until that is changed."),
    h("p",
      "A memory’s clock ", policy.clock === "accessed" ? "starts anew whenever it is recalled" : "runs from the day it was written", ". It fades along ", CURVES.get(policy.curve) ?? policy.curve, ". What decides is ", VALUES.get(policy.value) ?? policy.value, ".",
      policy.trust_weighted ? " Sources that are trusted less fade sooner." : "", policy.layered ? " Higher layers fade more slowly." : "", policy.reinforced ? " Every recall strengthens it." : "", policy.active_clock ? " Days on which nobody was there do not count." : ""),
    command(isCurrent ? rem("policy show") : rem("policy show", [policy.name])),
  );
}

const card = (title, ...content) => h("section.card", h("h2", title), content);

function staying(policy) {
  const free = policy.overrides.filter((one) => one.exempt);
  return card(
    "What never leaves by a rule",
    h("ul",
      h("li", "What you have pinned, and crystals."),
      policy.exempt_layers.length ? h("li", "The layers ", listed(policy.exempt_layers), ".") : null,
      policy.exempt_kinds.length ? h("li", "The kinds ", policy.exempt_kinds.map((one, at) => [at ? " " : "", tag(one)])) : null,
      policy.exempt_scopes.length ? h("li", "All in ", policy.exempt_scopes.map((one, at) => [at ? ", " : "", scopeLink(one)])) : null,
      free.map((one) => h("li", one.kind ? ["The kind ", tag(one.kind)] : "All", one.scope ? [" in ", scopeLink(one.scope)] : null)),
      h("li.quiet-text", "An expiry of its own that has passed is archived under every policy.")),
  );
}

function rule(policy, one) {
  return h(
    "li.rule",
    h("p.rule-name", sign(one.action), h("strong", { dir: "auto" }, one.name), h("span.quiet", ` ${DOES.get(one.action) ?? one.action} when all of this holds`)),
    h("ul", one.when.map((text) => h("li", condition(policy, text)))),
    one.at_most === null ? null : h("p.quiet", `At most ${said(numberOf(policy, one.at_most))} a run, those of the lowest ${one.lowest} first.`),
    one.why ? h("p.quiet", { dir: "auto" }, `Why: ${one.why}.`) : null,
  );
}

function leaving(policy) {
  const rules = policy.rules.filter((one) => ["archive", "forget"].includes(one.action));
  return h("section.card.wide",
    h("h2", "What leaves recall, and when"),
    h("p.quiet", "The rules are asked in this order; the first that holds gives the reason. All its conditions must hold."),
    rules.length ? h("ol.rules", rules.map((one) => rule(policy, one))) : h("p", "Nothing leaves by a rule."));
}

function moving(policy) {
  const rules = policy.rules.filter((one) => !["archive", "forget"].includes(one.action));
  return rules.length ? card("What changes its layer, or is offered", h("ul.rules", rules.map((one) => rule(policy, one)))) : null;
}

function times(policy) {
  const found = Object.entries(policy.ttl_days);
  const days = (value) => (value === null ? "for good" : value < 1 ? `${said(value * 24)} hours` : `${said(value)} ${value === 1 ? "day" : "days"}`);
  return card("How long each kind is kept",
    found.length ? h("table", h("tbody", found.map(([kind, value]) => h("tr", h("th", { scope: "row", dir: "auto" }, kind), h("td.number", days(value)))))) : null,
    h("p.quiet", found.length ? "Other kinds have no time of their own." : "No kind has a time of its own."));
}

function tiers(policy) {
  const known = ["hot", "warm", "cold"].filter((one) => Object.hasOwn(policy.tiers, one));
  if (!known.length) return null;
  return card("Tiers",
    known.map((one) => meter({ name: one, share: policy.tiers[one], value: `from ${said(policy.tiers[one])}`, kind: { hot: "good", cold: "archived" }[one] ?? "" })),
    h("p.quiet", `By ${policy.value.replaceAll("_", " ")}; what is below cold is evictable.`));
}

function sizes(policy) {
  return policy.targets.length ? card("Sizes that are kept", h("ul", policy.targets.map((one) => h("li", target(policy, one), one.why ? ` ${one.why}.` : null)))) : null;
}

function overrides(policy) {
  const own = policy.overrides.filter((one) => Object.keys(one.numbers).length || one.sets_ttl);
  const told = (one) => [...Object.entries(one.numbers).map(([name, value]) => `${name.replaceAll("_", " ")} ${said(value)}`), ...(one.sets_ttl ? [`kept ${one.ttl_days === null ? "for good" : `for ${said(one.ttl_days)} days`}`] : [])];
  return own.length ? card("Other numbers in places", h("ul", own.map((one) => h("li", one.kind ? tag(one.kind) : null, one.scope ? [" ", scopeLink(one.scope)] : null, `: ${told(one).join(", ")}`)))) : null;
}

function file(policy, one) {
  const name = fileOf(one.isPreset ? `my-${policy.name}` : policy.name);
  return h("details.card.policy-file",
    h("summary", "As a file"),
    h("pre", { tabindex: "0", role: "group", "aria-label": "The policy as YAML", dir: "ltr" }, policy.yaml),
    h("div.buttons", h("button", { type: "button", on: { click: () => download(policy.yaml, name) } }, `Save as ${name}`)),
    command(`${rem("policy show", one.current ? [] : [policy.name], { yaml: true })} > ${name}`));
}
