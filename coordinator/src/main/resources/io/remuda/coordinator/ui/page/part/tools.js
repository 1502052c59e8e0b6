// @ts-check
/** What a view has above its content: a choice of a few, a filter. */
import { h } from "../lib/dom.js";

/**
 * A few values of which one is chosen.
 * @param {string} label
 * @param {string[][]} values with their words
 * @param {(value: string) => void} onChange
 */
export function choice(label, values, onChange) {
  const buttons = values.map(([value, words]) =>
    h("button", { type: "button", data: { value }, on: { click: () => onChange(value) } }, words),
  );
  return {
    element: h("div", { class: "choice", role: "group", "aria-label": label }, h("span", { class: "choice-label", "aria-hidden": "true" }, label), buttons),
    /** @param {string} value */
    set(value) {
      for (const button of buttons) {
        button.setAttribute("aria-pressed", String(button.dataset.value === value));
      }
    },
  };
}

/**
 * A field for words that what is shown must have. The key / leads to it.
 * @param {string} hint
 * @param {(text: string) => void} onChange a moment after the last letter
 */
export function filterField(hint, onChange) {
  /** @type {ReturnType<typeof setTimeout> | undefined} */
  let timer;
  const input = h("input", {
    type: "search",
    placeholder: `Filter: ${hint}`,
    "aria-label": `Filter by ${hint}`,
    autocomplete: "off",
    spellcheck: "false",
    data: { filter: "" },
    on: {
      input: () => {
        clearTimeout(timer);
        timer = setTimeout(() => onChange(input.value.trim()), 150);
      },
    },
  });
  return {
    element: h("label", { class: "filter" }, input, h("kbd", { "aria-hidden": "true" }, "/")),
    /** @param {string} text */
    set(text) {
      if (document.activeElement !== input && input.value !== text) {
        input.value = text;
      }
    },
  };
}
