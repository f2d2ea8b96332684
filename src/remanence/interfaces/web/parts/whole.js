// A text that was cut, of so many characters, can be shown whole where it stands.

import { fill, h } from "../dom.js";
import { number } from "../words.js";
import { wrong } from "./states.js";

/** A button that has `ask` answer with all of the text, and puts it into the element. */
export function whole(characters, element, ask) {
  const place = h("div");
  const show = async () => {
    button.disabled = true;
    try {
      element.textContent = await ask();
      place.remove();
    } catch (problem) {
      button.disabled = false;
      if (problem.name === "AbortError") return;
      if (problem.status === undefined) throw problem;
      fill(place, wrong(problem, show));
    }
  };
  const button = h("button.quiet.small", { type: "button", on: { click: show } }, `Show all ${number(characters)} characters`);
  return fill(place, button);
}
