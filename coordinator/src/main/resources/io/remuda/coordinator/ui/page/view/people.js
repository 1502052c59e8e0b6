// @ts-check
/** Who has used what, and what was wasted, each with the command that mends it. */
import { writeAddress } from "../lib/address.js";
import { get, query } from "../lib/api.js";
import { fill, fillIfNew, h, setText } from "../lib/dom.js";
import { Refresh } from "../lib/refresh.js";
import { amount, bytes, counted, isKnown, UNKNOWN } from "../lib/text.js";
import { timeElement } from "../lib/time.js";
import { choice } from "../part/tools.js";
import { wasteNow } from "../part/waste-now.js";

const PERIOD = 30_000;
const DAYS = [
  ["1", "Today"],
  ["7", "7 days"],
  ["30", "30 days"],
];
const BY = [
  ["user", "User"],
  ["type", "Type"],
  ["node", "Node"],
  ["day", "Day"],
];

/** Words for kinds of waste. @type {Record<string, string>} */
const KINDS = {
  "never-touched": "never touched its GPU",
  "hardly-busy": "GPU hardly busy",
  "over-asked-cpus": "more CPUs asked than used",
  "over-asked-memory": "more memory asked than used",
  "lent-and-idle": "held now, idle",
  squatter: "used by no job, now",
};

/** Servers of earlier builds do not say what is wasted, and are not asked again. */
let saysWaste = true;

/** @type {import("../lib/view.js").View} */
export const view = {
  name: "people",
  title: "People",
  open(root, page) {
    return new PeopleView(root, page);
  },
};

class PeopleView {
  /** @param {HTMLElement} root @param {import("../lib/view.js").Page} page */
  constructor(root, page) {
    this.page = page;
    this.params = new URLSearchParams();
    this.asked = "";
    this.scrolledTo = "";
    /** @type {any} of GET /waste; null from a server without it */
    this.waste = null;
    this.days = choice("Ended in", DAYS, (days) => page.setParams({ days: days === "7" ? "" : days }));
    this.by = choice("By", BY, (by) => page.setParams({ by: by === "user" ? "" : by }));
    this.now = h("div");
    this.noRow = h("p");
    this.sums = h("div", { class: "scroll", tabindex: "0", role: "region", "aria-label": "Sums as a table" });
    this.advice = h("ul", { class: "plain advice" });
    this.adviceBlock = h("section", { class: "block", "aria-labelledby": "advice-title", hidden: true }, h("h2", { id: "advice-title" }, "Held and not used"), this.advice);
    this.gaps = h("div");
    this.gapsBlock = h("section", { class: "block", "aria-labelledby": "gaps-title", hidden: true }, h("h2", { id: "gaps-title" }, "GPUs that nobody had"), this.gaps);
    this.running = h("p", { class: "soft" });
    this.span = h("span", { class: "soft" });
    this.fault = h("p", { class: "fault", role: "alert" });
    fill(
      root,
      h("h1", { class: "sr" }, "People and waste"),
      h("section", { class: "block", "aria-labelledby": "now-title" }, h("h2", { id: "now-title" }, "Wasted"), this.noRow, this.now),
      h("section", { class: "block", "aria-labelledby": "sums-title" }, h("div", { class: "block-head" }, h("h2", { id: "sums-title" }, "Held and used"), this.by.element, this.days.element, this.span), this.fault, this.running, this.sums),
      this.adviceBlock,
      this.gapsBlock,
    );
    this.refresh = new Refresh((signal) => this.load(signal), (fault) => this.onFault(fault), PERIOD);
    this.off = page.feed.on(() => this.showNow());
  }

  /** @param {import("../lib/address.js").Address} address */
  show(address) {
    this.params = address.params;
    this.days.set(this.params.get("days") ?? "7");
    this.by.set(this.params.get("by") ?? "user");
    const asked = this.usagePath();
    if (asked !== this.asked) {
      this.asked = asked;
      this.refresh.now();
    }
    this.showNow();
  }

