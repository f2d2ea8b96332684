// Markdown as elements: headings, paragraphs, lists, code, emphasis, tables, quotes. HTML in it stays text, and a link
// leads nowhere but to this page: other addresses are written out beside their words.

import { add, h } from "../dom.js";

const ID = /^memory:\/\/([0-9a-f]{8}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{12})$/;
// Bounded, so that no text makes it slow.
const INLINE = new RegExp(
  [
    "(?<tick>`{1,3})(?<code>[^`\\n]{1,2000}?)\\k<tick>",
    "\\*\\*(?<strong>[^*\\n]{1,1000})\\*\\*",
    "\\*(?<em>[^*\\s][^*\\n]{0,500})\\*",
    "(?<!\\w)__(?<strong2>[^_\\n]{1,1000})__(?!\\w)",
    "(?<!\\w)_(?<em2>[^_\\s][^_\\n]{0,500})_(?!\\w)",
    "\\[(?<words>[^\\]\\n]{0,500})\\]\\((?<target>[^)\\s]{0,1000})\\)",
    "(?<address>memory:\\/\\/[\\w\\/.-]{1,200})",
    "\\\\(?<plain>[\\\\`*_{}\\[\\]()#+.!|>-])",
  ].join("|"),
  "gu",
);
const ITEM = /^(\s{0,40})([-*+]|\d{1,9}[.)])\s+(.*)$/s;
const FENCE = /^\s{0,3}(`{3,}|~{3,})/;
const HEADING = /^#{1,6}(?=\s)/;
const DEEPEST = 20; // quotes in quotes
const LONGEST_RULE = 1000; // of the line below the head of a table

/**
 * A text in Markdown as an element. `level`: that of its first headings; `leads(address)`: where an address such as
 * memory://root/MEMORY.md leads on this page, or null.
 */
export function markdown(text, { level = 2, leads = () => null } = {}) {
  const lines = text.replaceAll("\r\n", "\n").split("\n");
  const element = h("div.markdown", { dir: "auto" });
  add(element, front(lines), blocks(lines, { level, leads }));
  return element;
}

/** What stands between two lines of dashes at the top: names and values, taken from the lines. */
function front(lines) {
  const end = lines[0]?.trim() === "---" ? lines.indexOf("---", 1) : -1;
  if (end < 0 || end > 40) return null;
  const inside = lines.splice(0, end + 1).slice(1, -1);
  const pairs = inside.map((line) => /^([\w-]+):\s*(.*)$/s.exec(line)).filter((pair) => pair?.[2]);
  return h("dl.front", pairs.map(([, name, value]) => [h("dt", name), h("dd", { dir: "auto" }, value)]));
}

function blocks(lines, options, depth = 0) {
  const made = [];
  let at = 0;
  const taken = (test) => {
    const from = at;
    while (at < lines.length && test(lines[at])) at += 1;
    return lines.slice(from, at);
  };
  while (at < lines.length) {
    const line = lines[at];
    const heading = HEADING.exec(line);
    const fence = FENCE.exec(line);
    if (!line.trim()) at += 1;
    else if (fence) {
      at += 1;
      const inside = taken((one) => !one.trim().startsWith(fence[1]));
      at += 1;
      made.push(h("pre", { tabindex: "0", role: "group", "aria-label": "Code" }, h("code", { dir: "ltr" }, inside.join("\n"))));
    } else if (heading) {
      at += 1;
      made.push(h(`h${Math.min(6, options.level + heading[0].length - 1)}`, { dir: "auto" }, inline(titled(line.slice(heading[0].length)), options)));
    } else if (/^\s{0,3}([-*_])(\s*\1){2,}\s*$/.test(line)) {
      at += 1;
      made.push(h("hr"));
    } else if (/^\s{0,3}>/.test(line)) {
      const inside = taken((one) => /^\s{0,3}>/.test(one)).map((one) => one.replace(/^\s{0,3}>\s?/, ""));
      made.push(h("blockquote", inside.length > 2000 || depth >= DEEPEST ? inside.join("\n") : blocks(inside, options, depth + 1)));
    } else if (ITEM.test(line)) {
      made.push(listed(taken((one) => ITEM.test(one) || /^\s{2,}\S/.test(one)), options));
    } else if (line.includes("|") && isRule(lines[at + 1] ?? "")) {
      made.push(table(taken((one) => one.includes("|")), options));
    } else {
      // At least this line, whatever it is: nothing may stand still here.
      const first = at;
      made.push(h("p", { dir: "auto" }, inline(taken((one) => at === first || starts(one)).join("\n"), options)));
    }
  }
  return made;
}

/** The words of a heading, without the marks that may close it. */
function titled(text) {
  const words = text.trim();
  let end = words.length;
  while (words[end - 1] === "#") end -= 1;
  return end === 0 || /\s/.test(words[end - 1]) ? words.slice(0, end).trimEnd() : words;
}

const cellsOf = (line) => line.trim().replace(/^\||\|$/g, "").split("|").map((one) => one.trim());

/** Whether a line is the one below the head of a table: dashes between bars. */
const isRule = (line) => line.length <= LONGEST_RULE && line.includes("|") && cellsOf(line).every((one) => /^:?-+:?$/.test(one));

const starts = (line) => line.trim() !== "" && !HEADING.test(line) && !ITEM.test(line) && !/^\s{0,3}>/.test(line) && !FENCE.test(line);

/** A list; what is indented further is a list in its last item. */
function listed(lines, options) {
  const indent = ITEM.exec(lines[0])[1].length;
  const isOrdered = /\d/.test(ITEM.exec(lines[0])[2]);
  const items = [];
  for (const line of lines) {
    const item = ITEM.exec(line);
    if (item && item[1].length <= indent + 1) items.push({ text: item[3], below: [] });
    else items.at(-1).below.push(line);
  }
  return h(isOrdered ? "ol" : "ul", items.map(({ text, below }) => h("li", { dir: "auto" }, inline(text, options), below.length ? deeper(below, options) : null)));
}

function deeper(lines, options) {
  const first = lines.findIndex((line) => ITEM.test(line));
  const words = (first < 0 ? lines : lines.slice(0, first)).map((line) => line.trim()).join(" ");
  return [words ? [" ", inline(words, options)] : null, first < 0 ? null : listed(lines.slice(first), options)];
}

function table(lines, options) {
  const cells = (line) => cellsOf(line).map((one) => inline(one, options));
  const [head, , ...rows] = lines;
  return h("div.scrolls", { tabindex: "0", role: "group", "aria-label": "Table" },
    h("table", h("thead", h("tr", cells(head).map((one) => h("th", { scope: "col" }, one)))), h("tbody", rows.map((row) => h("tr", cells(row).map((one) => h("td", { dir: "auto" }, one)))))));
}

function inline(text, options, depth = 0) {
  const made = [];
  let end = 0;
  for (const found of text.matchAll(INLINE)) {
    made.push(text.slice(end, found.index));
    end = found.index + found[0].length;
    const { code, strong, strong2, em, em2, words, target, address, plain } = found.groups;
    const inside = (part) => (depth < 4 ? inline(part, options, depth + 1) : part);
    if (code !== undefined) made.push(h("code", { dir: "auto" }, code));
    else if (strong ?? strong2) made.push(h("strong", inside(strong ?? strong2)));
    else if (em ?? em2) made.push(h("em", inside(em ?? em2)));
    else if (plain) made.push(plain);
    else if (target !== undefined) made.push(pointed(target, words || target, options));
    else {
      const named = address.replace(/[.-]+$/, "");
      made.push(pointed(named, named, options), address.slice(named.length));
    }
  }
  made.push(text.slice(end));
  return made;
}

/** A link where the address is one of this page; else its words, and the address beside them. */
function pointed(address, words, { leads }) {
  const id = ID.exec(address)?.[1];
  const href = id ? `#/memory/${id}` : address.startsWith("#/") ? address : leads(address);
  if (href) return h("a", { href, dir: "auto" }, id && words === address ? `…${id.slice(-8)}` : words);
  return words === address ? h("code", { dir: "ltr" }, address) : [words, " (", h("code", { dir: "ltr" }, address), ")"];
}
