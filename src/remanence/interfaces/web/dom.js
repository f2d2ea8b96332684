// Elements, made from values. Text goes in as text; nothing here can make an element of a string.

const SVG = "http://www.w3.org/2000/svg";

/** An element: h("button#undo.quiet", {type: "button", on: {click}}, "Undo"). Children: nodes, texts, numbers, lists, null. */
export function h(name, attributes, ...children) {
  return made((tag) => document.createElement(tag), name, attributes, children);
}

/** The same for SVG. */
export function s(name, attributes, ...children) {
  return made((tag) => document.createElementNS(SVG, tag), name, attributes, children);
}

function made(create, name, attributes, children) {
  const [, tag, id, classes] = /^([\w-]+)(?:#([\w-]+))?((?:\.[\w-]+)*)$/.exec(name);
  const element = create(tag);
  if (id) element.id = id;
  if (classes) element.setAttribute("class", classes.slice(1).replaceAll(".", " "));
  if (attributes !== undefined && attributes !== null && (typeof attributes !== "object" || attributes instanceof Node || Array.isArray(attributes))) {
    children = [attributes, ...children];
    attributes = null;
  }
  for (const [key, value] of Object.entries(attributes ?? {})) set(element, key, value);
  add(element, children);
  return element;
}

function set(element, key, value) {
  if (value === null || value === undefined || value === false) return;
  if (key === "on") {
    for (const [event, handler] of Object.entries(value)) element.addEventListener(event, handler);
  } else if (key === "vars") {
    for (const [name, number] of Object.entries(value)) element.style.setProperty(name, String(number));
  } else if (key === "class") {
    element.setAttribute("class", [element.getAttribute("class"), value].filter(Boolean).join(" "));
  } else if (key === "value" || key === "checked" || key === "indeterminate" || key === "selected") {
    element[key] = value;
  } else if (key === "href" && !/^(#|\/(?!\/)|blob:)/.test(String(value))) {
    throw new Error("addresses on this page are its own");
  } else {
    element.setAttribute(key, value === true ? "" : String(value));
  }
}

/** Add children to an element. */
export function add(element, ...children) {
  for (const child of children.flat(Infinity)) {
    if (child === null || child === undefined || child === false) continue;
    element.append(child instanceof Node ? child : String(child));
  }
  return element;
}

/** Put these children in the place of what an element holds. */
export function fill(element, ...children) {
  element.replaceChildren();
  return add(element, ...children);
}

/** A number that no other element of this page was given. */
let last = 0;
export function newId(stem) {
  last += 1;
  return `${stem}-${last}`;
}
