// @ts-check
/** The jobs that have not ended, below the wall, as `remuda top` has them. */
import { writeAddress } from "../lib/address.js";
import { get } from "../lib/api.js";
import { fillIfNew, h } from "../lib/dom.js";
import { byPlace, progressWords } from "../lib/job.js";
import { letter } from "../lib/letters.js";
import { counted, seconds, span } from "../lib/text.js";
import { inFull } from "../lib/time.js";

const MOST = 30;
const ASKED = 200;
const QUICK = 1500;
const SLOW = 10_000;

export class LiveJobs {
  constructor() {
    this.body = h("tbody");
    this.more = h("p", { class: "soft" });
    /** @type {any[] | null} */
    this.jobs = null;
    /** @type {Map<number, number>} */
    this.places = new Map();
    /** @type {import("../lib/feed.js").Feed | null} */
    this.feed = null;
    this.askedAt = 0;
    this.revision = -1;
    this.isAsking = false;
    this.abort = new AbortController();
    this.element = h(
      "section",
      { class: "live-jobs", "aria-labelledby": "live-jobs-title" },
      h("h2", { id: "live-jobs-title" }, "Jobs"),
      h(
        "div",
        { class: "scroll", tabindex: "0", role: "region", "aria-label": "Jobs that have not ended" },
        h("table", {}, h("thead", {}, h("tr", {}, h("td"), ["Job", "Name", "User", "State", "Time", "Why, and what is expected"].map((one) => h("th", { scope: "col" }, one)))), this.body),
      ),
      this.more,
    );
  }

  /**
   * Shows them; those that wait are asked for when a job has changed, or for reasons now and then.
   * @param {import("../lib/feed.js").Feed} feed
   * @param {Map<number, number>} places
   */
  set(feed, places) {
    this.feed = feed;
    this.places = places;
    const now = Date.now();
    const pause = feed.revision === this.revision ? SLOW : QUICK;
    if (!this.isAsking && now - this.askedAt > pause && feed.state.kind === "live") {
      this.isAsking = true;
      this.askedAt = now;
      this.revision = feed.revision;
      this.load().finally(() => (this.isAsking = false));
    }
    this.draw();
  }

  async load() {
    const answer = await get(`/jobs?progress&limit=${ASKED}`, this.abort.signal).catch(() => null);
    if (answer) {
      this.jobs = answer.jobs.sort(byPlace);
      this.draw();
    }
  }

  draw() {
    if (!this.jobs) {
      return;
    }
    const now = this.feed?.now() ?? 0;
    const total = Object.values(this.feed?.latest?.counts ?? {}).reduce((all, one) => all + one, 0);
    const shown = this.jobs.slice(0, MOST);
    fillIfNew(this.body, [shown, shown.map((job) => this.places.get(job.id)), Math.floor(now / 10)], () =>
      shown.length === 0
        ? h("tr", {}, h("td", { colspan: "7", class: "soft" }, "No job waits or runs. The first: ", h("code", {}, "remuda submit --gpus 1 -- python train.py")))
        : shown.map((job) => this.row(job, this.places, now)),
    );
    const more = Math.max(0, total - shown.length);
    fillIfNew(this.more, more, () => (more > 0 ? [`${counted(more, "more job")}: `, h("a", { href: writeAddress("queue") }, "the queue")] : ""));
  }

  close() {
    this.abort.abort();
  }

  /** @param {any} job @param {Map<number, number>} places @param {number} now */
  row(job, places, now) {
    const place = places.get(job.id);
    const since = seconds(job.startedAt) ?? seconds(job.submittedAt);
    return h(
      "tr",
      {},
      h("td", {}, place === undefined ? "" : h("span", { class: "letter", data: { hue: String(place % 10) } }, letter(place))),
      h("td", { class: "number" }, h("a", { href: writeAddress("job", [job.id]) }, job.id)),
      h("td", { class: "name" }, job.name),
      h("td", {}, job.user),
      h("td", {}, h("span", { class: "state", data: { state: job.state } }, job.state)),
      h("td", { class: "number", title: inFull(since) }, since === null ? "–" : span(now - since)),
      h("td", { class: "soft" }, [progressWords(job), job.reason].filter(Boolean).join(" · ")),
    );
  }
}
