// @ts-check
/** What a job asked for and used, why it waits, what it runs. */
import { writeAddress } from "../lib/address.js";
import { h } from "../lib/dom.js";
import { needsWords } from "../lib/job.js";
import { amount, bytes, counted, isKnown, span, UNKNOWN } from "../lib/text.js";
import { clock, expectedClock, inFull, timeElement } from "../lib/time.js";

/** Jobs that are named that have an earlier turn. */
const AHEAD = 5;

/** @param {string} name @param {any} value */
function fact(name, value) {
  return value === null || value === "" ? null : h("div", {}, h("dt", {}, name), h("dd", {}, value));
}

/** When it starts in nine of ten cases, with the likeliest moment on hover. @param {any} job */
function expectedElement(job) {
  return job.expectedStartFrom ? h("span", { title: inFull(job.expectedStartAt) }, expectedClock(job)) : timeElement(job.expectedStartAt);
}

/** When, whose, where. @param {any} job */
export function jobFacts(job) {
  const terms = job.terms ?? {};
  return h(
    "dl",
    { class: "facts" },
    fact("User", job.user),
    fact("Submitted", timeElement(job.submittedAt)),
    fact("Started", job.startedAt ? timeElement(job.startedAt) : null),
    fact("Expected start", !job.startedAt && job.expectedStartAt ? expectedElement(job) : null),
    fact("Turn", isKnown(job.turn) ? String(job.turn) : null),
    fact("Ended", job.endedAt ? timeElement(job.endedAt) : null),
    fact("Expected end", !job.endedAt && job.expectedEndAt ? timeElement(job.expectedEndAt) : null),
    fact("Type", terms.type),
    fact("Priority", terms.priority ? String(terms.priority) : null),
    fact("Time limit", terms.timeLimitMillis ? span(terms.timeLimitMillis / 1000) : null),
    fact("Retries", terms.retries ? String(terms.retries) : null),
    fact("At once", terms.maxRunning ? counted(terms.maxRunning, "task") : null),
    fact("Begins", terms.begin ? timeElement(terms.begin) : null),
    fact("After", terms.after?.length ? terms.after.join(", ") : null),
    fact("Then", job.dependents?.length ? links(job.dependents) : null),
    fact("Nodes", job.nodes?.length ? job.nodes.join(", ") + (job.nodesMore ? ` and ${job.nodesMore} more` : "") : null),
  );
}

/** @param {number[]} jobs */
function links(jobs) {
  return h("span", {}, jobs.map((id, at) => [at ? ", " : "", h("a", { href: writeAddress("job", [id]) }, `job ${id}`)]).flat());
}

/** Needs asked against used, of one task. @param {any} job @param {any} task null before its first attempt */
export function askedAndUsed(job, task) {
  const needs = job.needs ?? {};
  const rows = [
    ["CPUs", needs.cpus === undefined ? UNKNOWN : String(needs.cpus), task && isKnown(task.cpuPercent) ? `${task.cpuPercent} % of them` : UNKNOWN, share(task?.cpuPercent)],
    ["Memory", needs.memory ? bytes(needs.memory) : "no limit asked", bytes(task?.peakRssBytes), needs.memory && isKnown(task?.peakRssBytes) ? share((100 * task.peakRssBytes) / needs.memory) : null],
  ];
  if (needs.gpus) {
    rows.push(["GPUs", `${needs.gpus}${needs.gpuModel ? ` ${needs.gpuModel}` : ""}`, isKnown(task?.gpuPercent) ? `${task.gpuPercent} % busy, ${amount(task.gpuMostPercent, " %")} at most` : UNKNOWN, share(task?.gpuPercent)]);
    rows.push(["GPU memory", needs.gpuMemory > 0 ? bytes(needs.gpuMemory) : needs.gpuMemory < 0 ? "as measured" : "whole GPUs", bytes(task?.gpuPeakBytes), needs.gpuMemory > 0 && isKnown(task?.gpuPeakBytes) ? share((100 * task.gpuPeakBytes) / needs.gpuMemory) : null]);
  }
  return h(
    "table",
    { class: "asked" },
    h("thead", {}, h("tr", {}, h("td"), ["Asked", "Used", "Share"].map((one) => h("th", { scope: "col" }, one)))),
    h("tbody", {}, rows.map(([name, asked, used, part]) => h("tr", {}, h("th", { scope: "row" }, name), h("td", {}, asked), h("td", {}, used), h("td", {}, part ?? "")))),
  );
}

