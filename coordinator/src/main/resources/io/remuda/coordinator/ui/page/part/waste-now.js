// @ts-check
/** What is wasted at this moment, out of the picture of the cluster. */
import { useOf } from "../lib/gpu.js";
import { bytes, isKnown } from "../lib/text.js";

const MUCH = 8 * 2 ** 30;

/** @typedef {{what: string, where: string, job: number, whose: string, size: string, command: string, hint: string, weight: number}} Waste */

/**
 * @param {import("../lib/feed.js").Snapshot} snapshot
 * @returns {Waste[]} the worst first
 */
export function wasteNow(snapshot) {
  const nodes = new Map(snapshot.nodes.map((node) => [node.name, node]));
  const jobs = new Map(snapshot.jobs.map((job) => [job.id, job]));
  const rows = snapshot.gpus.flatMap((gpu) => {
    const isSilent = nodes.get(gpu.node)?.state === "silent";
    return isSilent ? [] : [...idle(gpu, jobs), ...unused(gpu, jobs), ...strangers(gpu)];
  });
  return rows.sort((a, b) => b.weight - a.weight);
}

/** @param {any} gpu */
function where(gpu) {
  return `${gpu.node}:${gpu.number ?? "?"}`;
}

/** @param {number} id @param {Map<number, any>} jobs */
function whose(id, jobs) {
  const job = jobs.get(id);
  return job ? `${job.name} of ${job.user}` : "";
}

/** @param {any} gpu @param {Map<number, any>} jobs @returns {Waste[]} */
function idle(gpu, jobs) {
  if (useOf(gpu, false) !== "idle") {
    return [];
  }
  return gpu.holders.map((/** @type {any} */ holder) => ({
    what: "held, 0 % busy",
    where: where(gpu),
    job: holder.job,
    whose: whose(holder.job, jobs),
    size: holder.whole ? "a whole GPU" : bytes(holder.reservedBytes),
    command: `remuda logs ${holder.job}`,
    hint: "says what it does; it may be loading, or over",
    weight: 3e12 + (holder.reservedBytes ?? 0),
  }));
}

/** Memory that is lent and not used, of jobs that are busy. @param {any} gpu @param {Map<number, any>} jobs @returns {Waste[]} */
function unused(gpu, jobs) {
  return gpu.holders
    .filter((/** @type {any} */ one) => !one.whole && isKnown(one.usedBytes) && isKnown(one.reservedBytes))
    .filter((/** @type {any} */ one) => one.reservedBytes - one.usedBytes > Math.max(MUCH, one.reservedBytes / 2))
    .map((/** @type {any} */ one) => ({
      what: "memory lent, not used",
      where: where(gpu),
      job: one.job,
      whose: whose(one.job, jobs),
      size: `${bytes(one.reservedBytes - one.usedBytes)} of ${bytes(one.reservedBytes)}`,
      command: "--gpu-mem auto",
      hint: "at the next submission measures what it needs",
      weight: 1e12 + one.reservedBytes - one.usedBytes,
    }));
}

/** @param {any} gpu @returns {Waste[]} */
function strangers(gpu) {
  if (!isKnown(gpu.otherBytes) || gpu.otherBytes < 2 ** 28) {
    return [];
  }
  const named = gpu.strangers?.length
    ? gpu.strangers.map((/** @type {any} */ one) => `${one.command ?? "a process"} (pid ${one.pid}) of ${one.user ?? "somebody"}`).join(", ")
    : (gpu.note ?? "");
  return [
    {
      what: "used by no job",
      where: where(gpu),
      job: 0,
      whose: named,
      size: bytes(gpu.otherBytes),
      command: "remuda run --gpus 1 -- …",
      hint: "is how they would get it without a clash",
      weight: 2e12 + gpu.otherBytes,
    },
  ];
}
