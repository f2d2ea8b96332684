// Choosing a policy for the store: asked before, stopped by the breaker, and how to go back afterwards.

import { ask, onAnswers } from "../../api.js";
import { act } from "../../acting.js";
import { rem } from "../../commands.js";
import { fill, h } from "../../dom.js";
import { pastBreaker } from "../../parts/breaker.js";
import { command } from "../../parts/command.js";
import { confirm } from "../../parts/dialog.js";
import { progress } from "../../parts/states.js";
import { memories } from "../../words.js";

/** The name of a policy's file. */
export const fileOf = (name) => `${name.trim().replace(/[^\p{L}\p{N}_-]+/gu, "-").replace(/^-+|-+$/g, "") || "mine"}.yml`;

/** How a policy is named on the command line: a preset by its name, another by its file. */
const word = (policy, name) => (typeof policy === "string" ? policy : fileOf(name));

let latest = null; // what was put to use last, until the view that is drawn anew has told of it
// Another namespace has a policy of its own, and who comes next has not put this one to use.
onAnswers((what) => {
  if (what === "left" || what === "moved") latest = null;
});

/**
 * Make a policy the store's own. `policy` is a preset's name or an object; `former` is {policy, name} of the one in
 * force, policy null where it cannot be written again. How far it is stands in `place`; `again` draws the view anew,
 * which is about another policy in force then, and has what came of it from `used`.
 */
export async function use({ policy, name, former, place, button, again }) {
  const said = rem("policy use", [word(policy, name)]);
  const sure = await confirm({
    title: `Use ${name} from now on?`,
    text: [
      `It becomes the policy of this store, and every memory is dated under it. Nothing leaves before the next sweep. ${former.name} can be chosen again.`,
      ...(typeof policy === "string" ? [] : [h("p.quiet", `On the command line, save it as ${fileOf(name)} first.`)]),
    ],
    command: said,
    yes: `Use ${name}`,
  });
  if (!sure) return;
  const send = async (force) => {
    const bar = progress("Dating every memory under it");
    fill(place, h("div.card", bar));
    try {
      return await ask("policies.use", { name: policy, force: force || undefined }, { progress: bar.told });
    } finally {
      fill(place);
    }
  };
  const answer = await act({
    work: () => pastBreaker(send, {
      about: "Nothing leaves at once, but the next sweep would propose all of that. Look at the forecast first.",
      command: rem("policy use", [word(policy, name)], { force: true }),
      yes: "Use it anyway",
    }),
    said: (used) => (used.in_force ? `${used.policy} is in force.` : `${used.policy} is chosen for the store, but another one is in force.`),
    command: said,
    button,
  });
  if (!answer || !place.isConnected) return;
  latest = { answer, former };
  // The heading has the focus, and is found by its id when the view is drawn anew.
  fill(place, result(answer, former, place, again));
  place.querySelector("h2").focus();
  again();
}

/** What came of putting a policy to use, where that has just been done: drawn into `place`. */
export function used(place, again) {
  if (latest) fill(place, result(latest.answer, latest.former, place, again));
  latest = null;
}

function result(answer, former, place, again) {
  const turn = (event) => use({ policy: former.policy, name: former.name, former: { policy: null, name: answer.policy }, place, button: event.currentTarget, again });
  const back = former.policy ? h("button", { type: "button", "data-writes": "", on: { click: turn } }, `Back to ${former.name}`) : null;
  return h(
    "section.card",
    h("h2#policy-used", { tabindex: "-1" }, answer.in_force ? `${answer.policy} is in force` : `${answer.policy} is chosen, but not in force`),
    answer.in_force ? null : h("p.notice", "A setting names another policy, and that goes before what is chosen for the store. Take it out of the settings to let this one act."),
    h("p", answer.leaves ? `${memories(answer.leaves)} ${answer.leaves === 1 ? "leaves" : "leave"} at the next sweep` : "Nothing leaves yet", answer.in_force ? `; ${memories(answer.dated)} dated.` : "."),
    answer.warnings.length ? h("ul.warnings", answer.warnings.map((one) => h("li", { dir: "auto" }, one))) : null,
    h("p", "To take it back, choose the former one again: ", h("strong", { dir: "auto" }, former.name), "."),
    h("div.buttons", back, h("a.button", { href: "#/plans?plan=sweep" }, "See what a sweep would do")),
    command(rem("policy use", [word(typeof former.policy === "string" ? former.policy : {}, former.name)])),
  );
}

/** Save a text as a file of this computer. */
export function download(text, name) {
  const address = URL.createObjectURL(new Blob([text], { type: "application/yaml" }));
  const link = h("a", { href: address, download: name });
  document.body.append(link);
  link.click();
  link.remove();
  setTimeout(() => URL.revokeObjectURL(address), 10000);
}
