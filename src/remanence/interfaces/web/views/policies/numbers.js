// The numbers of a policy: what each means, its unit, and how far its slider goes. The server has the last word on all of them.

const days = (about, high = 365, more = {}) => ({ about, unit: "days", low: 0, high, step: 1, least: 0, most: 36500, ...more });
const share = (about, more = {}) => ({ about, unit: "", low: 0, high: 1, step: 0.01, least: 0, most: 1, ...more });
const count = (about, high = 20) => ({ about, unit: "recalls", low: 0, high, step: 1, least: 0, most: null });
const size = (about, unit, high, step) => ({ about, unit, low: 0, high, step, least: 0, most: null, never: true });

/** By name: what it says, its unit, the slider's ends and step, the ends of what is allowed, and which curve or value reads it. */
export const NUMBERS = new Map(Object.entries({
  archive_after_days: days("Without a recall, kept for"),
  archive_below: share("Leaves when its value is below"),
  importance_below: share("Leaves only when importance is below"),
  accesses_below: count("Leaves only when recalled less than"),
  low_importance_max_days: days("Unimportant observations are kept for"),
  low_importance_threshold: share("Unimportant means importance below"),
  low_value_max_days: days("Observations worth little are kept for", 730),
  low_value_threshold: share("Worth little means importance up to"),
  prune_threshold: share("Forgotten when effective importance is below"),
  prune_after_days: days("Forgotten only when not recalled for more than"),
  keep_all_days: days("All raw output is kept for", 90),
  keep_findings_days: days("Findings are kept as they are for", 180),
  keep_details_days: days("Details are kept for"),
  stale_days: days("Stale after so long without a recall"),
  preserved_above: share("Stays while relevance is above"),
  max_evict: { about: "At most so many leave in a run", unit: "memories", low: 1, high: 1000, step: 1, least: 1, most: 1000 },
  superseded_days: days("Older versions are kept for"),
  lesson_confidence_least: share("A lesson is unlearned at a confidence of"),
  working_minutes: { about: "Working memories settle after", unit: "minutes", low: 0, high: 1440, step: 5, least: 0, most: 1000000 },
  working_accesses: count("Working memories settle when recalled", 10),
  semantic_importance: share("Becomes knowledge from an importance of"),
  semantic_accesses: count("Becomes knowledge when recalled", 30),
  scope_tokens: { ...size("A scope may hold", "tokens", 200000, 500), low: 500, least: 1 },
  max_observations: size("A scope may hold so many observations", "memories", 50000, 100),
  identity_tokens: size("What is known of the user may take", "tokens", 2000, 10),
  critical_tokens: size("What is critical may take", "tokens", 5000, 10),
  project_tokens: size("A project may take", "tokens", 100000, 500),
  historical_tokens: size("What is old may take", "tokens", 500000, 1000),
  historical_days: days("Old means older than"),
  index_memories: size("A project may hold", "memories", 5000, 10),
  half_life_days: days("Halves in", 365, { low: 1, least: 0.01, reads: ["halflife", "l2", "huber", "elastic"] }),
  delta: { about: "The curve turns straight after", unit: "half-lives", low: 0.1, high: 5, step: 0.1, least: 0.01, most: 100, reads: ["huber"] },
  rho: share("The share that fades in a straight line", { reads: ["elastic"] }),
  lambda: { about: "Salience fades by", unit: "a day", low: 0, high: 0.2, step: 0.001, least: 0, most: 100, reads: ["exponential", "score"] },
  sigma: { about: "What a recall adds", unit: "days", low: 0, high: 5, step: 0.05, least: 0, most: 100, reads: ["score"] },
  tau_days: days("Half of it is left after", 365, { low: 1, least: 0.01, reads: ["hyperbolic"] }),
  stability_days: days("90 % is left after", 365, { low: 1, least: 0.01, reads: ["power"] }),
  stability_gain: { about: "A spaced recall adds", unit: "times that", low: 0, high: 20, step: 0.1, least: 0, most: 1000, reads: ["power"] },
  spacing_days: days("A recall counts in full after", 60, { low: 0.5, least: 0.01, reads: ["power"] }),
  feedback_exponent: { about: "What feedback tells counts to the power", unit: "", low: 0, high: 6, step: 0.1, least: 0, most: 10, reads: ["power"] },
  decay_exponent: share("How thin the curve’s tail is", { low: 0.01, least: 0.0001, reads: ["power"] }),
  regret_gain: { about: "A kind that is missed decays slower by", unit: "times its missed share", low: 0, high: 20, step: 0.5, least: 0, most: 100, reads: ["halflife", "l2", "huber", "elastic", "exponential", "hyperbolic", "power"] },
  reinforcement_rate: share("What a recall adds", { reads: ["reinforced"] }),
  reinforcement_most: share("What recalls add at most", { reads: ["reinforced"] }),
  stale_session_days: days("A captured session is summarised after", 180),
  historical_review_days: days("A person looks at what is old every", 365, { low: 1, least: 1, never: true }),
  archive_review_days: days("A person looks at the archive every", 730, { low: 1, least: 1, never: true }),
}));
const INERT = new Set(["stale_session_days", "historical_review_days", "archive_review_days"]);
const TABLES = new Map([["weights", "Weight in worth"], ["kind_weights", "Weight of the kind"], ["salience", "Salience of the kind"], ["trust", "Trust in the source"]]);
const TIERS = new Map([["hot", "Hot from"], ["warm", "Warm from"], ["cold", "Cold from; below it evictable"]]);

