// @ts-check
/**
 * A drawing that the proxy has made, as a part of the page, so that it has the page's colours. It is
 * asked for again while it is seen; the last one stays until the next is there, unless that is of
 * something else and fails.
 */
import { query, request } from "../lib/api.js";
import { fill, h } from "../lib/dom.js";
import { Refresh } from "../lib/refresh.js";
import { DrawingPoints } from "./drawing-points.js";

const NARROWEST = 280;
const WIDEST = 4000;
const zone = Intl.DateTimeFormat().resolvedOptions().timeZone;

export class Drawing {
  /**
   * @param {string} label what it shows, in words
   * @param {{onDrawn?: (svg: SVGElement) => void}} [listeners]
   */
  constructor(label, listeners = {}) {
    this.label = label;
    this.listeners = listeners;
    this.canvas = h("div");
    this.words = h("p", { class: "drawing-words", "aria-live": "polite" });
    this.element = h(
      "figure",
      { class: "drawing", tabindex: "0", role: "application", "aria-roledescription": "drawing", "aria-label": `${label}; arrow keys move over its parts` },
      this.canvas,
      this.words,
    );
    this.points = new DrawingPoints(this.element, this.words);
    this.last = "";
    /** of what the last one is, as asked for */
    this.lastOf = "";
    this.name = "";
    /** @type {Record<string, any>} */
    this.values = {};
    this.width = 0;
    this.refresh = new Refresh((signal) => this.load(signal), (fault) => this.onFault(fault), 10_000);
    this.observer = new ResizeObserver(() => {
      if (this.name && Math.abs(this.element.clientWidth - this.width) > 8) {
        clearTimeout(this.resizing);
        this.resizing = setTimeout(() => this.refresh.now(), 120);
      }
    });
    /** @type {ReturnType<typeof setTimeout> | undefined} */
    this.resizing = undefined;
    this.observer.observe(this.element);
  }

  /**
   * Shows a drawing.
   * @param {string} name as gpu
   * @param {Record<string, any>} values its parameters
   * @param {number} [millis] until it is asked for again; 0 for never
   */
  show(name, values, millis = 10_000) {
    if (name === this.name && JSON.stringify(values) === JSON.stringify(this.values)) {
      return;
    }
    this.name = name;
    this.values = values;
    this.refresh.millis = millis || Infinity;
    this.refresh.now();
  }

  /** @param {AbortSignal} signal */
  async load(signal) {
    if (!this.name || !this.element.isConnected || this.element.clientWidth === 0) {
      return;
    }
    this.width = this.element.clientWidth;
    const width = Math.min(WIDEST, Math.max(NARROWEST, this.width));
    const path = `/draw/${this.name}.svg${query({ ...this.values, width, theme: "page", zone })}`;
    const asked = this.asked();
    const text = await (await request(path, { signal })).text();
    this.lastOf = asked;
    if (text !== this.last) {
      const parsed = new DOMParser().parseFromString(text, "image/svg+xml").documentElement;
      if (parsed.nodeName !== "svg") {
        throw new Error(`${this.label}: no drawing came`);
      }
      this.last = text;
      fill(this.canvas, document.importNode(parsed, true));
      this.points.set(this.canvas.firstElementChild);
      this.listeners.onDrawn?.(/** @type {any} */ (this.canvas.firstElementChild));
    }
  }

  asked() {
    return JSON.stringify([this.name, this.values]);
  }

  /** @param {Error | null} fault */
  onFault(fault) {
    if (fault && (!this.last || this.lastOf !== this.asked())) {
      this.last = "";
      fill(this.canvas, h("p", { class: "soft" }, `${this.label}: ${fault.message}`));
      this.points.set(null);
    }
  }

  close() {
    this.refresh.close();
    this.observer.disconnect();
    clearTimeout(this.resizing);
  }
}
