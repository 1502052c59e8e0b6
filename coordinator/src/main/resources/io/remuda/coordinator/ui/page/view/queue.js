// @ts-check
/** Jobs with their state, the reason in words, their turn and when they should start. */
import { writeAddress } from "../lib/address.js";
import { get, query } from "../lib/api.js";
import { fill, fillIfNew, h, setText } from "../lib/dom.js";
import { BEFORE, isOver, ON } from "../lib/job.js";
import { Refresh } from "../lib/refresh.js";
import { counted } from "../lib/text.js";
import { cancelJob, changeMany, jobForQuestion } from "../part/job-actions.js";
import { GREATEST_FIRST, JobTable, SORTS } from "../part/job-table.js";
import { choice, filterField } from "../part/tools.js";

const PAGE = 500;
const PERIOD = 2000;
const DAY = 86_400;

/** Words for sets of states; an address may have any states, as `remuda state --state` takes them. */
const STATES = [
  ["", "Not ended"],
  ["pending", "Waiting"],
  ["running", "Running"],
  ["failed,lost", "Failed"],
  ["all", "All"],
];

/** @type {Record<string, string[]>} */
const MEANT = { pending: BEFORE, running: ON, "failed,lost": ["failed", "lost"] };

/** @type {import("../lib/view.js").View} */
export const view = {
  name: "queue",
  title: "Queue",
  open(root, page) {
    return new QueueView(root, page);
  },
};

class QueueView {
  /** @param {HTMLElement} root @param {import("../lib/view.js").Page} page */
  constructor(root, page) {
    this.page = page;
    this.params = new URLSearchParams();
    /** @type {any[]} */
    this.jobs = [];
    /** @type {number | null} */
    this.next = null;
    this.pages = 1;
    this.asked = "";
    this.isKnown = false;
    this.states = choice("Jobs", STATES, (value) => page.setParams({ state: value }));
    this.whose = choice("Of", [["", "All"], ["me", "Me"]], (value) => page.setParams({ user: value }));
    this.filter = filterField("name, user, reason, node", (text) => page.setParams({ filter: text }));
    this.count = h("span", { class: "soft count" });
    this.bulk = h("div", { class: "bulk", role: "region", "aria-label": "Chosen jobs", hidden: true });
    this.fault = h("p", { class: "fault", role: "alert" });
    this.empty = h("div", { class: "empty", hidden: true });
    this.more = h("button", { type: "button", hidden: true, on: { click: () => this.loadMore() } }, "Load earlier jobs");
    this.chips = h("span", { class: "chips" });
    this.table = new JobTable({
      onSort: (name) => this.sort(name),
      onChoice: () => this.showBulk(),
      onCancel: (job) => this.cancel(job),
    });
    fill(
      root,
      h("h1", { class: "sr" }, "Queue"),
      h("div", { class: "tools" }, this.states.element, this.whose.element, this.filter.element, this.chips, this.count),
      this.bulk,
      this.fault,
      this.empty,
      this.table.element,
      this.more,
    );
    this.refresh = new Refresh((signal) => this.load(signal), (fault) => this.onFault(fault), PERIOD);
  }

  /** @param {import("../lib/address.js").Address} address */
  show(address) {
    this.params = address.params;
    const user = this.params.get("user") ?? "";
    this.states.set(this.params.get("state") ?? "");
    this.whose.set(user === this.page.context.user ? "me" : user);
    this.filter.set(this.params.get("filter") ?? "");
    this.showChips(user);
    const asked = this.path(null);
    if (asked !== this.asked) {
      this.asked = asked;
      this.pages = 1;
      this.refresh.now();
    }
    this.update();
  }

  close() {
    this.refresh.close();
  }

  /** What the address asks for and no button shows. @param {string} user */
  showChips(user) {
    const shown = ["name", "label", "since", "endedSince"]
      .map((name) => [name, this.params.get(name)])
      .concat(user && user !== "me" && user !== this.page.context.user ? [["user", user]] : [])
      .filter(([, value]) => value);
    const states = this.params.get("state");
    if (states && !STATES.some(([value]) => value === states)) {
      shown.push(["state", states]);
    }
    fill(
      this.chips,
      shown.map(([name, value]) =>
        h(
          "button",
          { type: "button", class: "chip", "aria-label": `${name} ${value}: remove`, on: { click: () => this.page.setParams({ [String(name)]: "" }) } },
          `${name}: ${value} ×`,
        ),
      ),
    );
  }

  /** @param {number | null} before */
  path(before) {
    const state = this.params.get("state") ?? "";
    const user = this.params.get("user") ?? "";
    return `/jobs${query({
      state: state === "all" ? "" : (MEANT[state]?.join(",") ?? state),
      all: state === "all" ? "1" : "",
      user: user === "me" ? this.page.context.user : user,
      name: this.params.get("name"),
      label: this.params.get("label"),
      since: moment(this.params.get("since")),
      endedSince: moment(this.params.get("endedSince")),
      progress: "1",
      terms: "1",
      limit: PAGE,
      before,
    })}`;
  }

  /** @param {AbortSignal} signal */
  async load(signal) {
    const jobs = [];
    /** @type {number | null} */
    let next = null;
    for (let page = 0; page < this.pages; page++) {
      const answer = await get(this.path(next), signal);
      jobs.push(...answer.jobs);
      next = answer.next ?? null;
      if (next === null) {
        break;
      }
    }
    this.jobs = jobs;
    this.next = next;
    this.isKnown = true;
    this.update();
  }

  loadMore() {
    this.pages++;
    this.refresh.now();
  }

