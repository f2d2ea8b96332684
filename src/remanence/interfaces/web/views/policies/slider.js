// One number: a slider for the usual range, a field for any value, its unit, what it was, and the way back to that.

import { fill, h, newId } from "../../dom.js";
import { said } from "./sentences.js";

/** An element with isFirst and reset(); `moved(value)` is told every new value, a number or "never". */
export function slider(one, moved) {
  const id = newId("number");
  const isNever = one.value === "never";
  const usual = isNever ? one.high : one.value;
  const top = Math.max(one.high, usual);
  const range = h("input", { type: "range", id, min: Math.min(one.low, usual), max: top, step: one.step < 1 ? one.step : "any", value: usual, disabled: isNever });
  const field = h("input.number-field", { type: "number", "aria-label": `${one.about}, as a number`, min: one.least, max: one.most, step: "any", value: usual, disabled: isNever, inputmode: "decimal" });
  const never = one.never ? h("input", { type: "checkbox", checked: isNever, "aria-label": `${one.about}: without a limit` }) : null;
  const back = h("button.quiet.small", { type: "button", hidden: true, "aria-label": `Reset ${one.about} to ${said(one.value)}` }, "Reset");
  const was = h("span.was");
  let value = one.value;
  const unit = one.unit ? ` ${one.unit}` : "";

  const look = () => {
    const isOff = value === "never";
    range.disabled = isOff;
    field.disabled = isOff;
    if (never) never.checked = isOff;
    if (!isOff) {
      if (Number(range.value) !== value) range.value = value;
      if (document.activeElement !== field) field.value = value;
    }
    range.setAttribute("aria-valuetext", isOff ? "no limit" : `${said(value)}${unit}`);
    back.hidden = value === one.value;
    fill(was, value === one.value ? "" : `was ${one.value === "never" ? "no limit" : said(one.value)}${unit}`);
    element.classList.toggle("moved", value !== one.value);
  };
  const put = (next) => {
    if (next === value) return;
    value = next;
    look();
    moved(value);
  };
  // A slider of days goes by whole ones; what is exact is written into the field.
  const rounded = (given) => (one.step >= 1 ? Math.round(given / one.step) * one.step : Number((Math.round(given / one.step) * one.step).toFixed(4)));
  range.addEventListener("input", () => put(Math.max(rounded(Number(range.value)), one.low)));
  field.addEventListener("input", () => {
    if (field.value !== "" && Number.isFinite(field.valueAsNumber)) put(field.valueAsNumber);
  });
  field.addEventListener("change", look);
  never?.addEventListener("change", () => put(never.checked ? "never" : Number(field.value)));
  const element = h(
    "div.slider",
    { "data-number": one.name },
    h("div.slider-head", h("label", { for: id, dir: "auto" }, one.about), was, back),
    h("div.slider-row", range, field, h("span.unit", one.unit), never ? h("label.choice", never, "no limit") : null),
  );
  element.isFirst = one.isFirst;
  element.reset = () => {
    field.blur();
    put(one.value);
  };
  back.addEventListener("click", () => {
    element.reset();
    range.focus();
  });
  look();
  return element;
}
