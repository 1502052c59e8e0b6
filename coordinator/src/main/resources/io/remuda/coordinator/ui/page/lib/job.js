// @ts-check
/** Words for jobs that several views have. */
import { bytes, counted, isKnown, UNKNOWN } from "./text.js";

export const BEFORE = ["submitted", "held", "waiting"];
export const ON = ["starting", "running", "unknown", "stopping", "ending"];
const OVER = ["succeeded", "failed", "cancelled", "lost"];

/** @param {string} state */
export function isOver(state) {
  return OVER.includes(state);
}

/**
 * What each task asks for.
 * @param {any} needs
 */
export function needsWords(needs) {
  if (!needs) {
    return UNKNOWN;
  }
  const parts = [];
  if (needs.gpus) {
    const model = needs.gpuModel ? ` ${needs.gpuModel}` : "";
    const memory =
      needs.gpuMemory > 0 ? ` with ${bytes(needs.gpuMemory)}` : needs.gpuMemory < 0 ? ", memory as measured" : "";
    parts.push(`${counted(needs.gpus, "GPU")}${model}${memory}`);
  }
  parts.push(`${needs.cpus} CPU${needs.cpus === 1 ? "" : "s"}`);
  if (needs.memory) {
    parts.push(bytes(needs.memory));
  }
  for (const [name, amount] of Object.entries(needs.resources ?? {})) {
    parts.push(`${amount} ${name}`);
  }
  return parts.join(", ");
}

/**
 * How far the tasks of a job are.
 * @param {any} job
 */
export function progressWords(job) {
  if (isKnown(job.epochs) && isKnown(job.epochsDone)) {
    return `epoch ${job.epochsDone} of ${job.epochs}`;
  }
  if (job.tasks === 1 || !job.tasks) {
    return "";
  }
  const counts = job.counts ?? {};
  const ended = OVER.reduce((all, state) => all + (counts[state] ?? 0), 0);
  const running = ON.reduce((all, state) => all + (counts[state] ?? 0), 0);
  const failed = (counts.failed ?? 0) + (counts.lost ?? 0);
  const parts = [`${ended} of ${job.tasks} done`];
  if (running) {
    parts.push(`${running} run`);
  }
  if (failed) {
    parts.push(`${failed} failed`);
  }
  return job.counts ? parts.join(", ") : counted(job.tasks, "task");
}

/** How it ended. @param {any} job */
export function endWords(job) {
  if (isKnown(job.signal)) {
    return `signal ${job.signal}`;
  }
  return isKnown(job.exitCode) && job.exitCode !== 0 ? `exit code ${job.exitCode}` : "";
}

/**
 * How long it ran or runs, in seconds; null if it has not begun.
 * @param {any} job
 * @param {number} now by the server's clock
 */
export function ranSeconds(job, now) {
  if (isKnown(job.ranMillis)) {
    return job.ranMillis / 1000;
  }
  const from = job.startedAt ? Date.parse(job.startedAt) / 1000 : null;
  return from === null ? null : (job.endedAt ? Date.parse(job.endedAt) / 1000 : now) - from;
}

/**
 * How long it waited or waits, in seconds; one that never started, until it ended.
 * @param {any} job
 * @param {number} now by the server's clock
 */
export function waitedSeconds(job, now) {
  const from = Date.parse(job.submittedAt) / 1000;
  const until = job.startedAt ?? job.endedAt;
  const to = until ? Date.parse(until) / 1000 : now;
  return Number.isNaN(from) ? null : to - from;
}

const PLACE = ["running", "starting", "stopping", "ending", "unknown", "waiting", "submitted", "held"];

/** The place of a state in the order in which `remuda top` has jobs. @param {string} state */
export function placeOf(state) {
  const place = PLACE.indexOf(state);
  return place < 0 ? PLACE.length : place;
}

/** What runs, then what waits by its turn, each by number. @param {any} a @param {any} b */
export function byPlace(a, b) {
  return (
    placeOf(a.state) - placeOf(b.state) ||
    (a.turn ?? Number.MAX_SAFE_INTEGER) - (b.turn ?? Number.MAX_SAFE_INTEGER) ||
    a.id - b.id
  );
}
