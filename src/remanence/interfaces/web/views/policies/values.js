// A policy as the object that makes it again: what it extends, and all in which it differs. The server checks that it is the same.

import { ask } from "../../api.js";

const PRESETS = ["balanced", "halflife", "relevance", "layered", "tiered"];
const TABLES = ["tiers", "weights", "kind_weights", "salience", "trust", "layer_half_life_days"];
const PLAIN = ["value", "clock", "curve", "enabled", "trust_weighted", "layered", "reinforced", "active_clock", "exempt_scopes", "exempt_kinds", "exempt_layers", "project_scopes", "about"];
// A rule's words come as "kind is a, b or c": a name with such a joint in it could not be told from two.
const UNCLEAR = /^\s*(?:- (?!\w+: )|(?:- )?(?:kind|scope|layer|source|state|not): ).*(?: or |, )/m;
const same = (one, other) => JSON.stringify(one) === JSON.stringify(other);

/** The key of the policy in force where a preset has its name: its name is not enough. */
const IN_FORCE = "in force";

/**
 * The policies there are, each with `key` (its name in an address), `title`, and whether it is a preset: by what is in
 * it, since one's own may be named like a preset, and is told beside it then.
 */
export async function policies(signal) {
  const { items } = await ask("policies.list", {}, { signal });
  return items.map((one) => {
    const isAlone = items.filter((other) => other.name === one.name).length === 1;
    return {
      ...one, isPreset: PRESETS.includes(one.name) && (isAlone || !one.current), key: one.current && !isAlone ? IN_FORCE : one.name,
      title: one.current ? `${one.name} (in force)` : one.name,
    };
  });
}

/** What a policy of the list is asked for by: the one in force by naming none. */
export const named = (one) => (one.current ? undefined : one.name);

/** The policy in force as what makes it again, {policy, name}: a preset's name, or an object; null where only a file can say it. */
export async function former(items, signal) {
  const current = items.find((one) => one.current);
  if (current.isPreset) return { policy: current.name, name: current.name };
  return { policy: await valuesOf(await ask("policies.show", {}, { signal }), false, signal), name: current.name };
}

/** Days as a policy writes them: 7 → "7d", 0.5 → "12h", null → "never". */
function span(value) {
  if (value === null || value === "never") return "never";
  return Number.isInteger(value) ? `${value}d` : `${Math.max(1, Math.round(value * 24))}h`;
}

/** The object of a policy; null where its rules cannot be written by this page, which only a file can then. */
export async function valuesOf(policy, isPreset, signal) {
  if (isPreset) return { extends: policy.name };
  if (UNCLEAR.test(policy.yaml)) return null;
  const named = /^extends: *["']?(\w+)/m.exec(policy.yaml)?.[1];
  const values = PRESETS.includes(named) ? { extends: named } : {};
  const base = await ask("policies.show", { name: values.extends ?? { about: "the common ground" } }, { signal });
  Object.assign(values, { name: policy.name }, differing(policy, base));
  const made = await ask("policies.show", { name: values }, { signal }).catch((problem) => {
    if (problem.name === "AbortError") throw problem;
    return null;
  });
  const kept = ["numbers", "ttl_days", "rules", "targets", "overrides", ...TABLES, ...PLAIN];
  return made && kept.every((name) => same(made[name], policy[name])) ? values : null;
}

function differing(policy, base) {
  const values = {};
  for (const [name, value] of Object.entries(policy.numbers)) if (!same(value, base.numbers[name])) values[name] = value;
  for (const table of TABLES) {
    const own = Object.entries(policy[table]).filter(([key, value]) => !same(value, base[table][key]));
    if (own.length) values[table] = Object.fromEntries(own);
  }
  const times = Object.entries(policy.ttl_days).filter(([kind, value]) => !same(value, base.ttl_days[kind]));
  if (times.length) values.ttl = Object.fromEntries(times.map(([kind, value]) => [kind, span(value)]));
  for (const name of PLAIN) if (!same(policy[name], base[name])) values[name] = policy[name];
  if (policy.overrides.length) values.overrides = policy.overrides.map(override);
  const rules = policy.rules.filter((rule) => !base.rules.some((one) => same(one, rule)));
  if (rules.length) values.rules = rules.map(ruleOf);
  const targets = policy.targets.filter((target) => !base.targets.some((one) => same(one, target)));
  if (targets.length) values.targets = targets.map(filled);
  const names = new Set([...policy.rules, ...policy.targets].map((one) => one.name));
  const without = [...base.rules, ...base.targets].map((one) => one.name).filter((name) => !names.has(name));
  if (without.length) values.without = without;
  return values;
}

function override(one) {
  return { ...filled({ scope: one.scope, kind: one.kind, exempt: one.exempt }), ...one.numbers, ...(one.sets_ttl ? { ttl: span(one.ttl_days) } : {}) };
}

const filled = (given) => Object.fromEntries(Object.entries(given).filter(([, value]) => value !== null && value !== ""));

function ruleOf(rule) {
  const when = new Map();
  for (const text of rule.when) {
    const compared = /^(\w+) (<=|>=|<|>) (\S+)$/.exec(text);
    const among = /^(\w+) is (not )?(.+)$/s.exec(text);
    if (compared) {
      const [, measure, sign, bound] = compared;
      when.set(measure, [...(when.get(measure) ?? []), `${sign} ${bound}`]);
    } else if (among) {
      const values = among[3].split(/, | or /);
      when.set(among[1], among[2] ? { not: values } : values);
    } else when.set(text.replace(/^not /, ""), !text.startsWith("not "));
  }
  return { ...filled({ name: rule.name, action: rule.action, why: rule.why, at_most: rule.at_most }), when: Object.fromEntries(when), ...(rule.lowest === "worth" ? {} : { lowest: rule.lowest }) };
}

/** The object with some numbers changed: pairs of a path (["tiers", "hot"]) and a value. */
export function changed(values, changes) {
  const made = structuredClone(values);
  for (const [[name, key], value] of changes) {
    if (key === undefined) made[name] = value;
    else made[name] = { ...made[name], [key]: name === "ttl" ? span(value) : value };
  }
  return made;
}
