// @ts-check
/** Asks again and again while it is seen; the last good answer stays while the server is away. */

/** After a fault it is asked again so soon, each time later. */
const RETRY = 2000;
const SLOWEST_RETRY = 10_000;
/** What browsers take for a timer; they take more for none at all, and ask at once. */
const LONGEST = 2 ** 31 - 1;

export class Refresh {
  /**
   * @param {(signal: AbortSignal) => Promise<void>} ask asks, and shows the answer
   * @param {(fault: Error | null) => void} onFault told of what a request has thrown, and null
   *     after a good one
   * @param {number} millis between a good answer and the next request; Infinity for no next one
   */
  constructor(ask, onFault, millis) {
    this.ask = ask;
    this.onFault = onFault;
    this.millis = millis;
    this.abort = new AbortController();
    this.isOver = false;
    this.failures = 0;
    /** @type {ReturnType<typeof setTimeout> | undefined} */
    this.timer = undefined;
    this.wake = () => !document.hidden && this.now();
    document.addEventListener("visibilitychange", this.wake);
  }

  /** Asks at once; an earlier request that is not answered is given up. */
  now() {
    this.abort.abort();
    this.abort = new AbortController();
    clearTimeout(this.timer);
    if (!this.isOver) {
      this.run(this.abort.signal);
    }
  }

  /** @param {AbortSignal} signal */
  async run(signal) {
    try {
      await this.ask(signal);
      this.failures = 0;
      if (!signal.aborted) {
        this.onFault(null);
      }
    } catch (fault) {
      if (signal.aborted) {
        return;
      }
      this.failures++;
      this.onFault(/** @type {Error} */ (fault));
    }
    const pause = this.failures > 0 ? Math.min(SLOWEST_RETRY, RETRY * this.failures) : this.millis;
    if (!signal.aborted && !document.hidden && pause <= LONGEST) {
      this.timer = setTimeout(() => this.now(), pause);
    }
  }

  close() {
    this.isOver = true;
    this.abort.abort();
    clearTimeout(this.timer);
    document.removeEventListener("visibilitychange", this.wake);
  }
}
