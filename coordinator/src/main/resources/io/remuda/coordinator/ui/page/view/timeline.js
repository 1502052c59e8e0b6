// @ts-check
/** The picture of the cluster over time, with a cursor that drives everything. */
import { get, query } from "../lib/api.js";
import { fill, h, setText } from "../lib/dom.js";
import { wordsOfGpu } from "../lib/gpu.js";
import { letterPlaces } from "../lib/letters.js";
import { gpuAt, readingsAt } from "../lib/past.js";
import { Refresh } from "../lib/refresh.js";
import { counted, span } from "../lib/text.js";
import { Cursor } from "../part/cursor.js";
import { Drawing } from "../part/drawing.js";
import { choice } from "../part/tools.js";
import { Wall } from "../part/wall.js";

const SPANS = [
  ["15m", "15 min"],
  ["1h", "1 h"],
  ["24h", "24 h"],
  ["14d", "14 d"],
];
/** After a fault the readings of a moment are asked for again so many milliseconds later. */
const RETRY = 3000;
/** @type {Record<string, number>} */
const SECONDS = { "15m": 900, "1h": 3600, "24h": 86_400, "14d": 1_209_600 };

/** @type {import("../lib/view.js").View} */
export const view = {
  name: "timeline",
  title: "Timeline",
  open(root, page) {
    return new TimelineView(root, page);
  },
};

class TimelineView {
  /** @param {HTMLElement} root @param {import("../lib/view.js").Page} page */
  constructor(root, page) {
    this.page = page;
    this.params = new URLSearchParams();
    /** @type {any[]} */
    this.spans = [];
    /** @type {any[]} */
    this.gaps = [];
    /** @type {Map<string, Record<string, number>>} */
    this.readings = new Map();
    /** moment of the readings, in seconds since 1970 */
    this.readAt = 0;
    /** @type {{from: number, to: number, isShortened: boolean} | null} of what the spans and gaps are; null if nobody says */
    this.known = null;
    this.isDragging = false;
    this.from = 0;
    this.to = 0;
    this.abort = new AbortController();
    this.range = choice("Span", SPANS, (since) => page.setParams({ since: since === "1h" ? "" : since, at: "" }));
    this.by = choice("Colour by", [["job", "Job"], ["user", "User"], ["type", "Type"]], (by) => page.setParams({ by: by === "job" ? "" : by }));
    this.metric = choice("Wall", [["use", "Use"], ["memory", "Memory"], ["power", "Power"]], (metric) => page.setParams({ metric: metric === "use" ? "" : metric }));
    this.cursor = new Cursor((at, isDone) => this.onCursor(at, isDone));
    this.live = h("button", { type: "button", on: { click: () => page.setParams({ at: "" }) } }, "Now");
    this.words = h("p", { class: "wall-words", id: "wall-words", "aria-live": "polite" });
    this.summary = h("p", { class: "soft" });
    this.wall = new Wall((index) => this.onGpu(index));
    this.strip = new Drawing("What ran where, GPU by GPU", { onDrawn: () => this.cursor.show() });
    this.queue = new Drawing("Tasks that waited and ran", { onDrawn: () => this.cursor.show() });
    fill(
      root,
      h("h1", { class: "sr" }, "Timeline"),
      h("div", { class: "tools" }, this.range.element, this.by.element, this.metric.element),
      h("div", { class: "cursor-bar" }, this.cursor.element, this.live),
      h("section", { class: "block", "aria-labelledby": "then-title" }, h("h2", { id: "then-title" }, "The cluster at that moment"), this.summary, this.wall.element, this.words),
      h("section", { class: "block", "aria-labelledby": "strip-title" }, h("h2", { id: "strip-title" }, "What ran where"), this.cursor.follow(this.strip.element)),
      h("section", { class: "block", "aria-labelledby": "queue-title" }, h("h2", { id: "queue-title" }, "The queue"), this.cursor.follow(this.queue.element)),
    );
    this.refresh = new Refresh((signal) => this.load(signal), () => this.draw(), 10_000);
    this.off = page.feed.on(() => this.onFeed());
  }

