// @ts-check
/**
 * The parts of a drawing for keys and fingers, as bars, curves and times without readings: arrow
 * keys move from one to the next, a press chooses one, and its words stand below the drawing, where
 * screen readers hear them. The parts are those to which the drawing gives words.
 */
import { writeAddress } from "../lib/address.js";
import { setText } from "../lib/dom.js";

const CHOSEN = "chosen-part";

export class DrawingPoints {
  /** @param {HTMLElement} figure @param {HTMLElement} words where they are shown */
  constructor(figure, words) {
    this.words = words;
    /** @type {Element[]} */
    this.parts = [];
    this.at = -1;
    figure.addEventListener("keydown", (event) => this.key(event));
    figure.addEventListener("click", (event) => this.point(event));
  }

  /** Takes the parts of a new drawing; what was chosen stays if it is there. @param {Element | null} svg */
  set(svg) {
    const before = this.parts;
    const said = this.words.textContent;
    this.parts = svg ? [...svg.querySelectorAll("title")].map((one) => /** @type {Element} */ (one.parentElement)).filter((one) => one !== svg) : [];
    if (this.at >= 0) {
      const same = this.parts.findIndex((one) => wordsOf(one) === said);
      this.at = same >= 0 || this.parts.length !== before.length ? same : this.at;
      this.parts[this.at]?.classList.add(CHOSEN);
      if (this.at < 0) {
        setText(this.words, "");
      }
    }
  }

  /** @param {number} at -1 for none */
  choose(at) {
    this.parts[this.at]?.classList.remove(CHOSEN);
    this.at = at;
    const part = this.parts[at];
    part?.classList.add(CHOSEN);
    part?.scrollIntoView({ block: "nearest", inline: "nearest" });
    setText(this.words, part ? wordsOf(part) : "");
  }

  /** @param {KeyboardEvent} event */
  key(event) {
    const last = this.parts.length - 1;
    if (last < 0 || event.ctrlKey || event.metaKey || event.altKey) {
      return;
    }
    const steps = {
      ArrowRight: () => Math.min(last, this.at + 1),
      ArrowLeft: () => Math.max(0, this.at - 1),
      ArrowDown: () => this.nearest(1),
      ArrowUp: () => this.nearest(-1),
      Home: () => 0,
      End: () => last,
    };
    const job = /^task (\d+)\./.exec(this.words.textContent ?? "");
    if (event.key in steps) {
      event.preventDefault();
      this.choose(this.at < 0 ? 0 : steps[/** @type {keyof typeof steps} */ (event.key)]());
    } else if (event.key === "Enter" && job) {
      location.hash = writeAddress("job", [job[1]]);
    } else if (event.key === "Escape") {
      this.choose(-1);
    }
  }

  /** The nearest part so many rows below. @param {number} rows */
  nearest(rows) {
    const from = middle(this.parts[this.at]);
    let best = this.at;
    let least = Infinity;
    this.parts.forEach((one, index) => {
      const at = middle(one);
      const down = (at.y - from.y) * rows;
      const distance = down * 1000 + Math.abs(at.x - from.x);
      if (down > 2 && distance < least) {
        least = distance;
        best = index;
      }
    });
    return best;
  }

  /** A curve is thin: a press within its height chooses it if it hits nothing else. @param {MouseEvent} event */
  point({ clientX: x, clientY: y }) {
    const hit = document.elementFromPoint(x, y);
    const exact = this.parts.findIndex((one) => one.contains(hit));
    const around = this.parts.findIndex((one) => {
      const box = one.getBoundingClientRect();
      return x >= box.left && x <= box.right && y >= box.top && y <= box.bottom;
    });
    this.choose(exact >= 0 ? exact : around);
  }
}

/** @param {Element} part */
function wordsOf(part) {
  return part.querySelector("title")?.textContent ?? "";
}

/** @param {Element} part */
function middle(part) {
  const box = part.getBoundingClientRect();
  return { x: box.left + box.width / 2, y: box.top + box.height / 2 };
}
