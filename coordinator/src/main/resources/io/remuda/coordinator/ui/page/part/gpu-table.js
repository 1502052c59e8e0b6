// @ts-check
/** The wall as a table, for readers of words. */
import { writeAddress } from "../lib/address.js";
import { fill, h } from "../lib/dom.js";
import { ageOf, useOf, USE_WORDS } from "../lib/gpu.js";
import { amount, bytes, span } from "../lib/text.js";
import { wasteLink } from "./gpu-details.js";
import { memoryBar } from "./memory-bar.js";
import { Pages } from "./pages.js";

const COLUMNS = ["Node", "GPU", "Is", "Use", "Memory", "", "Power", "Temp.", "Jobs", "User", "Reading"];
const NUMBERS = ["GPU", "Use", "Memory", "Power", "Temp.", "Reading"];
const ROWS = 50;

export class GpuTable {
  constructor() {
    this.pages = new Pages(ROWS, () => this.data && this.set(this.data));
    this.body = h("tbody");
    /** @type {import("./wall-layout.js").WallData | null} */
    this.data = null;
    this.element = h(
      "div",
      { class: "scroll", tabindex: "0", role: "region", "aria-label": "GPUs as a table" },
      h(
        "table",
        { class: "gpus" },
        h("caption", { class: "sr" }, "GPUs"),
        h("thead", {}, h("tr", {}, COLUMNS.map((one) => (one ? h("th", { scope: "col", class: NUMBERS.includes(one) ? "number" : "" }, one) : h("td"))))),
        this.body,
      ),
      this.pages.element,
    );
  }

  /** @param {import("./wall-layout.js").WallData} data */
  set(data) {
    this.data = data;
    fill(this.body, this.pages.of(data.shown).map((index) => this.row(data.gpus[index], data)));
  }

  /** @param {any} gpu @param {import("./wall-layout.js").WallData} data */
  row(gpu, data) {
    const node = data.nodeOf.get(gpu.node);
    const isSilent = node?.state === "silent";
    const use = useOf(gpu, isSilent);
    const jobs = [...new Set(gpu.holders.map((/** @type {any} */ one) => one.job))];
    const users = [...new Set(jobs.map((job) => data.jobOf?.get(job)?.user).filter(Boolean))];
    return h(
      "tr",
      {},
      h("th", { scope: "row" }, gpu.node),
      h("td", { class: "number" }, gpu.number ?? "?"),
      h("td", {}, use === "idle" ? wasteLink(gpu) : USE_WORDS[use]),
      h("td", { class: "number" }, amount(isSilent ? null : gpu.utilization, " %")),
      h("td", { class: "number" }, `${bytes(isSilent ? null : gpu.usedBytes)} of ${bytes(gpu.memoryBytes)}`),
      h("td", { class: "bar" }, memoryBar(gpu, data.places)),
      h("td", { class: "number" }, amount(isSilent ? null : gpu.powerWatts, " W")),
      h("td", { class: "number" }, amount(isSilent ? null : gpu.temperatureCelsius, " °C")),
      h("td", {}, jobs.map((job, at) => [at ? ", " : "", h("a", { href: writeAddress("job", [/** @type {number} */ (job)]) }, job)]).flat()),
      h("td", {}, users.join(", ")),
      h("td", { class: "number" }, span(ageOf(node, data.now))),
    );
  }
}
