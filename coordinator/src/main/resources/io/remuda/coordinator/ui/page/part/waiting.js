// @ts-check
/** Every reason that a job waited for, from when to when, beside its turn and what was expected. */
import { fillIfNew, h } from "../lib/dom.js";
import { isKnown, span, UNKNOWN } from "../lib/text.js";
import { clock, timeElement } from "../lib/time.js";

export class Waiting {
  constructor() {
    this.body = h("div");
    this.element = h("section", { class: "block", "aria-labelledby": "waiting-title", hidden: true }, h("h2", { id: "waiting-title" }, "Why it waited"), this.body);
  }

  /**
   * @param {any} answer of GET /jobs/N/waiting; null if the server does not record it
   * @param {number} now
   * @param {boolean} hasTasks whether the job has several
   */
  set(answer, now, hasTasks) {
    const reasons = answer?.reasons ?? [];
    this.element.hidden = reasons.length === 0;
    const total = Math.max(1, ...reasons.map((/** @type {any} */ one) => (one.to ?? now) - one.from));
    fillIfNew(this.body, [answer, Math.floor(now / 5)], () => [
      h(
        "div",
        { class: "scroll", tabindex: "0", role: "region", "aria-label": "Reasons over time" },
        h(
          "table",
          { class: "waiting" },
          h("thead", {}, h("tr", {}, [["From"], ["For", "number"], [""], ["Reason"], ["Turn", "number"], ["Expected then"]].map(([one, name]) => (one ? h("th", { scope: "col", class: name }, one) : h("td"))))),
          h(
            "tbody",
            {},
            reasons.map((/** @type {any} */ one) => {
              const length = (one.to ?? now) - one.from;
              return h(
                "tr",
                {},
                h("td", {}, timeElement(one.from, { seconds: true })),
                h("td", { class: "number" }, one.to === null || one.to === undefined ? `${span(length)}, now` : span(length)),
                h("td", { class: "bar" }, h("span", { class: "length", style: { width: `${Math.max(1, (100 * length) / total)}%` } })),
                h("td", {}, hasTasks && isKnown(one.task) ? `task ${one.task}: ` : "", one.text ?? one.reason),
                h("td", { class: "number" }, isKnown(one.turn) ? one.turn : ""),
                h("td", {}, isKnown(one.expectedStart) ? `~ ${clock(one.expectedStart)}` : UNKNOWN),
              );
            }),
          ),
        ),
      ),
      answer?.since ? h("p", { class: "soft small" }, "Recorded since ", timeElement(answer.since)) : null,
    ]);
  }
}
