// @ts-check
/**
 * What a view is. A module of `view/` exports `view`, and `views.js` lists it; the shell opens it
 * in an empty element and closes it when the address names another one, or the same of another job.
 *
 * @typedef {object} View
 * @property {string} name as in the address, such as queue
 * @property {string} title
 * @property {boolean} [isHidden] whether the navigation leaves it out, as of one job
 * @property {(root: HTMLElement, page: Page) => OpenView} open
 */

/**
 * A view that is on the screen.
 * @typedef {object} OpenView
 * @property {(address: import("./address.js").Address) => void} show called at once, and when the
 *     parameters of its address change
 * @property {() => void} close ends timers, listeners and requests
 */

/**
 * What the shell has for a view.
 * @typedef {object} Page
 * @property {import("./feed.js").Feed} feed what the cluster does now
 * @property {any} context who looks at what, as /page/context.json
 * @property {(values: Record<string, string | number | null | undefined>) => void} setParams changes
 *     the address of the view, which is then shown again; what is empty is left out
 * @property {(view: string) => string} lastOf the address at which a view was last shown
 * @property {(question: import("../part/question.js").Question) => Promise<any>} ask
 * @property {(text: string) => void} say shows what was done for some seconds, for screen readers, too
 * @property {(title: string) => void} setTitle of the browser's tab
 */

export {};
