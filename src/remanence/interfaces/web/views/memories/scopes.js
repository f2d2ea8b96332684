// The scopes as a tree with counts: a branch is drawn when it is opened, and no more of it at once than one can look at.

import { h } from "../../dom.js";
import { number } from "../../words.js";

const MOST = 60;

/** The tree of {scope: count}; pick(scope) is called with a path, or "" for everything. `opened` keeps which branches are. */
export function tree(counts, pick, opened) {
  const root = grown(counts);
  const buttons = new Map();
  let chosen = "";
  const mark = () => {
    for (const [path, button] of buttons) button.setAttribute("aria-pressed", String(path === chosen));
  };
  const branch = (node) => {
    const children = [...node.children.values()].sort((one, other) => other.total - one.total || (one.path < other.path ? -1 : 1));
    const list = h("ul.branch");
    const draw = (most) => {
      list.append(...children.slice(list.querySelectorAll(":scope > li").length, most).map(twig));
      if (children.length > most) {
        const more = h("li", h("button.quiet.small", { type: "button", on: { click: () => { more.remove(); draw(most + MOST); mark(); } } }, `${number(children.length - most)} more`));
        list.append(more);
      }
    };
    draw(MOST);
    return list;
  };
  const twig = (node) => {
    const below = h("div");
    const pickIt = h("button.leaf", { type: "button", dir: "ltr", "data-scope": node.path, "aria-pressed": String(node.path === chosen), on: { click: () => pick(node.path === chosen ? "" : node.path) } },
      h("span.name", { dir: "auto" }, node.name), h("span.count", number(node.total)));
    buttons.set(node.path, pickIt);
    const open = node.children.size
      ? h("button.opens", { type: "button", "aria-expanded": "false", "aria-label": `Scopes below ${node.path}`, on: { click: () => turn(node.path) } }, "▸")
      : h("span.opens", { "aria-hidden": "true" });
    node.turn = (isOpen = open.getAttribute("aria-expanded") !== "true") => {
      if (!node.children.size) return;
      if (isOpen) opened.add(node.path);
      else opened.delete(node.path);
      open.setAttribute("aria-expanded", String(isOpen));
      open.textContent = isOpen ? "▾" : "▸";
      if (isOpen && !below.childElementCount) below.append(branch(node));
      below.hidden = !isOpen;
      mark();
    };
    return h("li", h("div.twig", open, pickIt), below);
  };
  const turn = (path, isOpen) => found(root, path)?.turn?.(isOpen);
  const everything = h("button.leaf", { type: "button", "data-scope": "", "aria-pressed": "true", on: { click: () => pick("") } },
    h("span.name", "Everything"), h("span.count", number(root.total)));
  buttons.set("", everything);
  const element = h("div.scopes", { role: "group", "aria-label": "Scopes" }, h("div.twig", h("span.opens", { "aria-hidden": "true" }), everything), branch(root));
  for (const path of [...opened].sort()) turn(path, true);
  /** Show which scope is chosen, and what is above it opened. */
  element.choose = (path) => {
    chosen = path;
    const parts = path.split("/").filter(Boolean);
    for (let length = 1; length < parts.length; length += 1) turn(`/${parts.slice(0, length).join("/")}`, true);
    mark();
  };
  return element;
}

function grown(counts) {
  const root = { name: "/", path: "/", total: 0, children: new Map() };
  for (const [path, count] of Object.entries(counts)) {
    let node = root;
    node.total += count;
    for (const part of path.split("/").filter(Boolean)) {
      const way = node.path === "/" ? `/${part}` : `${node.path}/${part}`;
      if (!node.children.has(part)) node.children.set(part, { name: part, path: way, total: 0, children: new Map() });
      node = node.children.get(part);
      node.total += count;
    }
  }
  return root;
}

function found(root, path) {
  let node = root;
  for (const part of path.split("/").filter(Boolean)) node = node?.children.get(part);
  return node;
}

/** A field in the tree's place, for who may not see what scopes there are. */
export function field(pick, given) {
  const input = h("input", { type: "text", dir: "ltr", maxlength: 1024, placeholder: given ?? "/", autocomplete: "off" });
  const submit = (event) => {
    event.preventDefault();
    pick(input.value.trim());
  };
  const element = h("form.scopes", { on: { submit } }, h("label.field", h("span", "Scope"), input), h("button.small", { type: "submit" }, "Show"));
  element.choose = (path) => {
    if (document.activeElement !== input) input.value = path;
  };
  return element;
}