  close() {
    this.off();
    this.refresh.close();
  }

  since() {
    const days = Math.max(1, Number(this.params.get("days") ?? 7) || 7);
    return new Date(Date.now() - (days - 1) * 86_400_000).toISOString().slice(0, 10);
  }

  usagePath() {
    return `/usage${query({ by: this.params.get("by") ?? "user", since: this.since() })}`;
  }

  /** @param {Error | null} fault */
  onFault(fault) {
    const isTold = /** @type {any} */ (fault)?.isAway || /** @type {any} */ (fault)?.isSignedOut;
    setText(this.fault, fault && !isTold ? fault.message : "");
  }

  /** @param {AbortSignal} signal */
  async load(signal) {
    const [usage, waste] = await Promise.all([get(this.usagePath(), signal), this.loadWaste(signal)]);
    this.waste = waste;
    const by = usage.by ?? "user";
    const energy = new Map((waste?.energy ?? []).filter((/** @type {any} */ one) => one.by === by).map((/** @type {any} */ one) => [one.name, one.kwh]));
    setText(this.span, `${usage.since} to ${usage.until}, in UTC`);
    fillIfNew(this.sums, [usage, [...energy]], () => sumsTable(usage, energy));
    const unused = waste ? [] : (usage.unused ?? []); // among the rows of waste
    this.adviceBlock.hidden = unused.length === 0;
    fillIfNew(this.advice, unused, () =>
      unused.map((/** @type {any} */ one) => h("li", {}, h("strong", {}, `${one.user}, ${one.type || "jobs without a type"}: `), one.text)),
    );
    this.gapsBlock.hidden = (waste?.gaps ?? []).length === 0;
    fillIfNew(this.gaps, [waste?.gaps, waste?.energy], () => (waste ? gapsTable(waste) : []));
    this.showNow();
  }

  /** @param {AbortSignal} signal */
  async loadWaste(signal) {
    if (!saysWaste) {
      return null;
    }
    try {
      return await get(`/waste${query({ since: this.since() })}`, signal);
    } catch (fault) {
      if (signal.aborted || /** @type {any} */ (fault).status !== 404) {
        throw fault;
      }
      saysWaste = false;
      return null;
    }
  }

  showNow() {
    const snapshot = this.page.feed.latest;
    if (this.waste) {
      const rows = this.waste.rows.map(rowOf);
      const less = this.waste.idleForLess ?? 0;
      fillIfNew(this.now, [rows, less], () => nowTable(rows, less));
    } else if (snapshot && !saysWaste) {
      const rows = wasteNow(snapshot);
      fillIfNew(this.now, rows, () => nowTable(rows));
    }
    this.markGpu();
    this.showRunning(snapshot);
  }

  /** Marks the row of the GPU of the address, once it is there, or says that there is none. */
  markGpu() {
    const gpu = this.params.get("gpu") ?? "";
    let isThere = false;
    this.now.querySelectorAll("tbody tr").forEach((row) => {
      const is = gpu !== "" && row.children[1]?.textContent === gpu;
      row.classList.toggle("chosen", is);
      isThere ||= is;
      if (is && gpu !== this.scrolledTo) {
        this.scrolledTo = gpu;
        row.scrollIntoView({ block: "nearest" });
      }
    });
    setText(this.noRow, gpu && this.now.firstChild && !isThere ? `${gpu} is in no row: what is held and idle for a short time is not called waste yet.` : "");
    this.noRow.hidden = !this.noRow.textContent;
  }

