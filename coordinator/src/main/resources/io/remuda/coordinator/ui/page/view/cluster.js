// @ts-check
/** Nodes × GPUs: what each does, who has its memory; and the jobs that have not ended. */
import { writeAddress } from "../lib/address.js";
import { fill, h, setText } from "../lib/dom.js";
import { useOf, wordsOfGpu } from "../lib/gpu.js";
import { lettersNow } from "../lib/letters.js";
import { bytes, counted } from "../lib/text.js";
import { Drawing } from "../part/drawing.js";
import { gpuDetails } from "../part/gpu-details.js";
import { GpuTable } from "../part/gpu-table.js";
import { headline } from "../part/headline.js";
import { LiveJobs } from "../part/live-jobs.js";
import { choice, filterField } from "../part/tools.js";
import { Wall } from "../part/wall.js";

const METRICS = [
  ["use", "Use"],
  ["memory", "Memory"],
  ["power", "Power"],
  ["age", "Reading"],
];

/** @type {import("../lib/view.js").View} */
export const view = {
  name: "cluster",
  title: "Cluster",
  open(root, page) {
    return new ClusterView(root, page);
  },
};

class ClusterView {
  /** @param {HTMLElement} root @param {import("../lib/view.js").Page} page */
  constructor(root, page) {
    this.page = page;
    this.params = new URLSearchParams();
    this.chosen = "";
    /** @type {import("../part/wall-layout.js").WallData | null} */
    this.data = null;
    this.head = h("section", { class: "headline", "aria-label": "At a glance" });
    this.metric = choice("Colour", METRICS, (value) => page.setParams({ metric: value === "use" ? "" : value }));
    this.shape = choice("Show", [["wall", "Wall"], ["table", "Table"]], (value) =>
      page.setParams({ show: value === "wall" ? "" : value }),
    );
    this.filter = filterField("node, model, job, user", (text) => page.setParams({ filter: text }));
    this.count = h("span", { class: "soft count" });
    this.wall = new Wall((index, isChosen) => this.onCursor(index, isChosen));
    this.words = h("p", { class: "wall-words", id: "wall-words", "aria-live": "polite" });
    this.table = new GpuTable();
    this.facts = h("div");
    this.curve = new Drawing("The last quarter of an hour");
    this.details = h("aside", { class: "details", "aria-label": "The chosen GPU", tabindex: "0", hidden: true }, this.facts, this.curve.element);
    this.notes = h("ul", { class: "notes" });
    this.jobs = new LiveJobs();
    this.legend = h("p", { class: "legend soft" });
    this.empty = h("div", { class: "empty", hidden: true });
    this.panel = h(
      "div",
      { class: "split" },
      h("div", { class: "split-main" }, this.wall.element, this.table.element, this.words, this.legend),
      this.details,
    );
    fill(
      root,
      h("h1", { class: "sr" }, "Cluster"),
      this.head,
      h("div", { class: "tools" }, this.metric.element, this.shape.element, this.filter.element, this.count),
      this.notes,
      this.empty,
      this.panel,
      this.jobs.element,
    );
    this.off = page.feed.on(() => this.update());
    this.onKey = (/** @type {KeyboardEvent} */ event) => this.key(event);
    addEventListener("keydown", this.onKey);
  }

  /** @param {import("../lib/address.js").Address} address */
  show(address) {
    this.params = address.params;
    this.metric.set(this.params.get("metric") ?? "use");
    this.shape.set(this.params.get("show") ?? "wall");
    this.filter.set(this.params.get("filter") ?? "");
    this.chosen = this.params.get("gpu") ?? "";
    this.update();
  }

  close() {
    this.off();
    removeEventListener("keydown", this.onKey);
    this.wall.close();
    this.jobs.close();
    this.curve.close();
  }

  update() {
    const snapshot = this.page.feed.latest;
    if (!snapshot) {
      return;
    }
    this.data = this.dataOf(snapshot);
    const isTable = this.params.get("show") === "table";
    this.wall.element.hidden = isTable;
    this.table.element.hidden = !isTable;
    this.words.hidden = isTable;
    if (isTable) {
      this.table.set(this.data);
    } else {
      this.wall.set(this.data);
    }
    fill(this.head, headline(snapshot, this.data.nodeOf, this.params.get("is") ?? ""));
    this.showNotes(snapshot);
    this.showEmpty(snapshot);
    this.showDetails();
    setText(
      this.count,
      this.data.shown.length === snapshot.gpus.length
        ? `${counted(snapshot.gpus.length, "GPU")} on ${counted(snapshot.nodes.length, "node")}`
        : `${this.data.shown.length} of ${counted(snapshot.gpus.length, "GPU")}`,
    );
    setText(
      this.legend,
      "Bar: memory by job, with the letter and colour that the table of jobs has: a capital on what it uses, a small letter, pale, on what is lent to it and not used; # what others use, ? of which nobody knows. Hatched: no reading.",
    );
    this.jobs.set(this.page.feed, this.data.places, this.jobFilter());
  }

  /** Which jobs are shown below the wall: those with the words of the filter, or with a GPU that has them. */
  jobFilter() {
    const wanted = this.wanted();
    if (wanted.length === 0) {
      return null;
    }
    const holders = new Set(this.data?.shown.flatMap((index) => this.data?.jobsOf(index) ?? []));
    return (/** @type {any} */ job) => {
      const text = [job.id, job.name, job.user, job.state, job.reason, ...(job.nodes ?? [])].join(" ").toLowerCase();
      return holders.has(job.id) || wanted.every((word) => text.includes(word));
    };
  }

  /** The words of the filter. */
  wanted() {
    return (this.params.get("filter") ?? "").toLowerCase().split(/\s+/).filter(Boolean);
  }

