// @ts-check
/** Keys and signs, in a dialog. */
import { h } from "../lib/dom.js";

const KEYS = [
  ["/", "type a filter"],
  ["?", "this help"],
  ["1 to 4", "the views, in the order of the head"],
  ["arrow keys", "move over the wall, and over the bars and curves of a drawing; its words stand below"],
  ["Enter", "open the GPU, or the job, under the cursor"],
  ["t", "light or dark"],
  ["Esc", "close what is open, leave the filter"],
];

const SIGNS = [
  ["A", "memory that the job with this letter uses"],
  ["a", "memory that is lent to the job and not used"],
  ["#", "memory of processes that belong to no job there"],
  ["?", "memory whose processes are not known"],
  ["–", "not known: never a zero"],
  ["hatched", "no reading"],
];

export function showHelp() {
  if (document.querySelector("dialog[open]")) {
    return;
  }
  const close = h("button", { type: "submit", class: "primary" }, "Close");
  const dialog = h(
    "dialog",
    { class: "question help", "aria-labelledby": "help-title" },
    h(
      "form",
      { method: "dialog" },
      h("h2", { id: "help-title" }, "Keys and signs"),
      h("div", { class: "help-columns" }, list(KEYS), list(SIGNS)),
      h("p", {}, "A link to this page shows the same view, filters and job, to everybody who has a remuda ui of their own at this address."),
      h("div", { class: "dialog-buttons" }, close),
    ),
  );
  dialog.addEventListener("close", () => dialog.remove());
  document.body.append(dialog);
  dialog.showModal();
  close.focus();
}

/** @param {string[][]} rows */
function list(rows) {
  return h(
    "dl",
    { class: "keys" },
    rows.map(([key, meaning]) => [h("dt", {}, h("kbd", {}, key)), h("dd", {}, meaning)]).flat(),
  );
}