  /** Whose jobs run now: the sums below are of what has ended. @param {import("../lib/feed.js").Snapshot | null} snapshot */
  showRunning(snapshot) {
    const running = (snapshot?.jobs ?? []).filter((job) => job.state === "running");
    const owner = new Map(running.map((job) => [job.id, job.user]));
    /** @type {Map<string, {jobs: number, gpus: number}>} */
    const users = new Map();
    const of = (/** @type {string} */ user) => users.get(user) ?? users.set(user, { jobs: 0, gpus: 0 }).get(user);
    running.forEach((job) => of(job.user).jobs++);
    for (const gpu of snapshot?.gpus ?? []) {
      const its = new Set(gpu.holders.map((/** @type {any} */ one) => owner.get(one.job)).filter(Boolean));
      its.forEach((user) => of(user).gpus++);
    }
    const words = [...users].sort(([a], [b]) => a.localeCompare(b)).map(([user, { jobs, gpus }]) => `${user} ${counted(jobs, "job")} on ${counted(gpus, "GPU")}`);
    setText(this.running, words.length ? `Running now, and not in these sums: ${words.slice(0, 30).join(" · ")}` : "");
    this.running.hidden = words.length === 0;
  }
}

/** A row of GET /waste. @param {any} row */
function rowOf(row) {
  return {
    what: KINDS[row.kind] ?? String(row.kind).replaceAll("-", " "),
    where: row.gpu ?? row.node ?? "",
    job: row.job ?? 0,
    whose: [row.user, row.type].filter(Boolean).join(", "),
    size: row.text ?? "",
    since: row.idleSince ?? 0,
    command: row.command ?? "",
    hint: "",
  };
}

/** @param {any} waste */
function gapsTable(waste) {
  const most = Math.max(...waste.gaps.map((/** @type {any} */ one) => one.gpuHours), 1e-9);
  const idle = waste.energy?.find((/** @type {any} */ one) => one.by === "idle");
  const all = waste.energy?.find((/** @type {any} */ one) => one.by === "all");
  return [
    h(
      "div",
      { class: "scroll", tabindex: "0", role: "region", "aria-label": "GPUs that nobody had, by reason" },
      h(
        "table",
        { class: "gaps" },
        h("thead", {}, h("tr", {}, h("th", { scope: "col" }, "Reason"), h("th", { scope: "col", class: "number" }, "GPU h"), h("td"))),
        h(
          "tbody",
          {},
          waste.gaps.map((/** @type {any} */ one) =>
            h("tr", {}, h("td", {}, one.text ?? String(one.reason).replaceAll("-", " ")), h("td", { class: "number" }, hours(one.gpuHours)), h("td", { class: "bar" }, h("span", { class: "length", style: { width: `${Math.max(1, (100 * one.gpuHours) / most)}%` } }))),
          ),
        ),
      ),
    ),
    all ? h("p", { class: "soft" }, `Energy of all GPUs: ${kwh(all.kwh)}${idle ? `, of which ${kwh(idle.kwh)} while nobody had them` : ""}; counted since `, timeElement(waste.energySince), ".") : null,
  ];
}

/** @param {number | null | undefined} value */
function kwh(value) {
  return isKnown(value) ? `${few(value)} kWh` : UNKNOWN;
}

/** @param {any[]} rows @param {number} [less] GPUs that are held and idle, and are not among the rows */
function nowTable(rows, less = 0) {
  const idle = less > 0 ? h("p", { class: "soft" }, `${counted(less, "GPU")} ${less === 1 ? "is" : "are"} held and idle for less than 5 minutes.`) : null;
  if (rows.length === 0) {
    return idle ?? h("p", { class: "soft" }, "Nothing that is seen: every GPU that is held is used, and nobody else uses one.");
  }
  const table = h(
    "div",
    { class: "scroll", tabindex: "0", role: "region", "aria-label": "What is wasted, as a table" },
    h(
      "table",
      {},
      h("thead", {}, h("tr", {}, ["What", "Where", "Whose", "How much", "What mends it"].map((one) => h("th", { scope: "col" }, one)))),
      h(
        "tbody",
        {},
        rows.slice(0, 50).map((row) =>
          h("tr", {}, h("td", {}, row.what), h("td", {}, row.where), h("td", {}, row.job ? h("a", { href: writeAddress("job", [row.job]) }, `job ${row.job}`) : "", row.whose ? ` ${row.whose}` : ""), h("td", {}, row.since ? ["idle since ", timeElement(row.since), ": "] : "", row.size), h("td", {}, row.command ? h("code", {}, row.command) : "", row.hint ? h("span", { class: "soft" }, ` ${row.hint}`) : "")),
        ),
      ),
    ),
  );
  return idle ? [table, idle] : table;
}

