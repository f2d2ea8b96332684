// The changes of a plan in groups by rule, step or reason, closed unless they are small; their lines are drawn when they are opened.

import { add, h, newId } from "../../dom.js";
import { scope } from "../../parts/badges.js";
import { counted, memories, number, percent, short } from "../../words.js";
import { isOffer, sums } from "./choice.js";
import { evidence, growing, line, sign, stays } from "./lines.js";

const OPEN_UP_TO = 60;

/** The groups of a plan. `changed()` is called when the choice has; the element's look() draws its marks anew. */
export function groups(made, read, changed) {
  const boxes = [];
  const look = () => boxes.forEach((box) => box.look());
  const put = (units, wanted) => {
    made.put(units, wanted);
    look();
    changed();
  };
  const box = (units, label) => {
    const element = h("input", { type: "checkbox", "aria-label": label, on: { change: () => put(units, element.checked) } });
    element.look = () => {
      const { possible, chosen } = made.of(units);
      element.checked = possible > 0 && chosen === possible;
      element.indeterminate = chosen > 0 && chosen < possible;
      element.disabled = possible === 0;
    };
    element.look();
    boxes.push(element);
    return element;
  };
  const isSmall = made.units.reduce((sum, unit) => sum + Math.max(unit.changes.length, 1), 0) <= OPEN_UP_TO;
  const element = h("div.groups", made.groups.map((group) => section(group, { box, read, isOpen: isSmall })));
  element.look = look;
  return element;
}

/** A heading that opens, with a checkbox beside it. */
function opening({ check, title, about, isOpen, build, level = "h3" }) {
  const id = newId("group");
  const body = h("div.group-body", { id, hidden: true });
  let isBuilt = false;
  const turn = (wanted) => {
    if (wanted && !isBuilt) {
      isBuilt = true;
      add(body, build());
    }
    body.hidden = !wanted;
    button.setAttribute("aria-expanded", String(wanted));
  };
  const button = h("button.opener", { type: "button", "aria-expanded": "false", "aria-controls": id, on: { click: () => turn(body.hidden) } }, title);
  const element = h("section.group", h("div.group-head", check, h(`${level}`, button), about), body);
  turn(isOpen);
  return element;
}

function section(group, { box, read, isOpen }) {
  const changes = group.units.flatMap((unit) => unit.changes);
  const found = sums(changes);
  const isOffered = changes.length > 0 && changes.every(isOffer);
  const said = [
    group.isClaims ? counted(group.units.length, "claim") : null,
    found.leaving ? `${memories(found.leaving)} ${found.leaving === 1 ? "leaves" : "leave"} recall` : null,
    found.added ? `${number(found.added)} new` : null,
    found.back ? `${number(found.back)} come back` : null,
    !isOffered && found.adjusted ? `${number(found.adjusted)} adjusted` : null,
    isOffered ? `${memories(changes.length)}, offered: nothing changes by it` : null,
    found.tokens ? `${short(found.tokens)} tokens` : null,
  ].filter(Boolean);
  const draw = group.isClaims ? (unit) => claimItem(unit, { box, read, isOpen: group.units.length === 1 && isOpen }) : (unit) => item(unit, { box, read });
  return h(
    "div.card",
    opening({
      check: box(group.units, `All of “${group.title}”`),
      title: [group.action ? sign(group.action) : null, group.title],
      about: h("p.group-said", said.join(" · ")),
      isOpen,
      level: "h3",
      build: () => [
        group.why ? h("p.quiet", { dir: "auto" }, group.why) : null,
        group.told ? byScope(group.told) : null,
        growing(group.units, draw, { more: group.isClaims ? "claims" : "lines", label: group.title }),
      ],
    }),
  );
}

function byScope(told) {
  const rows = Object.entries(told.scopes).sort(([, one], [, other]) => other[0] - one[0]).slice(0, 8);
  if (!rows.length) return null;
  return h("p.marks", "Of live memories: ", rows.map(([path, [some, all]]) => h("span", scope(path), ` ${number(some)} of ${number(all)} (${percent(all ? some / all : 0)})`)));
}

/** A line that can be chosen alone. */
function item(unit, { box, read }) {
  const [change] = unit.changes;
  return h("li.line", isOffer(change) ? h("span") : box([unit], `Choose: ${change.action} ${change.memory_id.slice(-12)}`), sign(change.action), line(change, read, { why: false }));
}

/** A claim, chosen whole. */
function claimItem(unit, { box, read, isOpen }) {
  const { claim, changes } = unit;
  const found = sums(changes);
  const kept = Object.entries(claim.staying);
  const said = [
    claim.made.length ? `${number(claim.made.length)} new` : null,
    found.leaving ? `${number(found.leaving)} leave` : null,
    kept.length ? `${number(kept.length)} stay` : null,
    found.adjusted ? `${number(found.adjusted)} adjusted` : null,
    changes.length ? null : "goes for good, so it is not chosen unless you do",
    claim.llm ? "a language model had a part in it" : null,
  ].filter(Boolean);
  return h(
    "li.claim",
    opening({
      check: box([unit], `Choose the claim: ${claim.title}`),
      title: h("span", { dir: "auto" }, claim.title),
      about: h("p.group-said", said.join(" · ")),
      isOpen,
      level: "h4",
      build: () => [
        h("p.marks", h("span.id", claim.key), evidence(claim.evidence)),
        changes.length
          ? growing(changes, (change) => h("li.line.plain", sign(change.action), line(change, read)), { label: claim.title })
          : h("p.quiet", "It has no lines of its own: it is done when the whole plan is applied, and no undo brings it back."),
        kept.length ? h("p.stays-head", "What stays, and what the new text would lose of it:") : null,
        kept.length ? growing(kept, ([id, why]) => stays(read, id, why), { more: "that stay" }) : null,
      ],
    }),
  );
}
