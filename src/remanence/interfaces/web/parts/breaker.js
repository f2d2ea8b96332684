// The breaker: what it stops is done only after somebody has read why and written that they mean it.

import { h } from "../dom.js";
import { confirm } from "./dialog.js";

const FORCE = "force";

/** Send something; where the breaker stops it, ask, and send it with force. `send(force)` gives the answer. */
export async function pastBreaker(send, { about, command, yes }) {
  try {
    return await send(false);
  } catch (problem) {
    if (problem.code !== "breaker_tripped") throw problem;
    const isForced = await confirm({
      title: "The breaker stops this",
      text: [h("p.notice.bad", { dir: "auto" }, problem.message), about],
      command, yes, danger: true, typed: FORCE,
    });
    if (!isForced) throw new DOMException("Left alone", "AbortError");
    return await send(true);
  }
}
