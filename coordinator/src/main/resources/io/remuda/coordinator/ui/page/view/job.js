// @ts-check
/** One job with all that is known of it. */
import { writeAddress } from "../lib/address.js";
import { get } from "../lib/api.js";
import { fill, fillIfNew, h, setText } from "../lib/dom.js";
import { BEFORE, endWords, isOver, ON, progressWords } from "../lib/job.js";
import { hueOf, letter, lettersNow } from "../lib/letters.js";
import { Refresh } from "../lib/refresh.js";
import { counted } from "../lib/text.js";
import { jobActions } from "../part/job-actions.js";
import { askedAndUsed, jobFacts, whatItRuns, whyItWaits } from "../part/job-facts.js";
import { Drawing } from "../part/drawing.js";
import { Log } from "../part/log.js";
import { stateElement } from "../part/state.js";
import { Tasks } from "../part/tasks.js";
import { choice } from "../part/tools.js";
import { Waiting } from "../part/waiting.js";

const PERIOD = 2000;
/** Tasks that are asked for with each look. */
const TASKS = 200;
const RANGES = [
  ["", "All of it"],
  ["24h", "24 h"],
  ["1h", "1 h"],
  ["15m", "15 min"],
];

/** Servers of earlier builds do not, and are not asked again. */
let recordsReasons = true;

/** @type {import("../lib/view.js").View} */
export const view = {
  name: "job",
  title: "Job",
  isHidden: true,
  open(root, page) {
    return new JobView(root, page);
  },
};

class JobView {
  /** @param {HTMLElement} root @param {import("../lib/view.js").Page} page */
  constructor(root, page) {
    this.page = page;
    this.id = 0;
    /** @type {any} null until it is shown */
    this.params = null;
    /** @type {any} */
    this.job = null;
    this.left = 0;
    this.letter = h("span", { class: "letter", title: "its letter and colour on the wall and in drawings", hidden: true });
    this.title = h("h1");
    this.state = h("span", { class: "job-state" });
    this.actions = h("div", { class: "actions" });
    this.reason = h("p", { class: "job-reason" });
    this.fault = h("p", { class: "fault", role: "alert" });
    this.content = h("div", { class: "columns", hidden: true });
    this.facts = h("div");
    this.asked = h("div");
    this.why = h("div");
    this.whyBlock = block("Why it waits", this.why);
    this.work = h("div");
    this.waiting = new Waiting();
    this.tasks = new Tasks((task) => page.setParams({ task: task || "" }));
    this.line = new Drawing("Attempts over time");
    this.curves = new Drawing("Curves of GPU, CPU, memory and what the program reports");
    this.range = choice("Span", RANGES, (since) => page.setParams({ since }));
    this.curvesBlock = h(
      "section",
      { class: "block", "aria-labelledby": "curves-title", hidden: true },
      h("div", { class: "block-head" }, h("h2", { id: "curves-title" }, "Over time"), this.range.element),
      this.line.element,
      this.curves.element,
    );
    this.log = new Log((stream) => page.setParams({ stream: stream === "out" ? "" : stream }));
    fill(
      root,
      h("p", { class: "crumbs" }, h("a", { href: page.lastOf("queue") }, "Queue"), " ›"),
      h("div", { class: "job-head" }, this.letter, this.title, this.state, this.actions),
      this.reason,
      this.fault,
      this.content,
    );
    fill(
      this.content,
        h("div", { class: "column-main" }, this.whyBlock, this.waiting.element, this.curvesBlock, this.tasks.element, this.log.element),
        h("div", { class: "column-side" }, block("Asked and used", this.asked), block("About it", this.facts), block("What it runs", this.work)),
    );
    this.refresh = new Refresh((signal) => this.load(signal), (fault) => this.onFault(fault), PERIOD);
  }

  /** @param {import("../lib/address.js").Address} address */
  show(address) {
    const isFirst = this.params === null;
    this.params = address.params;
    if (isFirst) {
      const id = Number(address.rest[0]);
      this.id = id;
      setText(this.title, `Job ${address.rest[0] ?? ""}`);
      this.page.setTitle(`Job ${address.rest[0] ?? ""}`);
      if (Number.isInteger(id) && id > 0) {
        this.refresh.now();
      } else {
        setText(this.fault, `${address.rest[0] ?? "Nothing"} is no job: a job is a number, as in #/job/12. The Queue has them all.`);
      }
    }
    if (!isFirst && this.left > 0 && !this.list.some((/** @type {any} */ one) => one.index === this.task())) {
      this.refresh.now();
    }
    this.update();
  }

  close() {
    this.refresh.close();
    this.log.close();
    this.line.close();
    this.curves.close();
  }

