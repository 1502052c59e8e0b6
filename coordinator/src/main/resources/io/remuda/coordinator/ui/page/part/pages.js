// @ts-check
/** The foot of a long table: which rows are shown, and the way to the others. */
import { fillIfNew, h } from "../lib/dom.js";

export class Pages {
  /** @param {number} size rows of a page @param {() => void} onTurn */
  constructor(size, onTurn) {
    this.size = size;
    this.first = 0;
    this.onTurn = onTurn;
    this.element = h("div", { class: "pages" });
  }

  /**
   * The rows of the page that is shown.
   * @template T
   * @param {T[]} rows
   * @returns {T[]}
   */
  of(rows) {
    this.first = Math.min(this.first, Math.max(0, Math.floor((rows.length - 1) / this.size) * this.size));
    const last = Math.min(rows.length, this.first + this.size);
    this.element.hidden = rows.length <= this.size;
    fillIfNew(this.element, [this.first, last, rows.length], () => [
      this.button("Previous", -this.size, this.first > 0),
      h("span", { class: "soft" }, `${this.first + 1} to ${last} of ${rows.length}`),
      this.button("Next", this.size, last < rows.length),
    ]);
    return rows.slice(this.first, last);
  }

  /** @param {string} words @param {number} step @param {boolean} isPossible */
  button(words, step, isPossible) {
    const turn = () => {
      this.first = Math.max(0, this.first + step);
      this.onTurn();
    };
    return h("button", { type: "button", disabled: !isPossible, on: { click: turn } }, words);
  }
}
