// @ts-check
/** One GPU with all that is known of it, beside the wall. */
import { writeAddress } from "../lib/address.js";
import { fill, h } from "../lib/dom.js";
import { ageOf, levelText, useOf, USE_WORDS } from "../lib/gpu.js";
import { hueOf, letter } from "../lib/letters.js";
import { amount, bytes, isKnown, span } from "../lib/text.js";
import { memoryBar } from "./memory-bar.js";

/**
 * @param {HTMLElement} element
 * @param {any} gpu
 * @param {import("./wall-layout.js").WallData} data
 * @param {import("../lib/feed.js").Snapshot | null} snapshot
 * @param {() => void} onClose
 */
export function gpuDetails(element, gpu, data, snapshot, onClose) {
  const node = data.nodeOf.get(gpu.node);
  const isSilent = node?.state === "silent";
  const use = useOf(gpu, isSilent);
  const jobs = new Map((snapshot?.jobs ?? []).map((job) => [job.id, job]));
  const isFocused = element.contains(document.activeElement);
  const close = h("button", { type: "button", class: "quiet", "aria-label": "Close", on: { click: onClose } }, "×");
  fill(
    element,
    h("div", { class: "details-head" }, h("h2", {}, `${gpu.node} · GPU ${gpu.number ?? "?"}`), close),
    h("p", { class: "soft" }, `${gpu.model}, `, use === "idle" ? wasteLink(gpu) : USE_WORDS[use]),
    memoryBar(gpu, data.places),
    h(
      "dl",
      { class: "facts" },
      fact("Use", levelText(gpu, node, "use", data.now)),
      fact("Memory", `${bytes(isSilent ? null : gpu.usedBytes)} of ${bytes(gpu.memoryBytes)}`),
      isKnown(gpu.freeBytes) ? fact("Free to lend", bytes(gpu.freeBytes)) : null, // the stream does not say
      fact("Power", `${amount(isSilent ? null : gpu.powerWatts, " W")} of ${amount(gpu.powerLimitWatts, " W")}`),
      fact("Temperature", amount(isSilent ? null : gpu.temperatureCelsius, " °C")),
      fact("Health", gpu.health ?? "–"),
      fact("Reading", `${span(ageOf(node, data.now))} old`),
      fact("UUID", h("span", { class: "mono small" }, gpu.uuid)),
    ),
    gpu.drainReason || gpu.note ? h("p", { class: "note" }, `⚠ ${gpu.drainReason ?? gpu.note}`) : null,
    h("h3", {}, gpu.holders.length ? "Held by" : "Nobody holds it"),
    h(
      "ul",
      { class: "plain" },
      gpu.holders.map((/** @type {any} */ holder) => {
        const job = jobs.get(holder.job);
        return h(
          "li",
          {},
          h("span", { class: "letter", data: { hue: String(hueOf(holder.job)) } }, letter(data.places.get(holder.job))),
          " ",
          h("a", { href: writeAddress("job", [holder.job]) }, `job ${holder.job}`),
          job ? ` ${job.name} of ${job.user}` : "",
          h("span", { class: "soft" }, `: uses ${bytes(holder.usedBytes)} of ${holder.whole ? "all" : bytes(holder.reservedBytes)}`),
        );
      }),
      (gpu.strangers ?? []).map((/** @type {any} */ one) =>
        h("li", {}, h("span", { class: "letter foreign" }, "#"), ` ${one.command ?? "a process"} (pid ${one.pid}) of ${one.user ?? "somebody"}`, h("span", { class: "soft" }, `: ${bytes(one.bytes)}, no job of this server`)),
      ),
    ),
  );
  if (isFocused) {
    close.focus();
  }
}

/** The way from a GPU that is held and idle to what mends it. @param {any} gpu */
export function wasteLink(gpu) {
  return h("a", { href: writeAddress("people", [], { gpu: `${gpu.node}:${gpu.number}` }) }, USE_WORDS.idle);
}

/** @param {string} name @param {string | Node} value */
function fact(name, value) {
  return h("div", {}, h("dt", {}, name), h("dd", {}, value));
}