/** @param {any} usage @param {Map<string, number>} energy of each group, in kWh */
function sumsTable(usage, energy) {
  const sums = usage.sums ?? [];
  if (sums.length === 0) {
    return h("p", { class: "soft" }, "No attempt has run in these days.");
  }
  const most = Math.max(...sums.map((/** @type {any} */ one) => one.gpuHoursHeld), 1e-9);
  const head = ["GPU h held", "", "used", "never used", "GPUs busy", "CPU h held", "CPUs busy", "Memory used of asked", "Most GPU memory", ...(energy.size ? ["Energy"] : []), "Jobs", "Attempts"];
  return h(
    "table",
    { class: "sums" },
    h("thead", {}, h("tr", {}, h("th", { scope: "col" }, { user: "User", type: "Type", node: "Node", day: "Day" }[/** @type {"user"} */ (usage.by)] ?? usage.by), head.map((one) => (one ? h("th", { scope: "col", class: "number" }, one) : h("td"))))),
    h("tbody", {}, sums.map((/** @type {any} */ one) => sumRow(one, most, energy)), usage.total && sums.length > 1 ? sumRow({ ...usage.total, name: "all" }, Infinity, energy) : null),
    usage.more ? h("caption", { class: "soft" }, `the first ${counted(sums.length, "group")}`) : null,
  );
}

/** @param {any} one @param {number} most @param {Map<string, number>} energy */
function sumRow(one, most, energy) {
  const held = one.gpuHoursHeld;
  const share = Math.min(100, (100 * held) / most);
  const used = held > 0 ? Math.min(100, (100 * one.gpuHoursUsed) / held) : 0;
  const bar =
    Number.isFinite(most) && held > 0
      ? h("span", { class: "held", style: { width: `${Math.max(1, share)}%` }, role: "img", "aria-label": `${Math.round(used)} percent of what was held was used` }, h("span", { class: "held-used", style: { width: `${used}%` } }))
      : "";
  return h(
    "tr",
    {},
    h("th", { scope: "row" }, one.name || "without a type"),
    h("td", { class: "number" }, hours(held)),
    h("td", { class: "bar" }, bar),
    h("td", { class: "number" }, hours(one.gpuHoursUsed)),
    h("td", { class: "number" }, hours(one.gpuHoursIdle)),
    h("td", { class: "number" }, amount(one.gpuPercent, " %")),
    h("td", { class: "number" }, hours(one.cpuHoursHeld)),
    h("td", { class: "number" }, amount(one.cpuPercent, " %")),
    h("td", { class: "number" }, amount(one.memoryPercent, " %")),
    h("td", { class: "number" }, bytes(one.gpuPeakBytes)),
    energy.size ? h("td", { class: "number" }, kwh(energy.get(one.name))) : null,
    h("td", { class: "number" }, one.jobs ?? UNKNOWN),
    h("td", { class: "number" }, one.attempts ?? UNKNOWN),
  );
}

/** @param {number | null | undefined} value */
function hours(value) {
  return isKnown(value) ? few(value) : UNKNOWN;
}

/** A number with two digits behind the point below 1, and one while it is small; what is less than that is no zero. @param {number} value */
function few(value) {
  return value === 0 ? "0" : value < 0.005 ? "< 0.01" : value.toFixed(value < 1 ? 2 : value < 10 ? 1 : 0);
}
