// @ts-check
/** The state of a job or task: a sign, the word, and a colour. */
import { h } from "../lib/dom.js";

/** @param {string} state @returns {HTMLElement} */
export function stateElement(state) {
  return h("span", { class: "state", data: { state } }, state);
}