  /** @param {Error | null} fault */
  onFault(fault) {
    const isTold = /** @type {any} */ (fault)?.isAway || /** @type {any} */ (fault)?.isSignedOut;
    setText(this.fault, fault && !isTold ? fault.message : ""); // what the banner says is enough
  }

  update() {
    if (!this.isKnown) {
      return;
    }
    const wanted = (this.params.get("filter") ?? "").toLowerCase().split(/\s+/).filter(Boolean);
    const shown = this.jobs.filter((job) => {
      const text = textOf(job);
      return wanted.every((word) => text.includes(word));
    });
    const [by, direction] = sortOf(this.params);
    const sort = SORTS[by];
    const now = this.page.feed.now();
    shown.sort((a, b) => compare(sort(a, now), sort(b, now), direction) || b.id - a.id);
    this.table.set(shown, by, direction, now);
    this.more.hidden = this.next === null;
    setText(
      this.count,
      shown.length === this.jobs.length
        ? counted(shown.length, "job") + (this.next === null ? "" : ", the newest")
        : `${shown.length} of ${counted(this.jobs.length, "job")}`,
    );
    this.showEmpty(shown.length);
    this.showBulk();
  }

  /** @param {number} count */
  showEmpty(count) {
    this.empty.hidden = count > 0;
    this.table.element.hidden = count === 0;
    if (count === 0) {
      const filtered = [...this.params.keys()].some((name) => name !== "sort");
      fill(
        this.empty,
        filtered
          ? h("p", {}, "No job is like that. ", h("a", { href: writeAddress("queue") }, "All that have not ended"), " · ", h("a", { href: writeAddress("queue", [], { state: "all" }) }, "also those that have ended"))
          : [h("h2", {}, "No job waits or runs"), h("p", {}, "The first: ", h("code", {}, "remuda submit --gpus 1 -- python train.py")), h("p", {}, h("a", { href: writeAddress("queue", [], { state: "all" }) }, "Those that have ended"))],
      );
    }
  }

  /** @param {string} name */
  sort(name) {
    const [by, direction] = sortOf(this.params);
    const turned = by === name ? -direction : GREATEST_FIRST.includes(name) ? -1 : 1;
    this.page.setParams({ sort: turned > 0 ? name : `-${name}` });
  }

  showBulk() {
    const chosen = this.table.chosen();
    this.bulk.hidden = chosen.length === 0;
    if (chosen.length === 0) {
      return;
    }
    const alive = chosen.filter((job) => !isOver(job.state));
    const act = (/** @type {"cancel" | "hold" | "release"} */ action, /** @type {any[]} */ jobs, /** @type {string} */ words) =>
      jobs.length === 0
        ? null
        : h("button", { type: "button", class: action === "cancel" ? "harm" : "", on: { click: () => this.change(action, jobs) } }, words);
    fillIfNew(this.bulk, chosen.map((job) => [job.id, job.name, job.user, job.state]), () => [
      h("strong", {}, `${counted(chosen.length, "job")} chosen`),
      act("hold", alive.filter((job) => ["waiting", "submitted"].includes(job.state)), "Hold…"),
      act("release", alive.filter((job) => job.state === "held"), "Release…"),
      act("cancel", alive, "Cancel…"),
      h("button", { type: "button", class: "link", on: { click: () => this.table.chooseNone() } }, "choose none"),
    ]);
  }

  /** @param {"cancel" | "hold" | "release"} action @param {any[]} jobs */
  async change(action, jobs) {
    if (await changeMany(action, jobs, this.page)) {
      this.table.chooseNone();
    }
    this.refresh.now();
  }

  /** @param {any} job */
  async cancel(job) {
    const details = await jobForQuestion(job.id).catch(() => job);
    if (await cancelJob(details, this.page)) {
      this.refresh.now();
    }
  }
}

/** @param {any} job */
function textOf(job) {
  return [job.id, job.name, job.user, job.state, job.reason, job.terms?.type, ...(job.nodes ?? [])]
    .filter(Boolean)
    .join(" ")
    .toLowerCase();
}

/** @param {URLSearchParams} params @returns {[string, number]} */
function sortOf(params) {
  const sort = params.get("sort") ?? "";
  const name = sort.replace(/^-/, "");
  return name in SORTS ? [name, sort.startsWith("-") ? -1 : 1] : ["place", 1];
}

/** What is blank comes last in both orders. @param {any} a @param {any} b @param {number} direction 1 or -1 */
function compare(a, b, direction) {
  if (Array.isArray(a)) {
    for (let at = 0; at < a.length; at++) {
      const one = compare(a[at], b[at], direction);
      if (one !== 0) {
        return one;
      }
    }
    return 0;
  }
  const [isBlank, isOtherBlank] = [a ?? "", b ?? ""].map((one) => one === "");
  if (isBlank || isOtherBlank) {
    return Number(isBlank) - Number(isOtherBlank);
  }
  return direction * (typeof a === "string" ? a.localeCompare(b) : a - b);
}

/** A moment for the server: ISO 8601, or a span before now, as 90m, 12h or 2d. @param {string | null} text */
function moment(text) {
  const span = /^(\d+)([smhd])$/.exec(text ?? "");
  if (!span) {
    return text;
  }
  const unit = { s: 1, m: 60, h: 3600, d: DAY }[/** @type {"s"|"m"|"h"|"d"} */ (span[2])];
  // to the minute, so that the request is the same again and again
  const minutes = Math.floor((Date.now() / 1000 - Number(span[1]) * unit) / 60);
  return new Date(minutes * 60_000).toISOString();
}