/** @param {number | null | undefined} percent */
function share(percent) {
  if (!isKnown(percent)) {
    return null;
  }
  const width = Math.min(100, Math.round(percent));
  return h("span", { class: "meter", role: "img", "aria-label": `${Math.round(percent)} percent`, title: `${Math.round(percent)} %` }, h("span", { style: { width: `${width}%` } }));
}

/**
 * Why it waits, node by node, whose turn is before it, and who holds what it wants.
 * @param {any} explained
 * @param {any[]} ahead jobs with an earlier turn
 */
export function whyItWaits(explained, ahead) {
  const holders = explained.holders ?? [];
  // the table below has those that hold something
  const lines = (explained.text ?? []).filter((/** @type {string} */ line) => !holders.some((/** @type {any} */ one) => line.startsWith(`${one.node}: job ${one.job} (`)));
  const more = ahead.length - AHEAD;
  return [
    h("ul", { class: "plain why" }, lines.map((/** @type {string} */ line) => h("li", {}, line))),
    ahead.length
      ? h("p", {}, "Before it: ", ahead.slice(0, AHEAD).map((job, at) => [at ? ", " : "", h("a", { href: writeAddress("job", [job.id]) }, `job ${job.id}`), ` ${job.name ?? ""} of ${job.user}`]).flat(), more > 0 ? ` and ${more} more` : "")
      : null,
    holders.length
      ? h(
          "div",
          { class: "scroll", tabindex: "0", role: "region", "aria-label": "Who holds what it wants" },
          h(
            "table",
            {},
            h("caption", { class: "soft" }, "Who holds what it wants"),
            h("thead", {}, h("tr", {}, ["Node", "Job", "User", "GPUs", "CPUs", "Until at most"].map((one) => h("th", { scope: "col", class: /PUs$/.test(one) ? "number" : "" }, one)))),
            h(
              "tbody",
              {},
              holders.slice(0, 20).map((/** @type {any} */ one) =>
                h("tr", {}, h("td", {}, one.node), h("td", {}, h("a", { href: writeAddress("job", [one.job]) }, one.job), ` ${one.name}`), h("td", {}, one.user), h("td", { class: "number" }, one.gpus), h("td", { class: "number" }, one.cpus), h("td", {}, one.until ? clock(one.until) : "no limit")),
              ),
            ),
          ),
        )
      : null,
  ];
}

/** What it runs: for its owner with the environment. @param {any} job @param {boolean} isOwner */
export function whatItRuns(job, isOwner) {
  const work = job.workload ?? {};
  const environment = Object.entries(work.environment ?? {}).sort(([a], [b]) => a.localeCompare(b));
  return [
    work.argv ? h("pre", { class: "command", tabindex: "0", "aria-label": "Command" }, commandText(work.argv)) : h("p", {}, work.workload ?? UNKNOWN),
    h(
      "dl",
      { class: "facts" },
      fact("Folder", work.folder ? h("span", { class: "mono small" }, work.folder) : null),
      fact("Tree", work.frozenTree ? h("span", { class: "mono small" }, `frozen, ${work.frozenTree.slice(0, 12)}`) : null),
      fact("Container", work.container?.image ? h("span", { class: "mono small" }, work.container.image) : null),
    ),
    environment.length
      ? h(
          "details",
          {},
          h("summary", {}, `Environment, ${counted(environment.length, "variable")}`),
          h("pre", { class: "environment", tabindex: "0", "aria-label": "Environment" }, environment.map(([name, value]) => `${name}=${value}`).join("\n")),
        )
      : isOwner
        ? null
        : h("p", { class: "soft" }, "Its environment is for its owner."),
    needsWords(job.needs) === UNKNOWN ? null : h("p", { class: "soft" }, `Each task wants ${needsWords(job.needs)}.`),
  ];
}

/** Words as a shell takes them; a script stays as it is. @param {string[]} argv */
function commandText(argv) {
  return argv
    .map((word) => (/^[\w./:=,@%+-]+$/.test(word) ? word : /\n/.test(word) ? `'\n${word}\n'` : `'${word.replaceAll("'", "'\\''")}'`))
    .join(" ");
}