  /** @param {AbortSignal} signal */
  async load(signal) {
    const id = this.id;
    const [job, tasks] = await Promise.all([
      get(`/jobs/${id}?progress&limit=1`, signal),
      get(`/jobs/${id}/tasks?attempts&limit=${TASKS}`, signal),
    ]);
    const task = this.task();
    const isFurther = tasks.next !== null && tasks.next !== undefined && task >= tasks.next;
    const further = isFurther ? (await get(`/jobs/${id}/tasks?attempts&first=${task}&end=${task + 1}`, signal)).tasks : [];
    const waits = BEFORE.some((state) => job.state === state || job.counts?.[state]);
    const explained = waits ? await get(`/jobs/${id}/explain`, signal) : null;
    const isLater = (explained?.turn ?? job.turn ?? 0) > 1;
    const ahead = isLater ? await this.aheadOf(explained?.turn ?? job.turn, signal) : [];
    const waited = await this.waitedFor(id, signal);
    if (!signal.aborted) {
      this.job = job;
      this.list = [...tasks.tasks, ...further];
      this.left = tasks.next === null || tasks.next === undefined ? 0 : Math.max(0, job.tasks - this.list.length);
      this.explained = explained;
      this.ahead = ahead;
      this.waited = waited;
      this.update();
    }
  }

  /** Jobs that wait with an earlier turn, the first of them first. @param {number} turn @param {AbortSignal} signal */
  async aheadOf(turn, signal) {
    const { jobs } = await get(`/jobs?progress&state=waiting&limit=${TASKS}`, signal);
    return jobs
      .filter((/** @type {any} */ one) => one.turn < turn)
      .sort((/** @type {any} */ a, /** @type {any} */ b) => a.turn - b.turn)
      .map((/** @type {any} */ one) => ({ id: one.id, name: one.name, user: one.user }));
  }

  /** @param {number} id @param {AbortSignal} signal */
  async waitedFor(id, signal) {
    if (!recordsReasons) {
      return null;
    }
    try {
      return await get(`/jobs/${id}/waiting`, signal);
    } catch (fault) {
      if (signal.aborted || /** @type {any} */ (fault).status !== 404) {
        throw fault;
      }
      recordsReasons = false;
      return null;
    }
  }

  /** Index of the task whose output is shown. */
  task() {
    return Number(this.params.get("task") ?? 0);
  }

  /** @param {Error | null} fault */
  onFault(fault) {
    const isTold = /** @type {any} */ (fault)?.isAway || /** @type {any} */ (fault)?.isSignedOut;
    setText(this.fault, fault && !isTold ? fault.message : "");
  }

  update() {
    const job = this.job;
    if (!job) {
      return;
    }
    this.content.hidden = false;
    const now = this.page.feed.now();
    const task = this.task();
    const shown = (this.list ?? []).find((/** @type {any} */ one) => one.index === task) ?? null;
    setText(this.title, `Job ${job.id} ${job.name ?? ""}`);
    this.page.setTitle(`${job.id} ${job.name ?? ""}`);
    const snapshot = this.page.feed.latest;
    const place = snapshot ? lettersNow(snapshot).get(job.id) : undefined;
    this.letter.hidden = place === undefined;
    this.letter.dataset.hue = String(hueOf(job.id));
    setText(this.letter, letter(place));
    fillIfNew(this.state, job.state, () => stateElement(job.state));
    fillIfNew(this.actions, [job.state, job.counts, job.id], () =>
      jobActions(job, this.page, () => this.refresh.now()),
    );
    setText(this.reason, [progressWords(job), endWords(job), job.reason].filter(Boolean).join(" · "));
    this.reason.hidden = !this.reason.textContent;
    fillIfNew(this.facts, [job.id, job.state, job.nodes, job.startedAt, job.endedAt, job.turn, job.expectedStartAt, job.expectedEndAt, job.dependents], () => jobFacts(job));
    fillIfNew(this.asked, [job.needs, shown], () => askedAndUsed(job, shown));
    fillIfNew(this.work, [job.id, job.workload], () => whatItRuns(job, job.user === this.page.context.user));
    this.whyBlock.hidden = !this.explained;
    if (this.explained) {
      fillIfNew(this.why, [this.explained, this.ahead], () => whyItWaits(this.explained, this.ahead));
    }
    this.waiting.set(this.waited, now, job.tasks > 1);
    this.tasks.set(this.list ?? [], task, now, this.left > 0 ? `${this.left} of its ${counted(job.tasks, "task")} are not in this table. One of them: ${writeAddress("job", [job.id], { task: job.tasks - 1 })}` : "", this.page.feed.latest?.gpus ?? []);
    this.showCurves(job);
    this.log.element.hidden = !shown;
    if (shown) {
      const runs = ON.includes(shown.state) || !isOver(shown.state);
      this.log.set(job.id, task, shown.attempt, this.params.get("stream") ?? "out", runs);
    }
  }

  /** @param {any} job */
  showCurves(job) {
    const list = this.list ?? [];
    const begun = list.some((/** @type {any} */ one) => one.startedAt || one.earlier?.length);
    const since = this.params.get("since") ?? "";
    this.curvesBlock.hidden = list.length === 0;
    this.curves.element.hidden = !begun; // of one that never started there is nothing to draw
    this.range.set(since);
    const period = isOver(job.state) ? 0 : 5000;
    if (list.length > 0) {
      this.line.show("attempts", { job: job.id, since }, period);
    }
    if (begun) {
      this.curves.show("job", { job: this.params.get("task") ? `${job.id}.${this.params.get("task")}` : job.id, since }, period);
    }
  }
}

/** @param {string} title @param {...Node} content */
function block(title, ...content) {
  return h("section", { class: "block" }, title ? h("h2", {}, title) : null, content);
}
