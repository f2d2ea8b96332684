// The certificate of a purge: what was destroyed, what was searched, what may still hold it, to be kept or printed.

import { h } from "../../dom.js";
import { command } from "../../parts/command.js";
import { rem } from "../../commands.js";
import { counted, memories, moment, number } from "../../words.js";

const SHOWN = 200;

/** The certificate; the file to download is there until the signal. */
export function certificate(proof, { subject, namespace, signal }) {
  const isVerified = proof.verified;
  const address = URL.createObjectURL(new Blob([JSON.stringify({ namespace, ...proof }, null, 2)], { type: "application/json" }));
  signal.addEventListener("abort", () => URL.revokeObjectURL(address));
  const name = `certificate-${proof.receipt_id ?? "purge"}-${proof.at.slice(0, 10)}.json`;
  const fact = (title, value) => (value === null || value === undefined || value === "" ? null : [h("dt", title), h("dd", { dir: "auto" }, value)]);
  const ids = (title, list) => (list?.length ? h("details.ids", h("summary", `${title}: ${number(list.length)}`), h("p.id", { dir: "ltr" }, list.slice(0, SHOWN).join(" "), list.length > SHOWN ? ` and ${number(list.length - SHOWN)} more, which are in the file` : "")) : null);
  return h(
    "section.card.certificate", { "aria-label": "Certificate" },
    h("div.row.apart", h("h2", { tabindex: "-1" }, "Certificate of erasure"), h("span.seal", { class: isVerified ? "good" : "open" }, isVerified ? "✓ verified" : proof.pending ? "… pending" : "! copies found")),
    state(proof, isVerified),
    h("dl.measures",
      fact("When", moment(proof.at)), fact("About", subject), fact("Reason", proof.reason), fact("Namespace", namespace), fact("Receipt", proof.receipt_id),
      fact("Destroyed", memories(proof.purged.length)), fact("of them older versions", number(proof.older_versions.length)), fact("of them made from others", number(proof.derived.length)),
      fact("of them texts", number(proof.sources.length)), fact("Captured sessions", `${number(proof.sessions)} whole, ${counted(proof.observations, "observation")}`),
      fact("Brought back", proof.restored.length ? memories(proof.restored.length) : null), fact("Kept, newer versions", proof.kept_newer_versions.length ? number(proof.kept_newer_versions.length) : null),
      fact("Texts searched for", number(proof.texts_searched)), fact("Copies found", number(proof.copies_found)),
      fact("Kept, same words", proof.same_words_kept.length ? number(proof.same_words_kept.length) : null)),
    proof.files_checked.length ? [h("h3", "Files searched"), h("ul", proof.files_checked.map((one) => h("li", h("code", { dir: "ltr" }, one))))] : null,
    proof.backups.length ? [h("h3", "Backups that may still hold it"), h("p", "They were made before, and are left as they are. Delete them, or make new ones, if it is to be gone everywhere."), h("ul", proof.backups.map((one) => h("li", h("code", { dir: "ltr" }, one))))] : null,
    proof.not_reached.length ? [h("h3", "Where no purge can look"), h("ul", proof.not_reached.map((one) => h("li", one)))] : null,
    ids("Destroyed", proof.purged), ids("Brought back", proof.restored), ids("Newer versions that were kept", proof.kept_newer_versions), ids("Kept that use the same words", proof.same_words_kept),
    h("div.buttons.no-print", h("a.button", { href: address, download: name }, "Download as JSON"), h("button", { type: "button", on: { click: () => window.print() } }, "Print"), h("a.button", { href: "#/erase" }, "Erase something else")),
  );
}

function state(proof, isVerified) {
  if (isVerified) return h("p", "The file was written anew, its log was cut, and nothing of the texts was found in it.");
  if (proof.pending) return [h("p.notice", "Destroyed, but not proven yet: another process still reads the old log. Close it, then let the store be checked: that writes it anew and searches it."), command(rem("check"))];
  return [h("p.notice.bad", `${counted(proof.copies_found, "piece")} of the texts were found outside of memories. Check the store, and look at the files named below.`), command(rem("check"))];
}
