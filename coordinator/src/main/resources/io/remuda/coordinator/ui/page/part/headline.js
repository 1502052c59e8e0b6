// @ts-check
/** The numbers of the head; each leads to what it counts. */
import { writeAddress } from "../lib/address.js";
import { h } from "../lib/dom.js";
import { useOf, USES, USE_WORDS } from "../lib/gpu.js";
import { seconds, span } from "../lib/text.js";
import { clock, inFull } from "../lib/time.js";

const BEFORE = ["submitted", "held", "waiting"];

/**
 * @param {import("../lib/feed.js").Snapshot} snapshot
 * @param {Map<string, any>} nodeOf
 * @param {string} chosen the use of GPUs that alone is shown; "" for all
 */
export function headline(snapshot, nodeOf, chosen) {
  /** @type {Record<string, number>} */
  const uses = {};
  for (const gpu of snapshot.gpus) {
    const use = useOf(gpu, nodeOf.get(gpu.node)?.state === "silent");
    uses[use] = (uses[use] ?? 0) + 1;
  }
  const counts = Object.entries(snapshot.counts ?? {});
  const waiting = counts.filter(([state]) => BEFORE.includes(state)).reduce((all, [, count]) => all + count, 0);
  const running = counts.reduce((all, [, count]) => all + count, 0) - waiting;
  const queued = snapshot.jobs.filter((job) => job.state === "waiting");
  const queue = snapshot.queue;
  const oldest = queue ? (queue.oldestSince ?? Infinity) : Math.min(...queued.map((job) => seconds(job.submittedAt) ?? Infinity));
  const next = queue ? (queue.nextStart ?? Infinity) : Math.min(...queued.map((job) => seconds(job.expectedStartAt) ?? Infinity));
  const now = seconds(snapshot.time) ?? 0;
  return [
    h(
      "div",
      { class: "figures", role: "group", "aria-label": "GPUs" },
      USES.filter((use) => use === "busy" || use === "free" || uses[use]).map((use) =>
        figure(
          String(uses[use] ?? 0),
          `GPU${uses[use] === 1 ? "" : "s"} ${USE_WORDS[use]}`,
          writeAddress("cluster", [], { is: chosen === use ? "" : use }),
          use,
          chosen === use,
        ),
      ),
    ),
    h(
      "div",
      { class: "figures", role: "group", "aria-label": "Jobs" },
      figure(String(running), "jobs run", writeAddress("queue", [], { state: "running" }), "run"),
      figure(String(waiting), "wait", writeAddress("queue", [], { state: "pending" }), "wait"),
      Number.isFinite(oldest) ? figure(span(now - oldest), "oldest wait", writeAddress("queue", [], { state: "waiting", sort: "-wait" }), "old") : null,
      Number.isFinite(next) ? figure(clock(next), "next start, expected", writeAddress("queue", [], { state: "waiting", sort: "turn" }), "next", false, inFull(next)) : null,
      queue?.failedJobs ? figure(String(queue.failedJobs), "failed in the last hour", writeAddress("queue", [], { state: "failed,lost", endedSince: "1h" }), "failed") : null,
    ),
  ];
}

/**
 * @param {string} value
 * @param {string} words
 * @param {string} href
 * @param {string} kind
 * @param {boolean} [isChosen]
 * @param {string} [title]
 */
function figure(value, words, href, kind, isChosen, title) {
  return h(
    "a",
    { class: `figure figure-${kind}`, href, title, "aria-current": isChosen ? "true" : null },
    h("span", { class: "figure-value" }, value),
    h("span", { class: "figure-words" }, words),
  );
}
