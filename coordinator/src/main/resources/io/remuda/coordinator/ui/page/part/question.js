// @ts-check
/** A question before something is changed. */
import { h } from "../lib/dom.js";

/**
 * @typedef {object} Question
 * @property {string} title as Cancel job 12?
 * @property {(string | Node)[]} text what would happen, a paragraph each
 * @property {string} yes what the button says, as Cancel the job
 * @property {boolean} [isHarmful] whether it cannot be taken back
 * @property {() => Promise<string | void>} act does it, and returns what to say; what it throws is
 *     shown in the question
 */

/**
 * Asks, and does it; resolves when the question is gone.
 * @param {Question} question
 * @returns {Promise<boolean>} whether it was done
 */
export function ask(question) {
  return new Promise((resolve) => {
    let isDone = false;
    const fault = h("p", { class: "fault", role: "alert" });
    const yes = h("button", { type: "submit", class: question.isHarmful ? "harmful" : "primary" }, question.yes);
    const no = h("button", { type: "button", on: { click: () => dialog.close() } }, "Leave it");
    const form = h(
      "form",
      {
        method: "dialog",
        on: {
          submit: async (/** @type {Event} */ event) => {
            event.preventDefault();
            yes.disabled = true;
            fault.textContent = "";
            try {
              await question.act();
              isDone = true;
              dialog.close();
            } catch (error) {
              fault.textContent = String(/** @type {any} */ (error).message ?? error);
              yes.disabled = false;
            }
          },
        },
      },
      h("h2", { id: "question-title" }, question.title),
      question.text.map((one) => (one instanceof Node ? one : h("p", {}, one))),
      fault,
      h("div", { class: "dialog-buttons" }, no, yes),
    );
    const dialog = h("dialog", { class: "question", "aria-labelledby": "question-title" }, form);
    dialog.addEventListener("close", () => {
      dialog.remove();
      resolve(isDone);
    });
    document.body.append(dialog);
    dialog.showModal();
    no.focus();
  });
}