  /** @param {import("../lib/address.js").Address} address */
  show(address) {
    const before = this.params.get("since");
    this.params = address.params;
    this.range.set(this.params.get("since") ?? "1h");
    this.by.set(this.params.get("by") ?? "job");
    this.metric.set(this.params.get("metric") ?? "use");
    const length = SECONDS[this.params.get("since") ?? "1h"] ?? SECONDS["1h"];
    // of a longer span less changes in a while
    this.refresh.millis = Math.min(300_000, Math.max(5000, length * 5));
    const at = Number(this.params.get("at") ?? 0);
    if (before !== this.params.get("since") || this.to === 0 || (at && !this.covers(at))) {
      this.refresh.now();
    }
    this.showDrawings();
    this.readMoment();
  }

  close() {
    clearTimeout(this.timer);
    this.off();
    this.refresh.close();
    this.abort.abort();
    this.wall.close();
    this.strip.close();
    this.queue.close();
  }

  /**
   * Sets the span that is shown: it ends now, or lies around the moment of a link. It stays while the
   * moment is within.
   */
  setSpan() {
    const length = SECONDS[this.params.get("since") ?? "1h"] ?? SECONDS["1h"];
    const now = Math.floor(this.page.feed.now());
    const at = Number(this.params.get("at") ?? 0);
    const stays = at >= this.from && at <= this.to && this.to - this.from === length;
    if (!at || !stays) {
      this.to = at && at < now - length ? Math.min(now, at + Math.floor(length / 2)) : now;
      this.from = this.to - length;
    }
    this.cursor.set(this.from, this.to, this.isDragging ? this.cursor.at : at || this.to);
    this.live.disabled = !at;
  }

  showDrawings() {
    this.setSpan();
    const values = { since: this.params.get("since") ?? "1h", by: this.params.get("by") ?? "job" };
    const ends = this.params.get("at") ? { from: this.from, to: this.to } : { since: values.since };
    this.strip.show("timeline", { ...ends, by: values.by }, this.refresh.millis);
    this.queue.show("queue", { ...ends, metric: "waiting,running" }, this.refresh.millis);
  }

  /** @param {AbortSignal} signal */
  async load(signal) {
    this.setSpan();
    const { from, to } = this;
    const answer = await get(`/timeline${query({ from, to })}`, signal).catch((fault) => {
      if (signal.aborted || fault.status !== 404) {
        throw fault;
      }
      return null; // a server that does not say what ran where
    });
    this.spans = answer?.spans ?? [];
    this.gaps = answer?.gaps ?? [];
    this.known = answer ? { from, to, isShortened: answer.more === true } : null;
    this.readMoment();
  }

  /** Whether it is known what ran at a moment. @param {number} at */
  covers(at) {
    return this.known !== null && at >= this.known.from && at <= this.known.to;
  }

  isNow() {
    return !this.params.get("at") && this.cursor.at >= this.to;
  }

  onFeed() {
    if (!this.params.get("at") && !this.isDragging) {
      this.setSpan();
      this.draw();
    }
  }

  /** @param {number} at @param {boolean} isDone */
  onCursor(at, isDone) {
    this.isDragging = !isDone;
    if (isDone) {
      this.page.setParams({ at: at >= this.to ? "" : at });
    } else {
      this.live.disabled = false;
      this.readMoment();
    }
  }

  /**
   * Asks for the readings at the cursor, the newest alone if it moves faster than answers come, and
   * again after a fault: until then there are none, as those of another moment would be wrong.
   * @param {number} [pause] milliseconds
   */
  readMoment(pause = 60) {
    clearTimeout(this.timer);
    this.timer = setTimeout(async () => {
      this.abort.abort();
      this.abort = new AbortController();
      const { signal } = this.abort;
      if (this.isNow()) {
        this.draw();
        return;
      }
      const at = this.cursor.at;
      const readings = await readingsAt(at, this.page.feed.now(), signal).catch(() => null);
      if (!signal.aborted) {
        this.readings = readings ?? new Map();
        this.readAt = at;
        this.draw();
        if (!readings) {
          this.readMoment(RETRY);
        }
      }
    }, pause);
  }

