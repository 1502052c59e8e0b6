// @ts-check
/** The jobs that have not ended, below the wall, as `remuda top` has them. */
import { writeAddress } from "../lib/address.js";
import { fill, h } from "../lib/dom.js";
import { letter } from "../lib/letters.js";
import { counted, seconds, span } from "../lib/text.js";
import { inFull } from "../lib/time.js";

const MOST = 30;

export class LiveJobs {
  constructor() {
    this.body = h("tbody");
    this.more = h("p", { class: "soft" });
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

  /** @param {import("../lib/feed.js").Snapshot} snapshot @param {Map<number, number>} places */
  set(snapshot, places) {
    const now = seconds(snapshot.time) ?? 0;
    const total = Object.values(snapshot.counts ?? {}).reduce((all, one) => all + one, 0);
    if (snapshot.jobs.length === 0) {
      fill(this.body, h("tr", {}, h("td", { colspan: "7", class: "soft" }, "No job waits or runs. The first: ", h("code", {}, "remuda submit --gpus 1 -- python train.py"))));
    } else {
      fill(this.body, snapshot.jobs.slice(0, MOST).map((job) => this.row(job, places, now)));
    }
    fill(this.more, total > MOST ? [`${counted(total - MOST, "more job")}: `, h("a", { href: writeAddress("queue") }, "the queue")] : "");
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
      h("td", { class: "soft" }, job.reason ?? ""),
    );
  }
}
