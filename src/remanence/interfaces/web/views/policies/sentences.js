// A policy in words: each condition of a rule as people say it, with the policy's own numbers in it.

import { h } from "../../dom.js";
import { decimal, number, words } from "../../words.js";

const FALLING = new Map([["worth", "its worth"], ["retention", "its retention"], ["relevance", "its relevance"], ["score", "its score"], ["effective_importance", "its effective importance"],
  ["lesson_confidence", "its confidence as a lesson"], ["importance", "its importance"], ["confidence", "its confidence"], ["strength", "its strength"], ["valence", "its valence"], ["tokens", "its length in tokens"]]);
const SIGNS = new Map([["<", "below"], ["<=", "at most"], [">", "above"], [">=", "at least"]]);
export const VALUES = new Map([["worth", "worth, which weighs nine factors"], ["retention", "retention: how much of it is left by the curve"], ["relevance", "relevance, of age, recalls and kind"],
  ["score", "a score of salience, age and recent recalls"], ["effective_importance", "effective importance: importance, faded by the curve"]]);
export const CURVES = new Map([["power", "a power curve, steep at first and then long"], ["halflife", "a half-life"], ["l2", "the square curve"], ["huber", "a square curve that turns straight"],
  ["elastic", "a mix of a straight line and a square curve"], ["exponential", "an exponential curve"], ["hyperbolic", "a hyperbolic curve"]]);

/** A number of the policy, by name or as it stands. */
export function numberOf(policy, bound) {
  if (bound === null || bound === undefined) return "never";
  const text = String(bound);
  if (text.startsWith("tiers.")) return policy.tiers[text.slice(6)];
  if (Object.hasOwn(policy.numbers, text)) return policy.numbers[text];
  return Number.isNaN(Number(text)) ? text : Number(text);
}

/** 0.1542, 90, 5,000, never. */
export const said = (value) => (typeof value !== "number" ? String(value) : Number.isInteger(value) ? number(value) : decimal(value, 4).replace(/0+$/, "").replace(/\.$/, ""));

/** One condition: "idle_days > archive_after_days" → it was not recalled for more than 90 days. */
export function condition(policy, text) {
  const compared = /^(\w+) (<=|>=|<|>) (\S+)$/.exec(text);
  if (compared) return comparison(policy, ...compared.slice(1));
  const among = /^(\w+) is (not )?(.+)$/s.exec(text);
  if (among) return membership(among[1], Boolean(among[2]), among[3]);
  return { ttl_passed: ["the time of its kind is up"], "not ttl_passed": ["the time of its kind is not up"], ttl_running: ["a time of its own still runs"], "not ttl_running": ["no time of its own still runs"],
    expired: ["its own expiry has passed"], "not expired": ["its own expiry has not passed"] }[text] ?? [words(text)];
}

function comparison(policy, measure, sign, bound) {
  const value = numberOf(policy, bound);
  const strong = (unit = "") => h("strong", `${said(value)}${unit}`);
  const isMore = sign[0] === ">";
  const unit = bound.endsWith("_minutes") ? " minutes" : value === 1 ? " day" : " days";
  if (measure === "idle_days" || measure === "calendar_days") return isMore ? ["it was not recalled for ", sign === ">" ? "more than " : "", strong(unit), sign === ">=" ? " or more" : ""] : ["it was recalled within ", strong(unit)];
  if (measure === "age_days") return isMore ? ["it is older than ", strong(unit)] : ["it is at most ", strong(unit), " old"];
  if (measure === "access_count" || measure === "confirmations") {
    const did = measure === "access_count" ? "recalled" : "confirmed";
    if (sign === "<" && value === 1) return [`it was never ${did}`];
    const times = value === 1 ? " time" : " times";
    return [`it was ${did} ${sign === "<" ? "less than" : sign === "<=" ? "at most" : sign === ">" ? "more than" : "at least"} `, strong(times)];
  }
  return [`${FALLING.get(measure) ?? words(measure)} is ${SIGNS.get(sign)} `, strong()];
}

function membership(field, isNot, values) {
  if (field === "layer") return [isNot ? "it is not in the layer " : "it is in the layer ", h("strong", { dir: "auto" }, values)];
  if (field === "state" && values === "superseded") return [isNot ? "no newer version stands for it" : "a newer version stands for it"];
  if (field === "scope") return [isNot ? "it is not in " : "it is in ", h("strong", { dir: "ltr" }, values)];
  if (field === "source") return [isNot ? "it is not from the source " : "it is from the source ", h("strong", values)];
  return [isNot ? `it is of another ${field} than ` : `it is of the ${field} `, h("strong", { dir: "auto" }, values)];
}

/** A target: "a scope may hold 5,000 tokens; above that the lowest worth is archived". */
export function target(policy, one) {
  const bound = numberOf(policy, one.tokens ?? one.memories);
  const unit = one.tokens === null ? "memories" : "tokens";
  const which = [one.kind ? ` of the kind ${one.kind}` : "", one.category ? ` of the category ${one.category}` : "", one.older_than_days === null ? "" : ` older than ${said(numberOf(policy, one.older_than_days))} days`].join("");
  const where = one.each === "scope" ? "each scope" : one.each === "project" ? "each project" : "the store";
  if (bound === "never") return [`${where[0].toUpperCase()}${where.slice(1)} may hold any number of ${unit}${which}.`];
  const then = { archive: "is archived", forget: "is forgotten", review: "is put up for review" }[one.action] ?? one.action;
  return [`${where[0].toUpperCase()}${where.slice(1)} may hold `, h("strong", `${said(bound)} ${unit}`), `${which}; above that, what is lowest in ${words(one.lowest)} ${then}.`];
}

/** "one, two and three". */
export function listed(names) {
  return names.length > 1 ? `${names.slice(0, -1).join(", ")} and ${names.at(-1)}` : names.join("");
}
