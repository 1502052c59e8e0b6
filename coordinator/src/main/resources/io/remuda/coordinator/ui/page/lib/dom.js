// @ts-check
/** Elements from code. Text only ever becomes text: there is no way from a string to markup. */

/** @typedef {Node | string | number | null | undefined | false} Child */

/**
 * Makes an element.
 * @param {string} name
 * @param {Record<string, any>} [options] attributes; `on` has listeners, `style` properties, `data`
 *     data attributes; null, undefined and false leave an attribute out
 * @param {...(Child | Child[])} children
 * @returns {any}
 */
export function h(name, options = {}, ...children) {
  const element = document.createElement(name);
  for (const [key, value] of Object.entries(options)) {
    if (value === null || value === undefined || value === false) {
      continue;
    } else if (key === "on") {
      for (const [event, listener] of Object.entries(value)) {
        element.addEventListener(event, /** @type {EventListener} */ (listener));
      }
    } else if (key === "style") {
      for (const [property, text] of Object.entries(value)) {
        element.style.setProperty(property, String(text));
      }
    } else if (key === "data") {
      Object.assign(element.dataset, value);
    } else if (key === "value") {
      /** @type {any} */ (element).value = value;
    } else {
      element.setAttribute(key, value === true ? "" : String(value));
    }
  }
  fill(element, ...children);
  return element;
}

/**
 * Replaces what is in an element. If the focus is within, what is like the one that had it gets it.
 * @param {Element} element
 * @param {...(Child | Child[])} children
 */
export function fill(element, ...children) {
  const focused = document.activeElement;
  const had = focused !== null && focused !== element && element.contains(focused);
  element.replaceChildren(
    ...children
      .flat()
      .filter((child) => child !== null && child !== undefined && child !== false)
      .map((child) => (child instanceof Node ? child : document.createTextNode(String(child)))),
  );
  if (had && document.activeElement !== focused) {
    const like = /** @type {HTMLElement | undefined} */ (
      element.contains(focused) ? focused : [...element.querySelectorAll(focused.tagName)].find((one) => called(one) === called(focused))
    );
    like?.focus({ preventScroll: true });
  }
}

/** By what an element is known again after it was made anew. @param {Element} element */
function called(element) {
  return element.id || element.getAttribute("aria-label") || element.getAttribute("href") || element.textContent;
}

/**
 * Sets the text of an element if it is another one, so that nothing is drawn again for nothing.
 * @param {Element} element
 * @param {string} text
 */
export function setText(element, text) {
  if (element.textContent !== text) {
    element.textContent = text;
  }
}

/**
 * Returns the element of this id, which must be there.
 * @param {string} id
 * @returns {HTMLElement}
 */
export function byId(id) {
  const found = document.getElementById(id);
  if (!found) {
    throw new Error(`no element ${id}`);
  }
  return found;
}

/** @type {WeakMap<Element, string>} */
const shownOf = new WeakMap();

/**
 * Fills an element again only if what it shows has changed, so that a selection and a focus stay.
 * @param {Element} element
 * @param {any} shown what is to be shown, as JSON has it
 * @param {() => Child | Child[]} make
 */
export function fillIfNew(element, shown, make) {
  const text = JSON.stringify(shown) ?? "";
  if (shownOf.get(element) !== text) {
    shownOf.set(element, text);
    const made = make();
    fill(element, ...(Array.isArray(made) ? made : [made]));
  }
}
