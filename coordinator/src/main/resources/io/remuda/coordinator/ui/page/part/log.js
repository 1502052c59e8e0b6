// @ts-check
/** The end of what a task has printed, which follows as it prints. Text stays text. */
import { query, request } from "../lib/api.js";
import { fill, h, setText } from "../lib/dom.js";
import { plainText } from "../lib/terminal.js";
import { bytes } from "../lib/text.js";
import { choice } from "./tools.js";

const FIRST = 64 * 1024;
const PART = 256 * 1024;
const MOST_SHOWN = 1024 * 1024;
const PERIOD = 1000;

export class Log {
  /** @param {(stream: string) => void} onStream */
  constructor(onStream) {
    this.stream = choice("Stream", [["out", "stdout"], ["err", "stderr"]], onStream);
    this.text = h("pre", { class: "log", tabindex: "0", "aria-label": "Output of the task" });
    this.note = h("span", { class: "soft" });
    this.follow = h("input", { type: "checkbox", id: "log-follow" });
    this.follow.checked = true;
    this.earlier = h("button", { type: "button", class: "link", hidden: true, on: { click: () => this.loadEarlier() } }, "earlier output");
    this.element = h(
      "section",
      { class: "block log-block", "aria-labelledby": "log-title" },
      h("div", { class: "block-head" }, h("h2", { id: "log-title" }, "Output"), this.stream.element, h("label", { class: "check" }, this.follow, " follow"), this.earlier, this.note),
      this.text,
    );
    this.text.addEventListener("scroll", () => {
      const { scrollTop, scrollHeight, clientHeight } = this.text;
      if (scrollHeight - scrollTop - clientHeight > 40 && this.isOwnScroll-- <= 0) {
        this.follow.checked = false;
      }
    });
    this.follow.addEventListener("change", () => this.toEnd());
    this.isOwnScroll = 0;
    this.key = "";
    this.start = 0;
    this.offset = -1;
    this.abort = new AbortController();
    this.decoder = new TextDecoder();
    /** @type {ReturnType<typeof setTimeout> | undefined} */
    this.timer = undefined;
    this.isRunning = false;
    this.isLoadingEarlier = false;
  }

  /**
   * Shows the output of a task.
   * @param {number} job
   * @param {number} task
   * @param {number} attempt so that a new attempt begins anew
   * @param {string} stream out or err
   * @param {boolean} isRunning whether more may come
   */
  set(job, task, attempt, stream, isRunning) {
    this.stream.set(stream);
    const key = `${job}.${task}.${attempt}.${stream}`;
    const ended = this.isRunning && !isRunning;
    this.isRunning = isRunning;
    if (key === this.key) {
      if (ended) {
        this.plan(0); // the last words
      }
      return;
    }
    this.key = key;
    this.abort.abort();
    this.abort = new AbortController();
    this.path = `/api/v1/jobs/${job}/logs`;
    this.values = { task, attempt: attempt || 0, stream };
    this.offset = -1;
    this.decoder = new TextDecoder();
    fill(this.text);
    setText(this.note, "");
    this.plan(0);
  }

  /** @param {number} millis */
  plan(millis) {
    clearTimeout(this.timer);
    const signal = this.abort.signal;
    this.timer = setTimeout(() => this.ask(signal), millis);
  }

  /** @param {AbortSignal} signal */
  async ask(signal) {
    try {
      if (this.offset < 0) {
        const { size } = await this.read(0, 1, signal);
        this.offset = Math.max(0, size - FIRST);
        this.start = this.offset;
        this.earlier.hidden = this.offset === 0;
        if (size === 0) {
          setText(this.note, this.isRunning ? "nothing printed yet" : "nothing was printed");
        }
      }
      const part = await this.read(this.offset, PART, signal);
      if (part.bytes.length > 0) {
        this.append(part.bytes, part.dropped);
        this.offset = part.offset + part.bytes.length;
        setText(this.note, bytes(part.size));
      }
      if (part.bytes.length >= PART) {
        this.plan(0);
      } else if (this.isRunning) {
        this.plan(PERIOD);
      }
    } catch (fault) {
      if (!signal.aborted) {
        setText(this.note, String(/** @type {any} */ (fault).message));
        this.plan(3 * PERIOD);
      }
    }
  }

  /** @param {number} offset @param {number} limit @param {AbortSignal} signal */
  async read(offset, limit, signal) {
    const answer = await request(`${this.path}${query({ ...this.values, offset, limit })}`, { signal });
    const body = new Uint8Array(await answer.arrayBuffer());
    const number = (/** @type {string} */ name) => Number(answer.headers.get(name) ?? 0);
    return { bytes: body, offset: number("remuda-offset") || offset, size: number("remuda-size"), dropped: number("remuda-dropped") };
  }

  /** @param {Uint8Array} part @param {number} dropped */
  append(part, dropped) {
    if (dropped > 0) {
      this.text.append(h("span", { class: "soft" }, `\n[${bytes(dropped)} are no longer kept]\n`));
    }
    this.text.append(document.createTextNode(plainText(this.decoder.decode(part, { stream: true }))));
    while (this.text.textContent.length > MOST_SHOWN && this.text.childNodes.length > 1) {
      this.text.firstChild?.remove();
      this.earlier.hidden = true;
    }
    this.toEnd();
  }

  toEnd() {
    if (this.follow.checked) {
      this.isOwnScroll = 1;
      this.text.scrollTop = this.text.scrollHeight;
    }
  }

  async loadEarlier() {
    if (this.isLoadingEarlier) {
      return; // the same part would be there twice
    }
    this.isLoadingEarlier = true;
    const { signal } = this.abort;
    const from = Math.max(0, this.start - PART);
    const part = await this.read(from, this.start - from, signal).catch(() => null);
    this.isLoadingEarlier = false;
    if (part && !signal.aborted) {
      const height = this.text.scrollHeight;
      this.follow.checked = false;
      this.text.prepend(document.createTextNode(plainText(new TextDecoder().decode(part.bytes))));
      this.text.scrollTop += this.text.scrollHeight - height;
      this.start = from;
      this.earlier.hidden = from === 0;
    }
  }

  close() {
    this.abort.abort();
    clearTimeout(this.timer);
  }
}
