// @ts-check
/** What can be done with a job, each with a question that says what would happen. */
import { writeAddress } from "../lib/address.js";
import { get, post, query } from "../lib/api.js";
import { h } from "../lib/dom.js";
import { isOver, BEFORE } from "../lib/job.js";
import { counted, span } from "../lib/text.js";

/**
 * The buttons for one job.
 * @param {any} job
 * @param {import("../lib/view.js").Page} page
 * @param {() => void} onDone
 * @returns {HTMLElement[]}
 */
export function jobActions(job, page, onDone) {
  const over = isOver(job.state);
  const button = (/** @type {string} */ words, /** @type {() => Promise<any>} */ ask, name = "") =>
    h("button", { type: "button", class: name, on: { click: async () => (await ask()) && onDone() } }, words);
  const waits = BEFORE.some((state) => job.state === state || job.counts?.[state]);
  return [
    !over && job.state !== "held" && waits ? button("Hold…", () => hold(job, page)) : null,
    job.state === "held" ? button("Release…", () => release(job, page)) : null,
    !over && !BEFORE.includes(job.state) ? button("Requeue…", () => requeue(job, page)) : null,
    button("Submit again…", () => resubmit(job, page)),
    over ? null : button("Cancel…", () => cancelJob(job, page), "harm"),
  ].filter((one) => one !== null);
}

/** @param {any} job */
function called(job) {
  return `job ${job.id}${job.name ? ` “${job.name}” of ${job.user}` : ""}`;
}

/** Tasks of a job that wait, and that run. @param {any} job */
function tasksOf(job) {
  const sum = (/** @type {(state: string) => boolean} */ is) =>
    Object.entries(job.counts ?? {}).reduce((all, [state, count]) => all + (is(state) ? Number(count) : 0), 0);
  const waiting = sum((state) => BEFORE.includes(state));
  const running = sum((state) => !BEFORE.includes(state) && !isOver(state));
  const isBefore = BEFORE.includes(job.state);
  return { waiting: waiting || Number(isBefore), running: running || Number(!isBefore && !isOver(job.state)) };
}

/** What would become of the tasks of jobs. @param {any[]} jobs */
function cancelWords(jobs) {
  const all = jobs.map(tasksOf);
  const waiting = all.reduce((sum, one) => sum + one.waiting, 0);
  const running = all.reduce((sum, one) => sum + one.running, 0);
  const graces = [...new Set(jobs.map((job) => job.terms?.ending?.graceMillis).filter((one) => one !== undefined))].sort((a, b) => a - b);
  const grace = graces.length === 0 ? "" : ` of ${[graces[0], graces[graces.length - 1]].slice(0, graces.length).map((one) => span(one / 1000)).join(" to ")}`;
  return [
    running > 0 ? `${running > 1 ? counted(running, "running task") : "What runs"} is asked to end, and is killed after its grace${grace}.` : "",
    waiting > 0 && running > 0 ? "What waits never starts." : "",
    running === 0 ? (jobs.length > 1 ? "None has started, and none ever will." : "It has not started, and never will.") : "",
  ].filter(Boolean).join(" ");
}

/** @param {any} job @param {import("../lib/view.js").Page} page */
export async function cancelJob(job, page) {
  const reason = h("input", { type: "text", id: "cancel-reason", maxlength: "200", autocomplete: "off" });
  const dependents = job.dependents?.length
    ? `Jobs that wait for it may never start: ${job.dependents.join(", ")}.`
    : "";
  return page.ask({
    title: `Cancel ${called(job)}?`,
    text: [
      cancelWords([job]),
      dependents,
      h("label", { class: "field", for: "cancel-reason" }, "Why, if others should know"),
      reason,
    ].filter(Boolean),
    yes: "Cancel the job",
    isHarmful: true,
    act: async () => {
      await post(`/jobs/${job.id}/cancel${query({ reason: reason.value.trim() })}`);
      page.say(`job ${job.id} is cancelled`);
    },
  });
}

