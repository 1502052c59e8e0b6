// @ts-check
/** The jobs that have not ended, below the wall, as `remuda top` has them. */
import { writeAddress } from "../lib/address.js";
import { get } from "../lib/api.js";
import { fillIfNew, h } from "../lib/dom.js";
import { byPlace, progressWords } from "../lib/job.js";
import { hueOf, letter } from "../lib/letters.js";
import { counted, seconds, span, UNKNOWN } from "../lib/text.js";
import { clock, expectedClock, inFull } from "../lib/time.js";

const COLUMNS = [
  ["job", "Job", "number"],
  ["name", "Name", ""],
  ["user", "User", ""],
  ["state", "State", ""],
  ["time", "Time", "number"],
  ["start", "Start", ""],
  ["why", "Why, or how far", ""],
];
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
    /** @type {((job: any) => boolean) | null} null for all */
    this.isShown = null;
    this.element = h(
      "section",
      { class: "live-jobs", "aria-labelledby": "live-jobs-title" },
      h("h2", { id: "live-jobs-title" }, "Jobs"),
      h(
        "div",
        { class: "scroll", tabindex: "0", role: "region", "aria-label": "Jobs that have not ended" },
        h("table", { class: "live" }, h("thead", {}, h("tr", {}, h("td"), COLUMNS.map(([name, words, kind]) => h("th", { scope: "col", class: `${kind} column-${name}` }, words)))), this.body),
      ),
      this.more,
    );
  }

  /**
   * Shows them; those that wait are asked for when a job has changed, or for reasons now and then.
   * @param {import("../lib/feed.js").Feed} feed
   * @param {Map<number, number>} places
   * @param {((job: any) => boolean) | null} isShown whether a job is; null for all
   */
  set(feed, places, isShown) {
    this.isShown = isShown;
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
    const all = this.isShown ? this.jobs.filter(this.isShown) : this.jobs;
    const shown = all.slice(0, MOST);
    fillIfNew(this.body, [this.isShown !== null, shown, shown.map((job) => this.places.get(job.id)), Math.floor(now / 10)], () =>
      shown.length === 0
        ? h("tr", {}, h("td", { colspan: "8", class: "soft" }, this.isShown ? "No job is like that." : ["No job waits or runs. The first: ", h("code", {}, "remuda submit --gpus 1 -- python train.py")]))
        : shown.map((job) => this.row(job, this.places, now)),
    );
    const more = Math.max(0, (this.isShown ? all.length : total) - shown.length);
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
      h("td", {}, place === undefined ? "" : h("span", { class: "letter", data: { hue: String(hueOf(job.id)) } }, letter(place))),
      h("td", { class: "number column-job" }, h("a", { href: writeAddress("job", [job.id]) }, job.id)),
      h("td", { class: "name column-name" }, job.name),
      h("td", { class: "column-user" }, job.user),
      h("td", { class: "column-state" }, h("span", { class: "state", data: { state: job.state } }, job.state)),
      h("td", { class: "number column-time", title: inFull(since) }, since === null ? UNKNOWN : span(now - since)),
      startCell(job),
      h("td", { class: "soft column-why" }, [progressWords(job), job.reason].filter(Boolean).join(" · ")),
    );
  }
}

/** When it started, or should. @param {any} job */
function startCell(job) {
  if (job.startedAt) {
    return h("td", { class: "column-start", title: `started ${inFull(job.startedAt)}` }, clock(job.startedAt));
  }
  const title = job.expectedStartAt ? `expected ${inFull(job.expectedStartAt)}` : null;
  return h("td", { class: "soft column-start", title }, job.expectedStartAt ? expectedClock(job) : UNKNOWN);
}
