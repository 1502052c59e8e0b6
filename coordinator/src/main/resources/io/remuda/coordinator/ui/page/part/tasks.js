// @ts-check
/** The tasks of a job with their attempts; one is chosen, whose output is shown. */
import { writeAddress } from "../lib/address.js";
import { fill, h, setText } from "../lib/dom.js";
import { amount, bytes, isKnown, span, UNKNOWN } from "../lib/text.js";
import { timeElement } from "../lib/time.js";
import { Pages } from "./pages.js";
import { stateElement } from "./state.js";

const ROWS = 25;
const COLUMNS = [
  ["Task", ""],
  ["Attempt", "number"],
  ["State", ""],
  ["Node", ""],
  ["On GPU", ""],
  ["Started", ""],
  ["Ran", "number"],
  ["Busy", "number"],
  ["GPU memory", "number"],
  ["Memory", "number"],
  ["How it ended", ""],
];

export class Tasks {
  /** @param {(task: number) => void} onTask */
  constructor(onTask) {
    this.onTask = onTask;
    this.pages = new Pages(ROWS, () => this.draw());
    this.body = h("tbody");
    this.note = h("p", { class: "soft small" });
    this.title = h("h2", { id: "tasks-title" }, "Attempts");
    this.element = h(
      "section",
      { class: "block", "aria-labelledby": "tasks-title" },
      this.title,
      h(
        "div",
        { class: "scroll", tabindex: "0", role: "region", "aria-label": "Attempts as a table" },
        h("table", {}, h("thead", {}, h("tr", {}, COLUMNS.map(([one, name]) => h("th", { scope: "col", class: name }, one)))), this.body),
        this.pages.element,
      ),
      this.note,
    );
    /** @type {any[]} */
    this.tasks = [];
    this.task = 0;
    this.now = 0;
    /** @type {Map<string, any>} GPUs by UUID */
    this.gpus = new Map();
  }

  /**
   * @param {any[]} tasks
   * @param {number} task that is chosen
   * @param {number} now
   * @param {string} note what is left out
   * @param {any[]} gpus of the cluster
   */
  set(tasks, task, now, note, gpus) {
    this.gpus = new Map(gpus.map((gpu) => [gpu.uuid, gpu]));
    setText(this.note, note);
    this.note.hidden = note === "";
    this.tasks = tasks;
    this.task = task;
    this.now = now;
    this.draw();
  }

  draw() {
    const rows = this.tasks.flatMap((task) => [
      ...(task.earlier ?? []).map((/** @type {any} */ earlier) => ({ task, attempt: earlier, isEarlier: true })),
      { task, attempt: task, isEarlier: false },
    ]);
    fill(
      this.body,
      rows.length === 0
        ? h("tr", {}, h("td", { colspan: "11", class: "soft" }, "No task was placed yet."))
        : this.pages.of(rows).map((row) => this.row(row)),
    );
  }

  /** A GPU with the way to its tile; one that is not there any more by its UUID. @param {string} uuid */
  gpu(uuid) {
    const gpu = this.gpus.get(uuid);
    return gpu ? h("a", { href: writeAddress("cluster", [], { gpu: uuid }), title: uuid }, `${gpu.node}:${gpu.number}`) : h("span", { title: uuid }, `${uuid.slice(0, 12)}…`);
  }

  /** @param {{task: any, attempt: any, isEarlier: boolean}} row */
  row({ task, attempt, isEarlier }) {
    const from = attempt.startedAt ? Date.parse(attempt.startedAt) / 1000 : null;
    const to = attempt.endedAt ? Date.parse(attempt.endedAt) / 1000 : this.now;
    const chosen = task.index === this.task && !isEarlier;
    const end = [attempt.cause, isKnown(attempt.exitCode) && attempt.exitCode !== 0 ? `exit code ${attempt.exitCode}` : "", isKnown(attempt.signal) ? `signal ${attempt.signal}` : ""];
    return h(
      "tr",
      { class: chosen ? "chosen" : isEarlier ? "soft" : "", "aria-current": chosen ? "true" : null },
      h("td", {}, isEarlier ? task.index : h("button", { type: "button", class: "link", "aria-label": `Output of task ${task.index}`, on: { click: () => this.onTask(task.index) } }, task.arrayIndex ?? task.index)),
      h("td", { class: "number" }, attempt.attempt ?? ""),
      h("td", {}, isEarlier ? "ended" : stateElement(task.state)),
      h("td", {}, attempt.node ?? UNKNOWN),
      h("td", {}, (attempt.devices ?? []).map((/** @type {string} */ uuid, /** @type {number} */ at) => [at ? ", " : "", this.gpu(uuid)]).flat()),
      h("td", {}, timeElement(attempt.startedAt, { seconds: true })),
      h("td", { class: "number" }, from === null ? UNKNOWN : span(to - from)),
      h("td", { class: "number" }, amount(isEarlier ? null : task.gpuPercent, " %")),
      h("td", { class: "number" }, bytes(isEarlier ? null : task.gpuPeakBytes)),
      h("td", { class: "number" }, bytes(isEarlier ? null : task.peakRssBytes)),
      h("td", { class: "soft ended" }, end.filter(Boolean).join(", ")),
    );
  }
}