/** @param {any} job @param {import("../lib/view.js").Page} page */
function hold(job, page) {
  return page.ask({
    title: `Hold ${called(job)}?`,
    text: ["Its tasks that have not started wait until it is released. What runs goes on."],
    yes: "Hold the job",
    act: async () => {
      await post(`/jobs/${job.id}/hold`);
      page.say(`job ${job.id} is held`);
    },
  });
}

/** @param {any} job @param {import("../lib/view.js").Page} page */
function release(job, page) {
  return page.ask({
    title: `Release ${called(job)}?`,
    text: ["It may start as soon as there is room and it is its turn."],
    yes: "Release the job",
    act: async () => {
      await post(`/jobs/${job.id}/release`);
      page.say(`job ${job.id} is released`);
    },
  });
}

/** @param {any} job @param {import("../lib/view.js").Page} page */
function requeue(job, page) {
  return page.ask({
    title: `Requeue ${called(job)}?`,
    text: ["What runs is asked to leave its place, and waits for one again. Work since its last snapshot is lost."],
    yes: "Requeue the job",
    isHarmful: true,
    act: async () => {
      await post(`/jobs/${job.id}/requeue`);
      page.say(`job ${job.id} waits again`);
    },
  });
}

/** @param {any} job @param {import("../lib/view.js").Page} page */
async function resubmit(job, page) {
  // a repeated request is harmless by its key
  const clientKey = crypto.randomUUID();
  const failed = (job.counts?.failed ?? 0) + (job.counts?.lost ?? 0);
  const only = h("input", { type: "checkbox", id: "only-failed" });
  const part = job.tasks > 1 && failed > 0;
  return page.ask({
    title: `Submit ${called(job)} again?`,
    text: [
      `A new job of ${page.context.user ?? "yours"} does the same, with the same options, folder and environment.`,
      ...(part ? [h("p", {}, only, h("label", { for: "only-failed" }, ` only the ${counted(failed, "task")} that failed`))] : []),
    ],
    yes: "Submit it again",
    act: async () => {
      const body = { clientKey, ...(only.checked ? { failed: true } : {}) };
      const answer = await post(`/jobs/${job.id}/resubmit`, body);
      const id = answer.ids?.[0];
      page.say(`job ${id} of ${page.context.user ?? "yours"} does the same`);
      if (id) {
        location.hash = writeAddress("job", [id]);
      }
    },
  });
}

const MANY = /** @type {const} */ ({
  cancel: ["Cancel", "", "are cancelled"],
  hold: ["Hold", "What has not started waits until it is released. What runs goes on.", "are held"],
  release: ["Release", "They may start as soon as there is room and it is their turn.", "are released"],
});

/**
 * Asks about several jobs at once, and changes them in one step.
 * @param {keyof typeof MANY} action
 * @param {any[]} jobs
 * @param {import("../lib/view.js").Page} page
 */
export function changeMany(action, jobs, page) {
  const [verb, what, done] = MANY[action];
  const names = jobs.slice(0, 12).map((job) => h("li", {}, `${job.id} ${job.name} (${job.user}, ${job.state})`));
  return page.ask({
    title: `${verb} ${counted(jobs.length, "job")}?`,
    text: [
      h("ul", { class: "plain listed" }, names, jobs.length > 12 ? h("li", { class: "soft" }, `and ${jobs.length - 12} more`) : null),
      action === "cancel" ? cancelWords(jobs) : what,
    ],
    yes: `${verb} ${counted(jobs.length, "job")}`,
    isHarmful: action === "cancel",
    act: async () => {
      const answer = await post("/jobs/change", { action, jobs: jobs.map((job) => job.id).join(",") });
      if (answer.refused > 0) {
        throw new Error(`${answer.jobs} ${done}; refused: ${(answer.reasons ?? []).join("; ")}`);
      }
      page.say(`${counted(answer.jobs ?? jobs.length, "job")} ${done}`);
    },
  });
}

/** The newest facts of a job, for its question. @param {number} id */
export function jobForQuestion(id) {
  return get(`/jobs/${id}?progress&limit=0`);
}
