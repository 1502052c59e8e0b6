// @ts-check
/** A drawing that the proxy has made, as a part of the page, so that it has the page's colours. */
import { request } from "../lib/api.js";
import { fill, h } from "../lib/dom.js";

export class Drawing {
  /** @param {string} label what it shows, in words */
  constructor(label) {
    this.label = label;
    this.element = h("figure", { class: "drawing", "aria-label": label });
    this.last = "";
  }

  /**
   * Shows a drawing in place of the last one, which stays until then.
   * @param {string} path as /draw/gpu.svg?…
   * @param {AbortSignal} signal
   */
  async load(path, signal) {
    const text = await (await request(path, { signal })).text();
    if (text !== this.last) {
      this.last = text;
      const parsed = new DOMParser().parseFromString(text, "image/svg+xml").documentElement;
      if (parsed.nodeName !== "svg") {
        throw new Error(`${this.label} is no drawing`);
      }
      fill(this.element, document.importNode(parsed, true));
    }
  }

  /** @param {string} text instead of a drawing that was never there */
  say(text) {
    if (!this.last) {
      fill(this.element, h("p", { class: "soft" }, text));
    }
  }
}
