// Numbers, moments and counts as people read them, in the language of the browser.

const NUMBER = new Intl.NumberFormat();
const SHORT = new Intl.NumberFormat(undefined, { notation: "compact", maximumFractionDigits: 1 });
const DAY = new Intl.DateTimeFormat(undefined, { year: "numeric", month: "short", day: "numeric" });
const MOMENT = new Intl.DateTimeFormat(undefined, { dateStyle: "medium", timeStyle: "short" });
const AGO = new Intl.RelativeTimeFormat(undefined, { numeric: "auto" });
const STEPS = [["year", 31557600], ["month", 2629800], ["week", 604800], ["day", 86400], ["hour", 3600], ["minute", 60]];

export const number = (value) => NUMBER.format(value);
export const short = (value) => SHORT.format(value);

/** "3 memories", "1 memory". */
export function counted(value, one, many) {
  return `${number(value)} ${value === 1 ? one : many ?? one + "s"}`;
}

export const memories = (value) => counted(value, "memory", "memories");

/** A share as a percentage; a number between 0 and 1 with two places. */
export const percent = (share) => `${Math.round(share * 100)} %`;
export const decimal = (value, places = 2) => (Number.isFinite(value) ? Number(value).toFixed(places) : "–");

export const day = (moment) => DAY.format(new Date(moment));
export const moment = (value) => MOMENT.format(new Date(value));

/** "3 days ago", "in 2 weeks". */
export function ago(value, now = Date.now()) {
  const seconds = (new Date(value).getTime() - now) / 1000;
  for (const [unit, length] of STEPS) {
    if (Math.abs(seconds) >= length) return AGO.format(Math.round(seconds / length), unit);
  }
  return "just now";
}

/** 12345678 → "11.8 MB". */
export function bytes(value) {
  const units = ["bytes", "KB", "MB", "GB", "TB"];
  let step = 0;
  while (value >= 1024 && step < units.length - 1) {
    value /= 1024;
    step += 1;
  }
  return `${step ? value.toFixed(1) : value} ${units[step]}`;
}

/** A name of the program as words: "effective_importance" → "effective importance". */
export const words = (name) => String(name).replaceAll("_", " ");

/** The beginning of a text, whole characters, with a mark where it was cut. */
export function beginning(text, length = 160) {
  if (text.length <= length) return text;
  let cut = text.slice(0, length);
  if (/[\uD800-\uDBFF]$/.test(cut)) cut = cut.slice(0, -1);
  return `${cut.trimEnd()}…`;
}

const ID = /^[0-9a-f]{8}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{12}$/;
/** Whether a text is the id of a memory. */
export const isId = (text) => ID.test(text);

/** With the signs written out that turn the order of letters: in what is to be copied, one sees what one gets. */
export const unturned = (text) => text.replace(/[\u202a-\u202e\u2066-\u2069]/g, (sign) => `\\u${sign.charCodeAt(0).toString(16)}`);
