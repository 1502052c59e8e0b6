// @ts-check
/** The cluster as it was: readings of GPUs at a moment, and who had them. */
import { get, query } from "./api.js";
import { isKnown } from "./text.js";

/** Readings are kept each second for 15 minutes, each ten seconds for a day, else each minute. */
const STEPS = [
  [840, 2],
  [86_000, 20],
  [Infinity, 120],
];

/** @typedef {Record<string, number> & {attempts?: Set<string>}} Readings with the attempts of which it was known what memory of GPUs they use */

/**
 * The readings of all GPUs at a moment, by UUID; what is not known is missing.
 * @param {number} at seconds since 1970
 * @param {number} now
 * @param {AbortSignal} signal
 * @returns {Promise<Map<string, Readings>>}
 */
export async function readingsAt(at, now, signal) {
  const step = STEPS.find(([age]) => now - at < age)?.[1] ?? 120;
  const moment = { from: Math.floor(at - step + 1), to: Math.floor(at + 1), points: 1 };
  const [answer, tasks] = await Promise.all([
    get(`/history${query({ kind: "gpu", metric: "utilization,memoryUsed,power", ...moment })}`, signal),
    get(`/history${query({ kind: "task", metric: "gpuMemory", ...moment })}`, signal).catch(() => null), // too many
  ]);
  const attempts = new Set();
  for (const series of tasks?.series ?? []) {
    if (series.curves.some((/** @type {any} */ curve) => curve.mean.some(isKnown))) {
      attempts.add(series.name);
    }
  }
  /** @type {Map<string, Readings>} */
  const readings = new Map();
  for (const series of answer.series) {
    /** @type {any} */
    const its = { attempts };
    for (const curve of series.curves) {
      const known = curve.mean.filter(isKnown);
      if (known.length > 0) {
        its[curve.metric] = known[known.length - 1];
      }
    }
    readings.set(series.name, its);
  }
  return readings;
}

/** Reasons for which a GPU had nobody since it could not. */
const OUT = ["drained", "node-paused", "resting"];

/** What a GPU without an attempt was. @param {any} gap null if nothing is known of that moment */
function stateOf(gap) {
  if (!gap || gap.reason === "away" || gap.reason === "unknown") {
    return "unknown";
  }
  return OUT.includes(gap.reason) ? "draining" : "free";
}

/**
 * A GPU as it was, from how it is now. Whose its memory was is known where the driver named the
 * processes of the attempt that alone had it.
 * @param {any} gpu
 * @param {Readings | undefined} readings
 * @param {any[]} spans that ran on it at that moment
 * @param {any} gap in which nobody had it at that moment; null if none is known
 */
export function gpuAt(gpu, readings, spans, gap) {
  const used = readings?.memoryUsed ?? null;
  const isOwn = spans.length === 1 && readings?.attempts?.has(`${spans[0].job}.${spans[0].task}.${spans[0].attempt}`);
  const state = spans.length > 0 ? "shared" : stateOf(gap);
  return {
    ...gpu,
    utilization: isKnown(readings?.utilization) ? Math.round(readings.utilization * 100) : null,
    usedBytes: used,
    powerWatts: readings?.power ?? null,
    temperatureCelsius: null,
    otherBytes: spans.length === 0 && state !== "unknown" ? used : null,
    state,
    health: "ok",
    note: null,
    drainReason: null,
    strangers: [],
    holders: spans.map((span) => ({
      job: span.job,
      attempt: "",
      whole: false,
      reservedBytes: span.memory ?? gpu.memoryBytes,
      usedBytes: isOwn ? used : null,
    })),
  };
}
