// @ts-check
/** What the cluster is doing now, told again and again; a server that is away is asked until it is back. */
import { get, RequestFailure } from "./api.js";

/**
 * @typedef {object} Snapshot as GET /api/v1/top answers
 * @property {string} time by the server's clock
 * @property {any[]} nodes
 * @property {any[]} gpus
 * @property {Record<string, number>} counts jobs that have not ended, by state
 * @property {any[]} jobs
 */

/**
 * @typedef {object} FeedState
 * @property {"starting" | "live" | "away" | "signed-out"} kind
 * @property {number} since milliseconds since 1970
 * @property {string} message why it is away
 */

const PERIOD = 1000;
const LONGEST_PAUSE = 5000;
const JOBS = 1000;

export class Feed {
  /** @type {Snapshot | null} */
  latest = null;
  /** @type {number} when it came, in milliseconds since 1970 */
  cameAt = 0;
  /** @type {FeedState} */
  state = { kind: "starting", since: Date.now(), message: "" };

  /** @type {Set<() => void>} */
  #listeners = new Set();
  #failures = 0;
  /** @type {ReturnType<typeof setTimeout> | undefined} */
  #timer;

  start() {
    document.addEventListener("visibilitychange", () => this.#next(0));
    this.#next(0);
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

  /** @param {number} millis */
  #next(millis) {
    clearTimeout(this.#timer);
    if (!document.hidden) {
      this.#timer = setTimeout(() => this.#ask(), millis);
    }
  }

  async #ask() {
    try {
      const snapshot = await get(`/top?jobs=${JOBS}`);
      this.latest = snapshot;
      this.cameAt = Date.now();
      this.#failures = 0;
      this.#become("live", "");
      this.#next(PERIOD);
    } catch (fault) {
      this.#failures++;
      const failure = fault instanceof RequestFailure ? fault : null;
      this.#become(failure?.isSignedOut ? "signed-out" : "away", String(failure?.message ?? fault));
      this.#next(Math.min(LONGEST_PAUSE, PERIOD * this.#failures));
    }
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
