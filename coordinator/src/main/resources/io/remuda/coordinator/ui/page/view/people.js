// @ts-check
/** Who has used what, and what was wasted, each with the command that mends it. */
import { writeAddress } from "../lib/address.js";
import { get, query } from "../lib/api.js";
import { fill, fillIfNew, h, setText } from "../lib/dom.js";
import { Refresh } from "../lib/refresh.js";
import { amount, bytes, counted, isKnown, UNKNOWN } from "../lib/text.js";
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
    this.days = choice("Ended in", DAYS, (days) => page.setParams({ days: days === "7" ? "" : days }));
    this.by = choice("By", BY, (by) => page.setParams({ by: by === "user" ? "" : by }));
    this.now = h("div");
    this.sums = h("div", { class: "scroll", tabindex: "0", role: "region", "aria-label": "Sums as a table" });
    this.advice = h("ul", { class: "plain advice" });
    this.adviceBlock = h("section", { class: "block", "aria-labelledby": "advice-title", hidden: true }, h("h2", { id: "advice-title" }, "Held and not used"), this.advice);
    this.span = h("span", { class: "soft" });
    this.fault = h("p", { class: "fault", role: "alert" });
    fill(
      root,
      h("h1", { class: "sr" }, "People and waste"),
      h("section", { class: "block", "aria-labelledby": "now-title" }, h("h2", { id: "now-title" }, "Wasted now"), this.now),
      h("section", { class: "block", "aria-labelledby": "sums-title" }, h("div", { class: "block-head" }, h("h2", { id: "sums-title" }, "Held and used"), this.by.element, this.days.element, this.span), this.fault, this.sums),
      this.adviceBlock,
    );
    this.refresh = new Refresh((signal) => this.load(signal), (fault) => this.onFault(fault), PERIOD);
    this.off = page.feed.on(() => this.showNow());
  }

  /** @param {import("../lib/address.js").Address} address */
  show(address) {
    this.params = address.params;
    this.days.set(this.params.get("days") ?? "7");
    this.by.set(this.params.get("by") ?? "user");
    const asked = this.path();
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

  path() {
    const days = Math.max(1, Number(this.params.get("days") ?? 7) || 7);
    const since = new Date(Date.now() - (days - 1) * 86_400_000).toISOString().slice(0, 10);
    return `/usage${query({ by: this.params.get("by") ?? "user", since })}`;
  }

  /** @param {Error | null} fault */
  onFault(fault) {
    const isTold = /** @type {any} */ (fault)?.isAway || /** @type {any} */ (fault)?.isSignedOut;
    setText(this.fault, fault && !isTold ? fault.message : "");
  }

  /** @param {AbortSignal} signal */
  async load(signal) {
    const usage = await get(this.path(), signal);
    setText(this.span, `${usage.since} to ${usage.until}, in UTC`);
    fillIfNew(this.sums, usage, () => sumsTable(usage));
    this.adviceBlock.hidden = (usage.unused ?? []).length === 0;
    fillIfNew(this.advice, usage.unused, () =>
      (usage.unused ?? []).map((/** @type {any} */ one) => h("li", {}, h("strong", {}, `${one.user}, ${one.type || "jobs without a type"}: `), one.text)),
    );
  }

  showNow() {
    const snapshot = this.page.feed.latest;
    if (snapshot) {
      const rows = wasteNow(snapshot);
      fillIfNew(this.now, rows, () => nowTable(rows));
    }
  }
}

/** @param {any[]} rows */
function nowTable(rows) {
  if (rows.length === 0) {
    return h("p", { class: "soft" }, "Nothing that is seen: every GPU that is held is used, and nobody else uses one.");
  }
  return h(
    "div",
    { class: "scroll", tabindex: "0", role: "region", "aria-label": "Wasted now, as a table" },
    h(
      "table",
      {},
      h("thead", {}, h("tr", {}, ["What", "Where", "Whose", "How much", "What mends it"].map((one) => h("th", { scope: "col" }, one)))),
      h(
        "tbody",
        {},
        rows.slice(0, 50).map((row) =>
          h("tr", {}, h("td", {}, row.what), h("td", {}, row.where), h("td", {}, row.job ? h("a", { href: writeAddress("job", [row.job]) }, `job ${row.job}`) : "", row.whose ? ` ${row.whose}` : ""), h("td", {}, row.size), h("td", {}, row.command ? h("code", {}, row.command) : "", row.hint ? h("span", { class: "soft" }, ` ${row.hint}`) : "")),
        ),
      ),
    ),
  );
}

/** @param {any} usage */
function sumsTable(usage) {
  const sums = usage.sums ?? [];
  if (sums.length === 0) {
    return h("p", { class: "soft" }, "No attempt has ended in these days.");
  }
  const most = Math.max(...sums.map((/** @type {any} */ one) => one.gpuHoursHeld), 1e-9);
  const head = ["GPU hours held", "", "used", "never used", "GPUs busy", "CPU hours held", "CPUs busy", "Memory used of asked", "Most GPU memory", "Jobs", "Attempts"];
  return h(
    "table",
    { class: "sums" },
    h("thead", {}, h("tr", {}, h("th", { scope: "col" }, { user: "User", type: "Type", node: "Node", day: "Day" }[/** @type {"user"} */ (usage.by)] ?? usage.by), head.map((one) => (one ? h("th", { scope: "col", class: "number" }, one) : h("td"))))),
    h("tbody", {}, sums.map((/** @type {any} */ one) => sumRow(one, most)), usage.total && sums.length > 1 ? sumRow({ ...usage.total, name: "all" }, Infinity) : null),
    usage.more ? h("caption", { class: "soft" }, `the first ${counted(sums.length, "group")}`) : null,
  );
}

/** @param {any} one @param {number} most */
function sumRow(one, most) {
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
    h("td", { class: "number" }, one.jobs ?? UNKNOWN),
    h("td", { class: "number" }, one.attempts ?? UNKNOWN),
  );
}

/** @param {number | null | undefined} value */
function hours(value) {
  return isKnown(value) ? value.toFixed(value < 10 && value > 0 ? 1 : 0) : UNKNOWN;
}
