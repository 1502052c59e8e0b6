// @ts-check
/**
 * A moment in a span of time: a slider that keys move, and a line over every drawing of that span.
 * Drawings say in data attributes where their axis of time begins and ends.
 */
import { h, setText } from "../lib/dom.js";
import { clock, inFull } from "../lib/time.js";

/** Height of the labels of the axis of time, in pixels. */
const BELOW = 24;
/** Width of the thumb of the slider, which style.css sets. */
const THUMB = 16;

export class Cursor {
  /** @param {(at: number, isDone: boolean) => void} onMove */
  constructor(onMove) {
    this.onMove = onMove;
    this.from = 0;
    this.to = 1;
    this.at = 0;
    this.slider = h("input", { type: "range", class: "slider", "aria-label": "Moment that is shown", min: "0", max: "1", step: "1" });
    this.slider.addEventListener("input", () => this.move(Number(this.slider.value), false));
    this.slider.addEventListener("change", () => this.move(Number(this.slider.value), true));
    this.text = h("strong", { class: "moment" });
    this.element = h("div", { class: "cursor" }, this.text, this.slider);
    /** @type {{figure: HTMLElement, line: HTMLElement}[]} */
    this.lines = [];
  }

  /** @param {number} from @param {number} to @param {number} at */
  set(from, to, at) {
    this.from = from;
    this.to = to;
    this.at = Math.min(to, Math.max(from, at));
    this.slider.min = String(from);
    this.slider.max = String(to);
    this.slider.step = String(Math.max(1, Math.round((to - from) / 1000)));
    this.slider.value = String(this.at);
    this.show();
  }

  show() {
    const words = clock(this.at, { seconds: this.to - this.from <= 7200 });
    setText(this.text, words);
    this.text.title = inFull(this.at);
    this.slider.setAttribute("aria-valuetext", words);
    this.lines.forEach((one) => this.place(one));
  }

  /** @param {number} at @param {boolean} isDone */
  move(at, isDone) {
    this.at = Math.min(this.to, Math.max(this.from, at));
    this.slider.value = String(this.at);
    this.show();
    this.onMove(this.at, isDone);
  }

  /** Has a line over a drawing, and a press there move it. @param {HTMLElement} figure */
  follow(figure) {
    const line = h("div", { class: "cursor-line", "aria-hidden": "true" });
    const holder = h("div", { class: "cursor-holder" }, figure, line);
    const one = { figure, line };
    this.lines.push(one);
    const point = (/** @type {PointerEvent} */ event, /** @type {boolean} */ isDone) => {
      const at = this.timeAt(figure, event.clientX);
      if (at !== null) {
        this.move(at, isDone);
      }
    };
    figure.addEventListener("pointerdown", (event) => {
      if (event.button === 0) {
        figure.setPointerCapture(event.pointerId);
        point(event, false);
      }
    });
    figure.addEventListener("pointermove", (event) => {
      if (figure.hasPointerCapture(event.pointerId)) {
        point(event, false);
      }
    });
    figure.addEventListener("pointerup", (event) => point(event, true));
    figure.addEventListener("pointercancel", () => this.move(this.at, true));
    return holder;
  }

  /** @param {HTMLElement} figure @param {number} x */
  timeAt(figure, x) {
    const axis = axisOf(figure);
    if (!axis) {
      return null;
    }
    const share = (x - axis.box.left - axis.left) / (axis.right - axis.left);
    return Math.round(axis.from + Math.min(1, Math.max(0, share)) * (axis.to - axis.from));
  }

  /** @param {{figure: HTMLElement, line: HTMLElement}} one */
  place({ figure, line }) {
    const axis = axisOf(figure);
    line.hidden = !axis || this.at < axis.from || this.at > axis.to;
    if (axis) {
      // the middle of the thumb is where the line is
      this.slider.style.marginLeft = `${axis.left - THUMB / 2}px`;
      this.slider.style.width = `${axis.right - axis.left + THUMB}px`;
      line.style.height = `${Math.max(0, axis.box.height - BELOW)}px`;
      const share = (this.at - axis.from) / (axis.to - axis.from);
      line.style.transform = `translateX(${axis.left + share * (axis.right - axis.left)}px)`;
    }
  }
}

/** @param {HTMLElement} figure */
function axisOf(figure) {
  const svg = figure.querySelector("svg[data-from]");
  if (!svg) {
    return null;
  }
  const { from, to, left, right } = /** @type {any} */ (svg).dataset;
  const box = svg.getBoundingClientRect();
  return { from: Number(from), to: Number(to), left: Number(left), right: Number(right), box };
}
