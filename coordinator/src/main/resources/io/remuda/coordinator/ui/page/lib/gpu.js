// @ts-check
/** What a GPU of a snapshot is doing, by rules that the wall, its table and the numbers share. */
import { amount, bytes, isKnown, seconds, span, UNKNOWN } from "./text.js";

/** @typedef {{kind: "used" | "lent" | "foreign" | "unknown", job: number, share: number, bytes: number}} Piece */

/** Words for what a GPU is doing, in the order of the head. */
export const USES = /** @type {const} */ (["busy", "idle", "free", "foreign", "out"]);

/** @type {Record<typeof USES[number] | "unknown", string>} */
export const USE_WORDS = {
  busy: "busy",
  idle: "held, 0 %",
  free: "free",
  foreign: "used by others",
  out: "out",
  unknown: "not known",
};

/**
 * @param {any} gpu
 * @param {boolean} isSilent whether its node does not answer
 * @returns {typeof USES[number] | "unknown"} unknown only of a moment of the past
 */
export function useOf(gpu, isSilent) {
  if (isSilent || gpu.health === "lost" || ["unfit", "draining", "resting"].includes(gpu.state)) {
    return gpu.holders?.length && !isSilent && gpu.health !== "lost" ? "busy" : "out";
  }
  if (gpu.holders?.length) {
    return gpu.utilization === 0 ? "idle" : "busy";
  }
  if (gpu.state === "unknown") {
    return "unknown";
  }
  return gpu.state === "occupied" || gpu.state === "taken" ? "foreign" : "free";
}

/**
 * The memory of a GPU by who has it: what jobs use, what others use, what is lent and not used, and
 * that of which nobody says whether it is used. The rest is free.
 * @param {any} gpu
 * @returns {Piece[]}
 */
export function memoryPieces(gpu) {
  const total = gpu.memoryBytes;
  if (!isKnown(total) || total <= 0) {
    return [];
  }
  /** @type {Map<number, {used: number, lent: number, unknown: number}>} */
  const shares = new Map();
  const known = sum((gpu.holders ?? []).map((/** @type {any} */ one) => one.usedBytes ?? 0));
  const used = isKnown(gpu.usedBytes) ? Math.max(known, gpu.usedBytes) : known;
  for (const holder of gpu.holders ?? []) {
    const share = shares.get(holder.job) ?? { used: 0, lent: 0, unknown: 0 };
    if (isKnown(holder.usedBytes)) {
      share.used += holder.usedBytes;
      // of a whole GPU, memory that others use is not lent to the job
      share.lent += Math.max(0, holder.whole ? total - used : (holder.reservedBytes ?? 0) - holder.usedBytes);
    } else {
      share.unknown += holder.whole ? total - known - (gpu.otherBytes ?? 0) : (holder.reservedBytes ?? 0);
    }
    shares.set(holder.job, share);
  }
  const unsaid = sum([...shares.values()].map((share) => share.unknown));
  /** @type {Piece[]} */
  const pieces = [];
  const add = (/** @type {Piece["kind"]} */ kind, /** @type {number} */ job, /** @type {number} */ size) => {
    if (size > 0) {
      pieces.push({ kind, job, share: Math.min(1, size / total), bytes: size });
    }
  };
  shares.forEach((share, job) => add("used", job, share.used));
  shares.forEach((share, job) => add("unknown", job, share.unknown));
  if (isKnown(gpu.otherBytes)) {
    add("foreign", 0, gpu.otherBytes);
  } else {
    // without any reading the rest of it, too
    add("unknown", 0, (isKnown(gpu.usedBytes) ? used : total - sum([...shares.values()].map((share) => share.lent))) - known - unsaid);
  }
  shares.forEach((share, job) => add("lent", job, share.lent));
  return pieces;
}

/** @param {number[]} numbers */
function sum(numbers) {
  return numbers.reduce((all, one) => all + one, 0);
}

/**
 * What the colour of a cell says, from 0 to 1; null if it is not known.
 * @param {any} gpu
 * @param {any} node
 * @param {string} metric use, memory, power or age
 * @param {number} now by the server's clock, in seconds
 * @returns {number | null}
 */
export function level(gpu, node, metric, now) {
  if (node?.state === "silent" && metric !== "age") {
    return null;
  }
  switch (metric) {
    case "memory":
      return isKnown(gpu.usedBytes) && gpu.memoryBytes ? clamp(gpu.usedBytes / gpu.memoryBytes) : null;
    case "power":
      return isKnown(gpu.powerWatts) && gpu.powerLimitWatts
        ? clamp(gpu.powerWatts / gpu.powerLimitWatts)
        : null;
    case "age": {
      const age = ageOf(node, now);
      return age === null ? null : clamp(age / 30);
    }
    default:
      return isKnown(gpu.utilization) ? clamp(gpu.utilization / 100) : null;
  }
}

/** @param {number} value */
function clamp(value) {
  return Math.min(1, Math.max(0, value));
}

/**
 * Seconds since the readings of a node were taken; null before the first.
 * @param {any} node
 * @param {number} now
 */
export function ageOf(node, now) {
  const at = seconds(node?.sampledAt);
  return at === null ? null : Math.max(0, now - at);
}

/**
 * @param {any} gpu
 * @param {any} node
 * @param {string} metric
 * @param {number} now
 * @returns {string}
 */
export function levelText(gpu, node, metric, now) {
  const silent = node?.state === "silent";
  switch (metric) {
    case "memory":
      return silent ? "–" : bytes(gpu.usedBytes);
    case "power":
      return amount(silent ? null : gpu.powerWatts, " W");
    case "age":
      return span(ageOf(node, now));
    default:
      return amount(silent ? null : gpu.utilization, " %");
  }
}

/**
 * A GPU in one sentence.
 * @param {any} gpu
 * @param {any} node
 * @param {number} now
 */
export function wordsOfGpu(gpu, node, now) {
  const isSilent = node?.state === "silent";
  const jobs = [...new Set((gpu.holders ?? []).map((/** @type {any} */ one) => one.job))];
  const parts = [
    `${gpu.node} GPU ${gpu.number ?? "?"}`,
    USE_WORDS[useOf(gpu, isSilent)],
    isSilent ? "its node does not answer" : `use ${levelText(gpu, node, "use", now)}`,
    `${bytes(isSilent ? null : gpu.usedBytes)} of ${bytes(gpu.memoryBytes)}`,
    isSilent ? "" : amount(gpu.powerWatts, " W"),
    jobs.length ? `job${jobs.length > 1 ? "s" : ""} ${jobs.join(", ")}` : "no job",
    gpu.note ?? "",
  ];
  return parts.filter((part) => part && part !== UNKNOWN).join(" · ");
}