  /** @type {ReturnType<typeof setTimeout> | undefined} */
  timer = undefined;

  draw() {
    const snapshot = this.page.feed.latest;
    if (!snapshot) {
      return;
    }
    const isNow = this.isNow();
    const at = isNow || !this.readAt ? this.cursor.at : this.readAt; // all of one moment
    const gpus = isNow ? snapshot.gpus : snapshot.gpus.map((gpu) => this.then(gpu, at));
    const jobs = gpus.flatMap((gpu) => gpu.holders.map((/** @type {any} */ one) => one.job));
    this.data = {
      nodes: snapshot.nodes,
      gpus,
      nodeOf: isNow ? new Map(snapshot.nodes.map((node) => [node.name, node])) : new Map(),
      shown: gpus.map((_, index) => index),
      metric: this.params.get("metric") ?? "use",
      now: at,
      places: letterPlaces(jobs),
      jobsOf: (/** @type {number} */ index) => gpus[index]?.holders.map((/** @type {any} */ one) => one.job) ?? [],
    };
    this.wall.set(this.data);
    const known = isNow ? gpus.length : gpus.filter((gpu) => gpu.utilization !== null || gpu.usedBytes !== null).length;
    const held = gpus.filter((gpu) => gpu.holders.length > 0).length;
    const unsaid = isNow ? 0 : gpus.filter((gpu) => gpu.state === "unknown").length;
    setText(
      this.summary,
      [
        isNow ? "now" : `${span(this.page.feed.now() - at)} ago`,
        unsaid === gpus.length ? `who had the ${counted(gpus.length, "GPU")} is not known` : `${held} of ${counted(gpus.length, "GPU")} held`,
        unsaid > 0 && unsaid < gpus.length ? `of ${unsaid} it is not known` : "",
        unsaid === gpus.length ? "" : counted(new Set(jobs).size, "job"),
        !isNow && this.known?.isShortened ? "short spans are left out" : "",
        known === 0 ? "no readings of that moment" : known < gpus.length ? `${gpus.length - known} without readings` : "",
      ].filter(Boolean).join(" · "),
    );
  }

  /** @param {any} gpu @param {number} at */
  then(gpu, at) {
    const spans = this.covers(at) ? this.spans.filter((one) => one.uuid === gpu.uuid && one.from <= at && (one.to ?? Infinity) > at) : [];
    return gpuAt(gpu, this.readings.get(gpu.uuid), spans, this.covers(at) ? this.gapOf(gpu, at) : null);
  }

  /** When nobody had a GPU; gaps and spans leave a second between them. @param {any} gpu @param {number} at */
  gapOf(gpu, at) {
    const its = this.gaps.filter((one) => one.uuid === gpu.uuid || one.gpu === `${gpu.node}:${gpu.number}`);
    return its.find((one) => one.from <= at && (one.to ?? Infinity) > at) ?? its.find((one) => one.from - 1 <= at && (one.to ?? Infinity) + 1 >= at) ?? null;
  }

  /** @param {number} index */
  onGpu(index) {
    const gpu = this.data?.gpus[index];
    if (!gpu) {
      setText(this.words, "");
      return;
    }
    const at = this.data?.now ?? this.cursor.at;
    const gap = this.covers(at) ? this.gapOf(gpu, at) : null;
    const words = wordsOfGpu(gpu, undefined, at);
    setText(this.words, gap && gpu.holders.length === 0 ? `${words} · ${gap.text ?? String(gap.reason).replaceAll("-", " ")}` : words);
  }
}
