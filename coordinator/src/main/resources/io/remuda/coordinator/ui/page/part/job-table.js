// @ts-check
/** A table of jobs whose rows stay the same elements while their values change. */
import { writeAddress } from "../lib/address.js";
import { fill, h, setText } from "../lib/dom.js";
import { endWords, isOver, needsWords, placeOf, progressWords, ranSeconds, waitedSeconds } from "../lib/job.js";
import { isKnown, seconds, span, UNKNOWN } from "../lib/text.js";
import { clock, expectedClock, inFull } from "../lib/time.js";
import { Pages } from "./pages.js";
import { stateElement } from "./state.js";

const ROWS = 100;

/** What a column is sorted by, as it is shown; null for none. @type {Record<string, (job: any, now: number) => any>} */
export const SORTS = {
  place: (job) => [placeOf(job.state), job.turn ?? null],
  job: (job) => job.id,
  name: (job) => job.name ?? "",
  user: (job) => job.user ?? "",
  state: (job) => job.state,
  turn: (job) => job.turn ?? null,
  start: (job) => seconds(job.startedAt ?? job.expectedStartAt),
  wait: waitedSeconds,
  ran: (job, now) => (job.startedAt ? ranSeconds(job, now) : null),
  needs: (job) => (job.needs ? (job.needs.gpus ?? 0) : null),
};

/** Columns of which the greatest is first at the first press. */
export const GREATEST_FIRST = ["wait", "ran", "needs"];

/** Columns with the sort that their head has. */
const COLUMNS = [
  ["job", "Job", "number"],
  ["name", "Name", ""],
  ["user", "User", ""],
  ["state", "State", ""],
  ["turn", "Turn", "number"],
  ["start", "Start", ""],
  ["wait", "Waited", "number"],
  ["ran", "Ran", "number"],
  ["needs", "Each task wants", ""],
  ["", "Why, or how far", ""],
];

/** @typedef {{row: HTMLElement, box: HTMLInputElement, cells: HTMLElement[], cancel: HTMLElement, job: any}} Row */

export class JobTable {
  /** @param {{onSort: (name: string) => void, onChoice: () => void, onCancel: (job: any) => void}} listeners */
  constructor(listeners) {
    this.listeners = listeners;
    /** @type {Map<number, Row>} */
    this.rows = new Map();
    /** @type {Set<number>} */
    this.picked = new Set();
    /** @type {any[]} */
    this.jobs = [];
    this.pages = new Pages(ROWS, () => this.draw());
    this.all = h("input", { type: "checkbox", "aria-label": "Choose all that are shown", on: { change: () => this.chooseAll() } });
    this.heads = COLUMNS.map(([sort, words, name]) =>
      h(
        "th",
        { scope: "col", class: name },
        sort
          ? h("button", { type: "button", class: "sort", on: { click: () => listeners.onSort(sort) } }, words)
          : words,
      ),
    );
    this.body = h("tbody");
    this.element = h(
      "div",
      { class: "scroll", tabindex: "0", role: "region", "aria-label": "Jobs as a table" },
      h("table", { class: "jobs" }, h("thead", {}, h("tr", {}, h("td", {}, this.all), this.heads, h("td"))), this.body),
      this.pages.element,
    );
    this.now = 0;
  }

  /** @param {any[]} jobs @param {string} by @param {number} direction @param {number} now */
  set(jobs, by, direction, now) {
    this.jobs = jobs;
    this.now = now;
    COLUMNS.forEach(([sort], at) => {
      const is = sort === by ? (direction > 0 ? "ascending" : "descending") : null;
      if (is) {
        this.heads[at].setAttribute("aria-sort", is);
      } else {
        this.heads[at].removeAttribute("aria-sort");
      }
    });
    const known = new Set(jobs.map((job) => job.id));
    this.picked.forEach((id) => known.has(id) || this.picked.delete(id));
    this.draw();
  }

  draw() {
    const shown = this.pages.of(this.jobs);
    const kept = new Set(shown.map((job) => job.id));
    for (const id of [...this.rows.keys()]) {
      if (!kept.has(id)) {
        this.rows.get(id)?.row.remove();
        this.rows.delete(id);
      }
    }
    shown.forEach((job, at) => {
      const row = this.rows.get(job.id) ?? this.newRow(job);
      this.update(row, job);
      // rows that are in their place already are not moved, so that no focus is lost
      if (this.body.children[at] !== row.row) {
        this.body.insertBefore(row.row, this.body.children[at] ?? null);
      }
    });
    this.showAll();
  }

  /** @param {any} job @returns {Row} */
  newRow(job) {
    const box = h("input", {
      type: "checkbox",
      "aria-label": `Choose job ${job.id}`,
      on: {
        change: () => {
          box.checked ? this.picked.add(job.id) : this.picked.delete(job.id);
          this.showAll();
          this.listeners.onChoice();
        },
      },
    });
    const cells = COLUMNS.map(([sort, , name]) => h("td", { class: `${name} column-${sort || "why"}` }));
    const cancel = h(
      "button",
      { type: "button", class: "row-action", title: `Cancel job ${job.id}`, "aria-label": `Cancel job ${job.id}`, on: { click: () => this.listeners.onCancel(this.rows.get(job.id)?.job ?? job) } },
      "✕",
    );
    const row = { row: h("tr", {}, h("td", {}, box), cells, h("td", {}, cancel)), box, cells, cancel, job };
    fill(cells[0], h("a", { href: writeAddress("job", [job.id]) }, job.id));
    this.rows.set(job.id, row);
    return row;
  }

  /** @param {Row} row @param {any} job */
  update(row, job) {
    const [, name, user, state, turn, start, wait, ran, needs, why] = row.cells;
    row.job = job;
    row.box.checked = this.picked.has(job.id);
    setText(name, job.name ?? "");
    setText(user, job.user ?? "");
    if (state.textContent !== job.state) {
      fill(state, stateElement(job.state));
    }
    setText(turn, isKnown(job.turn) ? String(job.turn) : "");
    const begun = job.startedAt;
    setText(start, begun ? clock(begun) : job.expectedStartAt ? expectedClock(job) : isOver(job.state) ? "" : UNKNOWN);
    start.title = begun ? `started ${inFull(begun)}` : job.expectedStartAt ? `expected ${inFull(job.expectedStartAt)}, by what is known of the tasks that run` : "";
    start.classList.toggle("soft", !begun);
    setText(wait, span(waitedSeconds(job, this.now)));
    wait.title = `submitted ${inFull(job.submittedAt)}`;
    setText(ran, begun ? span(ranSeconds(job, this.now)) : "");
    setText(needs, needsWords(job.needs));
    setText(why, [progressWords(job), endWords(job), job.reason, (job.nodes ?? []).length ? `on ${job.nodes.join(", ")}${job.nodesMore ? ` and ${job.nodesMore} more` : ""}` : ""].filter(Boolean).join(" · "));
    row.cancel.hidden = isOver(job.state);
  }

  /** The chosen jobs that are shown. */
  chosen() {
    return this.jobs.filter((job) => this.picked.has(job.id));
  }

  chooseAll() {
    const chosen = this.all.checked;
    this.jobs.forEach((job) => (chosen ? this.picked.add(job.id) : this.picked.delete(job.id)));
    this.draw();
    this.listeners.onChoice();
  }

  chooseNone() {
    this.picked.clear();
    this.draw();
    this.listeners.onChoice();
  }

  showAll() {
    this.all.checked = this.jobs.length > 0 && this.picked.size === this.jobs.length;
    this.all.indeterminate = this.picked.size > 0 && !this.all.checked;
  }
}
