// @ts-check
/**
 * Nodes × GPUs on a canvas: a cell for each GPU, of which only those are drawn that are seen. Few
 * GPUs are large and have words, many are small. Keys and the pointer move a cursor; what is under
 * it is told to the listener, which says it in words.
 */
import { h } from "../lib/dom.js";
import { layOut } from "./wall-layout.js";
import { drawCell, drawName, readColours } from "./wall-cell.js";

export class Wall {
  /**
   * @param {(index: number, isChosen: boolean) => void} onCursor index of a GPU of the snapshot, -1
   *     for none
   */
  constructor(onCursor) {
    this.onCursor = onCursor;
    this.canvas = h("canvas", {
      class: "wall-canvas",
      tabindex: "0",
      role: "application",
      "aria-roledescription": "wall of GPUs",
      "aria-label": "GPUs by node; arrow keys move, Enter opens",
      "aria-describedby": "wall-words",
    });
    this.spacer = h("div", { class: "wall-spacer" });
    this.element = h("div", { class: "wall" }, this.spacer, this.canvas);
    /** @type {import("./wall-layout.js").WallData | null} */
    this.data = null;
    this.layout = layOut(null, 600);
    this.cursor = -1;
    this.colours = readColours(this.element);
    this.frame = 0;
    this.draw = this.draw.bind(this);
    const redraw = () => this.request();
    this.observer = new ResizeObserver(redraw);
    this.observer.observe(this.element);
    addEventListener("scroll", redraw, { passive: true });
    document.addEventListener("remuda-theme", redraw);
    this.forget = () => {
      removeEventListener("scroll", redraw);
      document.removeEventListener("remuda-theme", redraw);
    };
    this.canvas.addEventListener("pointermove", (/** @type {PointerEvent} */ event) => this.point(event, false));
    this.canvas.addEventListener("pointerleave", () => this.move(-1, false));
    this.canvas.addEventListener("click", (/** @type {PointerEvent} */ event) => this.point(event, true));
    this.canvas.addEventListener("keydown", (/** @type {KeyboardEvent} */ event) => this.key(event));
  }

  close() {
    this.observer.disconnect();
    this.forget();
    cancelAnimationFrame(this.frame);
  }

  /** @param {import("./wall-layout.js").WallData} data */
  set(data) {
    this.data = data;
    this.request();
  }

  request() {
    if (!this.frame) {
      this.frame = requestAnimationFrame(this.draw);
    }
  }

  draw() {
    this.frame = 0;
    const width = this.element.clientWidth;
    if (!this.data || width === 0) {
      return;
    }
    this.layout = layOut(this.data, width);
    this.spacer.style.height = `${this.layout.height}px`;
    const height = Math.min(innerHeight, this.layout.height);
    const ratio = devicePixelRatio || 1;
    // the canvas is as large as the window at most, and slides along with it
    const box = this.element.getBoundingClientRect();
    const top = Math.max(0, Math.min(-box.top, this.layout.height - height));
    this.top = top;
    const [across, down] = [Math.round(width * ratio), Math.round(height * ratio)];
    if (this.canvas.width !== across || this.canvas.height !== down) {
      this.canvas.width = across;
      this.canvas.height = down;
      this.canvas.style.width = `${width}px`;
      this.canvas.style.height = `${height}px`;
    }
    this.canvas.style.transform = `translateY(${top}px)`;
    this.colours = readColours(this.element);
    const paint = this.canvas.getContext("2d");
    paint.setTransform(ratio, 0, 0, ratio, 0, 0);
    paint.clearRect(0, 0, width, height);
    paint.translate(0, -top);
    const lit = this.cursor >= 0 ? this.data.jobsOf(this.cursor) : [];
    for (const name of this.layout.names) {
      if (name.y + name.height >= top && name.y <= top + height) {
        drawName(paint, name, this.colours);
      }
    }
    for (const cell of this.layout.cells) {
      if (cell.y + cell.height >= top && cell.y <= top + height) {
        const isLit = lit.length > 0 && this.data.jobsOf(cell.index).some((job) => lit.includes(job));
        drawCell(paint, cell, this.data, this.colours, { lit: isLit, cursor: cell.index === this.cursor });
      }
    }
  }

  /** @param {PointerEvent} event @param {boolean} isChosen */
  point(event, isChosen) {
    const box = this.element.getBoundingClientRect();
    const [x, y] = [event.clientX - box.left, event.clientY - box.top];
    const found = this.layout.cells.find(
      (cell) => x >= cell.x && x < cell.x + cell.width && y >= cell.y && y < cell.y + cell.height,
    );
    this.move(found ? found.index : -1, isChosen && !!found);
  }

  /** @param {number} index @param {boolean} isChosen */
  move(index, isChosen) {
    if (index !== this.cursor || isChosen) {
      this.cursor = index;
      this.request();
      this.onCursor(index, isChosen);
    }
  }

  /** @param {KeyboardEvent} event */
  key(event) {
    const cells = this.layout.cells;
    if (cells.length === 0 || event.ctrlKey || event.metaKey || event.altKey) {
      return;
    }
    const at = Math.max(0, cells.findIndex((cell) => cell.index === this.cursor));
    const steps = {
      ArrowRight: () => at + 1,
      ArrowLeft: () => at - 1,
      ArrowDown: () => this.layout.below(at, 1),
      ArrowUp: () => this.layout.below(at, -1),
      Home: () => 0,
      End: () => cells.length - 1,
    };
    if (event.key === "Enter" && this.cursor >= 0) {
      event.preventDefault();
      this.move(this.cursor, true);
    } else if (event.key in steps) {
      event.preventDefault();
      const step = this.cursor < 0 ? 0 : steps[/** @type {keyof typeof steps} */ (event.key)]();
      const cell = cells[Math.min(cells.length - 1, Math.max(0, step))];
      this.move(cell.index, false);
      this.show(cell);
    }
  }

  /** @param {import("./wall-layout.js").Cell} cell */
  show(cell) {
    const top = this.element.getBoundingClientRect().top + cell.y;
    if (top < 60) {
      scrollBy(0, top - 60);
    } else if (top + cell.height > innerHeight) {
      scrollBy(0, top + cell.height - innerHeight + 20);
    }
  }
}
