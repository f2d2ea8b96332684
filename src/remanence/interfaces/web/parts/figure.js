// One number with its name below, to be read from afar; a link where there is more to see.

import { h } from "../dom.js";
import { number } from "../words.js";

export const figure = (value, name, { href = null, said = number } = {}) =>
  h(href ? "a.figure" : "div.figure", { href }, h("b", said(value)), h("span", name));
