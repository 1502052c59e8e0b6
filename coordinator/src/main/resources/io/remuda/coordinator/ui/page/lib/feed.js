// @ts-check
/**
 * What the cluster is doing now: a stream of events, resumed where it was broken off, while the
 * page is seen. A server of an earlier build has no such stream and is asked each second. A server
 * that is away is asked until it is back; what was known stays.
 */
import { get, RequestFailure } from "./api.js";
import { readEvents } from "./events.js";
import { LivePicture } from "./live.js";
import { seconds } from "./text.js";

/**
 * @typedef {object} Snapshot
 * @property {string | number} time by the server's clock
 * @property {any[]} nodes
 * @property {any[]} gpus
 * @property {Record<string, number>} counts jobs that have not ended, by state
 * @property {any[]} jobs at least those that run, some of them
 * @property {any} [queue] as the event of GET /live; of an earlier server undefined, as the next
 * @property {any} [server]
 */

/**
 * @typedef {object} FeedState
 * @property {"starting" | "live" | "away" | "signed-out"} kind
 * @property {number} since milliseconds since 1970
 * @property {string} message why it is away
 */

const PERIOD = 1000;
const LONGEST_PAUSE = 3000;
const JOBS = 1000;
/** A stream says something each second; one that is silent for so long is broken. */
const SILENCE = 8000;
/** A page that is not seen for so long gives its stream up: browsers have six for a host. */
const HIDDEN = 5000;

export class Feed {
  /** @type {Snapshot | null} */
  latest = null;
  /** @type {number} when it came, in milliseconds since 1970 */
  cameAt = 0;
  /** @type {FeedState} */
  state = { kind: "starting", since: Date.now(), message: "" };
  /** @type {number} grows when a job changes; each second with a server that does not say */
  revision = 0;

  /** @type {Set<() => void>} */
  #listeners = new Set();
  #failures = 0;
  #hasStream = true;
  #picture = new LivePicture();
  #abort = new AbortController();
  /** @type {ReturnType<typeof setTimeout> | undefined} */
  #timer;
  /** @type {ReturnType<typeof setTimeout> | undefined} */
  #silence;
  /** @type {ReturnType<typeof setTimeout> | undefined} */
  #hiding;
  #isRunning = false;

  start() {
    document.addEventListener("visibilitychange", () => {
      clearTimeout(this.#hiding);
      if (document.hidden) {
        this.#hiding = setTimeout(() => this.#pause(), HIDDEN);
      } else if (!this.#isRunning) {
        this.#run();
      }
    });
    this.#run();
  }

  /**
   * Has a listener called after each change.
   * @param {() => void} listener
   * @returns {() => void} ends that
   */
  on(listener) {
    this.#listeners.add(listener);
    return () => this.#listeners.delete(listener);
  }

  /** The time by the server's clock, in seconds since 1970; the reader's before the first answer. */
  now() {
    const server = seconds(this.latest?.time);
    const here = Date.now() / 1000;
    return server === null ? here : server + here - this.cameAt / 1000;
  }

  #pause() {
    this.#isRunning = false;
    this.#abort.abort();
    clearTimeout(this.#timer);
  }

  async #run() {
    this.#isRunning = true;
    this.#abort = new AbortController();
    const signal = this.#abort.signal;
    try {
      await (this.#hasStream ? this.#stream(signal) : this.#ask(signal));
      this.#plan(PERIOD, signal);
    } catch (fault) {
      if (this.#isRunning) {
        this.#failed(fault, signal);
      }
    } finally {
      clearTimeout(this.#silence);
    }
  }

  /** @param {number} millis @param {AbortSignal} signal */
  #plan(millis, signal) {
    clearTimeout(this.#timer);
    if (this.#isRunning && (!signal.aborted || signal.reason === "silent")) {
      this.#timer = setTimeout(() => this.#run(), millis);
    }
  }

  /** @param {any} fault @param {AbortSignal} signal */
  #failed(fault, signal) {
    const failure = fault instanceof RequestFailure ? fault : null;
    if (failure?.status === 404 && this.#hasStream) {
      this.#hasStream = false;
      this.#plan(0, signal);
      return;
    }
    this.#failures++;
    const message = signal.reason === "silent" ? "nothing came for a while" : String(failure?.message ?? fault);
    this.#become(failure?.isSignedOut ? "signed-out" : "away", message);
    this.#tell();
    this.#plan(Math.min(LONGEST_PAUSE, PERIOD * this.#failures), signal);
  }

  /** @param {AbortSignal} signal */
  async #stream(signal) {
    const abort = this.#abort;
    const heard = () => {
      clearTimeout(this.#silence);
      this.#silence = setTimeout(() => abort.abort("silent"), SILENCE);
    };
    heard();
    const onEvent = (/** @type {import("./events.js").ServerEvent} */ event) => {
      if (event.type === "away") {
        this.#become("away", JSON.parse(event.data).message ?? "");
        this.#tell();
      } else if (this.#picture.take(event)) {
        const snapshot = this.#picture.snapshot();
        this.#show(snapshot, snapshot.queue?.revision ?? this.revision + 1);
      }
    };
    await readEvents("/api/v1/live", this.#picture.lastId, signal, onEvent, heard);
    throw new RequestFailure(502, "stream-ended", "the stream of events has ended");
  }

  /** @param {AbortSignal} signal */
  async #ask(signal) {
    this.#show(await get(`/top?jobs=${JOBS}`, signal), this.revision + 1);
  }

  /** @param {Snapshot} snapshot @param {number} revision */
  #show(snapshot, revision) {
    this.latest = snapshot;
    this.cameAt = Date.now();
    this.revision = revision;
    this.#failures = 0;
    this.#become("live", "");
    this.#tell();
  }

  #tell() {
    for (const listener of this.#listeners) {
      listener();
    }
  }

  /** @param {FeedState["kind"]} kind @param {string} message */
  #become(kind, message) {
    const since = kind === this.state.kind ? this.state.since : Date.now();
    this.state = { kind, since, message };
  }
}