/** Every number of a policy that something reads: those that its rules name first (`isFirst`), then the others. */
export function numbersOf(policy) {
  const named = namedBy(policy);
  const measures = new Set(policy.rules.flatMap((rule) => rule.when.map((one) => one.split(" ")[0])));
  const read = new Set([policy.curve, policy.value, ...measures, policy.reinforced ? "reinforced" : ""]);
  const found = [];
  for (const [name, about] of NUMBERS) {
    if (!Object.hasOwn(policy.numbers, name)) continue;
    const isRead = (about.reads ?? []).some((one) => read.has(one));
    if (named.has(name) || isRead || INERT.has(name)) found.push({ path: [name], name, value: policy.numbers[name], isFirst: named.has(name), ...about });
  }
  for (const [kind, value] of Object.entries(policy.ttl_days)) {
    found.push({ path: ["ttl", kind], name: `ttl.${kind}`, value: value ?? "never", isFirst: true, ...days(`The kind ${kind} is kept for`, 365, { low: 1, least: 1 / 24, never: true }) });
  }
  for (const tier of ["hot", "warm", "cold"]) {
    if (Object.hasOwn(policy.tiers, tier)) found.push({ path: ["tiers", tier], name: `tiers.${tier}`, value: policy.tiers[tier], isFirst: named.has(`tiers.${tier}`), ...share(TIERS.get(tier)) });
  }
  for (const [table, about] of TABLES) {
    if (table === "weights" && policy.value !== "worth" && !measures.has("worth")) continue;
    if (table === "trust" && !policy.trust_weighted) continue;
    for (const [key, value] of Object.entries(policy[table])) found.push({ path: [table, key], name: `${table}.${key}`, value, isFirst: false, ...share(`${about}: ${key}`) });
  }
  return [...found.filter((one) => one.isFirst), ...found.filter((one) => !one.isFirst)];
}

/** The numbers that rules and targets name. */
function namedBy(policy) {
  const found = new Set();
  for (const rule of policy.rules) {
    for (const one of rule.when) {
      const match = /^\S+ (?:<=|>=|<|>) (\S+)$/.exec(one);
      if (match) found.add(match[1]);
    }
    if (typeof rule.at_most === "string") found.add(rule.at_most);
  }
  for (const target of policy.targets) [target.tokens, target.memories, target.older_than_days].forEach((one) => found.add(one));
  return found;
}
