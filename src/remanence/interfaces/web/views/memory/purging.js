// Purging: what goes along is shown before, a word must be written, and the certificate is handed over after.

import { act } from "../../acting.js";
import { ask } from "../../api.js";
import { rem, some } from "../../commands.js";
import { add, fill, h } from "../../dom.js";
import { memories, moment, number } from "../../words.js";
import { idLink, link } from "../../parts/badges.js";
import { command } from "../../parts/command.js";
import { dialog } from "../../parts/dialog.js";
import { waiting, wrong } from "../../parts/states.js";

const WORD = "PURGE";
const SHOWN = 8;

/** Purge memories, if a person really wants to; resolves to the certificate, or undefined. `check` may refuse first. */
export async function purge(items, { check = async () => true } = {}) {
  const ids = items.map((one) => one.id);
  const reason = await asked(items, ids);
  if (!reason || !(await check())) return undefined;
  const certificate = await act({
    work: () => ask("purge", { ids, reason }, { progress: () => {} }),
    said: (answer) => `Purged ${memories(answer.purged.length)} for good.`,
    command: rem("purge", some(ids), { reason, yes: true }),
  });
  if (certificate) await shown(certificate);
  return certificate;
}

function asked(items, ids) {
  const last = ids.length === 1 ? ids[0].slice(-4) : null;
  return dialog(`Purge ${items.length === 1 ? "this memory" : memories(items.length)}?`, (close) => {
    const reason = h("input", { type: "text", maxlength: 1000, required: true, dir: "auto" });
    const proof = h("input", { type: "text", autocomplete: "off", spellcheck: "false", dir: "ltr" });
    const button = h("button.danger", { type: "submit", disabled: true }, "Purge for good");
    const shownAs = h("div");
    const look = () => {
      button.disabled = !reason.value.trim() || !(proof.value === WORD || (last && proof.value === last));
      fill(shownAs, command(rem("purge", some(ids), { reason: reason.value.trim() || "REASON", yes: true })));
    };
    look();
    const submit = (event) => {
      event.preventDefault();
      if (!button.disabled) close(reason.value.trim());
    };
    return h(
      "form", { on: { submit, input: look } },
      h("p", "Purging destroys: no undo, no restore. Older versions and what was made from it alone go along."),
      preview(ids),
      h("label.field", h("span", "Why; it is kept in the journal"), reason),
      h("label.field", h("span", "Write ", h("strong", WORD), last ? [" or the last four characters of the id, ", h("strong", { dir: "ltr" }, last), ","] : null, " to go on"), proof),
      shownAs,
      h("div.dialog-buttons", h("button", { type: "button", on: { click: () => close() } }, "Cancel"), button),
    );
  });
}

/** What would be destroyed, and what would come back. */
function preview(ids) {
  const place = h("div.preview", waiting(2, "Looking at what goes along"));
  (async () => {
    try {
      const plan = await ask("plan_purge", { ids }, { shorten: 200 });
      const gone = plan.changes.filter((one) => one.action === "purge");
      const back = plan.changes.filter((one) => one.action !== "purge");
      const named = gone.slice(0, SHOWN).map((one) => one.memory_id);
      const known = new Map((await ask("list", { ids: named, state: "all" }, { shorten: 100 })).items.map((one) => [one.id, one]));
      const line = (change) => {
        const memory = change.memory ?? known.get(change.memory_id);
        return h("li", memory ? link(memory, 80) : idLink(change.memory_id), " ", h("small", change.reason));
      };
      fill(place, h("p", h("strong", `${memories(gone.length)} would be destroyed`), back.length ? `, ${number(back.length)} would come back into recall.` : "."),
        h("ul", gone.slice(0, SHOWN).map(line), gone.length > SHOWN ? h("li", `and ${number(gone.length - SHOWN)} more`) : null),
        plan.warnings.map((one) => h("p.notice", { dir: "auto" }, one)));
    } catch (problem) {
      fill(place, wrong(problem));
    }
  })();
  return place;
}

const LINES = [
  ["purged", "Destroyed"], ["older_versions", "of them older versions"], ["derived", "of them made from it"], ["kept_newer_versions", "Newer versions kept"],
  ["sources", "Texts and summaries it was taken from"], ["restored", "Came back into recall"], ["same_words_kept", "Kept, though they say the same"],
  ["sessions", "Captured sessions erased"], ["observations", "Observations erased"], ["texts_searched", "Texts searched for"], ["copies_found", "Copies found in the files"],
];

/** The certificate, to read and to keep. */
function shown(certificate) {
  const written = new Blob([JSON.stringify(certificate, null, 2)], { type: "application/json" });
  const address = URL.createObjectURL(written);
  return dialog("Certificate of the purge", (close) => {
    const lines = LINES.map(([name, text]) => [text, Array.isArray(certificate[name]) ? certificate[name].length : certificate[name]]).filter(([, value]) => value);
    return add(h("div"),
      h("p", h("strong", certificate.verified ? "Nothing of it is left in the files." : certificate.pending ? "The files are still being written anew." : "Pieces of it were found elsewhere.")),
      h("p", `${moment(certificate.at)}. Receipt ${certificate.receipt_id ?? "none"}. Reason: `, h("bdi", certificate.reason)),
      h("dl.fact-list", lines.map(([text, value]) => [h("dt", text), h("dd", number(value))])),
      certificate.backups?.length ? h("p.notice", `It may still be in ${number(certificate.backups.length)} backups: they are not touched.`) : null,
      h("div.dialog-buttons",
        h("a.button", { href: address, download: `purge-${certificate.receipt_id ?? "certificate"}.json` }, "Download as JSON"),
        h("button.primary", { type: "button", on: { click: () => close() } }, "Close")));
  }).then(() => URL.revokeObjectURL(address));
}