  /** @param {import("../lib/feed.js").Snapshot} snapshot */
  dataOf(snapshot) {
    const nodeOf = new Map(snapshot.nodes.map((node) => [node.name, node]));
    const places = lettersNow(snapshot);
    const users = new Map(snapshot.jobs.map((job) => [job.id, job]));
    const wanted = this.wanted();
    const use = this.params.get("is") ?? "";
    const shown = snapshot.gpus
      .map((gpu, index) => ({ gpu, index }))
      .filter(({ gpu }) => !use || useOf(gpu, nodeOf.get(gpu.node)?.state === "silent") === use)
      .filter(({ gpu }) => {
        const text = textOf(gpu, users);
        return wanted.every((word) => text.includes(word));
      })
      .map(({ index }) => index);
    return {
      nodes: snapshot.nodes,
      gpus: snapshot.gpus,
      nodeOf,
      shown,
      metric: this.params.get("metric") ?? "use",
      now: this.page.feed.now(),
      places,
      jobOf: users,
      jobsOf: (/** @type {number} */ index) =>
        snapshot.gpus[index]?.holders.map((/** @type {any} */ one) => one.job) ?? [],
    };
  }

  /** @param {number} index @param {boolean} isChosen */
  onCursor(index, isChosen) {
    const gpu = this.data?.gpus[index];
    if (!gpu || !this.data) {
      setText(this.words, "");
      return;
    }
    setText(this.words, wordsOfGpu(gpu, this.data.nodeOf.get(gpu.node), this.data.now));
    if (isChosen) {
      this.page.setParams({ gpu: gpu.uuid === this.chosen ? "" : gpu.uuid });
    }
  }

  /** @param {KeyboardEvent} event */
  key(event) {
    const target = /** @type {HTMLElement} */ (event.target);
    if (event.key === "Escape" && this.chosen && !target.matches("input") && !document.querySelector("dialog[open]")) {
      this.closeDetails();
    }
  }

  /** The focus goes from the panel to where it was opened. */
  closeDetails() {
    const isWithin = this.details.contains(document.activeElement);
    this.page.setParams({ gpu: "" });
    if (isWithin) {
      this.wall.canvas.focus({ preventScroll: true });
    }
  }

  showDetails() {
    const gpu = this.data?.gpus.find((one) => one.uuid === this.chosen);
    this.details.hidden = !gpu;
    if (gpu && this.data) {
      this.curve.show("gpu", { name: gpu.uuid, since: "15m" }, 5000);
      gpuDetails(this.facts, gpu, this.data, this.page.feed.latest, () => this.closeDetails());
    }
  }

  /** Nodes with the same trouble share a line. @param {import("../lib/feed.js").Snapshot} snapshot */
  showNotes(snapshot) {
    /** @type {Map<string, string[]>} */
    const troubles = new Map();
    for (const node of snapshot.nodes) {
      if (node.state !== "ready" || node.note) {
        const trouble = [node.state === "ready" ? "" : node.state, node.note ?? ""].filter(Boolean).join(": ");
        troubles.set(trouble, [...(troubles.get(trouble) ?? []), node.name]);
      }
    }
    fill(
      this.notes,
      [...troubles].slice(0, 6).map(([trouble, names]) =>
        h("li", {}, "⚠ ", h("strong", {}, names.slice(0, 12).join(", ")), names.length > 12 ? ` and ${names.length - 12} more` : "", ` – ${trouble}`),
      ),
      troubles.size > 6 ? h("li", {}, `and ${counted(troubles.size - 6, "more trouble")}: see remuda nodes`) : null,
    );
    this.notes.hidden = troubles.size === 0;
  }

  /** @param {import("../lib/feed.js").Snapshot} snapshot */
  showEmpty(snapshot) {
    const none = snapshot.gpus.length === 0;
    const filtered = !none && this.data?.shown.length === 0;
    this.empty.hidden = !none && !filtered;
    this.panel.hidden = none;
    if (snapshot.nodes.length === 0) {
      fill(this.empty, h("h2", {}, "No node yet"), h("p", {}, "On each machine: ", h("code", {}, "remuda agent --join access.json"), ". It is here as soon as it has joined."));
    } else if (none) {
      fill(
        this.empty,
        h("h2", {}, `${counted(snapshot.nodes.length, "node")}, no GPU`),
        h("p", {}, "Jobs without GPUs run here. ", h("code", {}, "remuda doctor"), " on a node says why it finds no GPU."),
        nodeTable(snapshot.nodes),
      );
    } else if (filtered) {
      fill(this.empty, h("p", {}, "No GPU is like that. ", h("a", { href: writeAddress("cluster") }, "Show all")));
    }
  }
}

/** @param {any} gpu @param {Map<number, any>} jobs */
function textOf(gpu, jobs) {
  const holders = gpu.holders.map((/** @type {any} */ one) => {
    const job = jobs.get(one.job);
    return `${one.job} ${job?.name ?? ""} ${job?.user ?? ""}`;
  });
  return [gpu.node, gpu.model, gpu.uuid, gpu.state, ...holders].join(" ").toLowerCase();
}

/** @param {any[]} nodes */
function nodeTable(nodes) {
  return h(
    "table",
    {},
    h("thead", {}, h("tr", {}, ["Node", "State", "CPUs", "Memory", "Tasks"].map((one) => h("th", { scope: "col" }, one)))),
    h(
      "tbody",
      {},
      nodes.map((node) =>
        h("tr", {}, h("th", { scope: "row" }, node.name), h("td", {}, node.state), h("td", { class: "number" }, node.cpus), h("td", { class: "number" }, bytes(node.memoryBytes)), h("td", { class: "number" }, node.tasks)),
      ),
    ),
  );
}
