// @ts-check
/** What the page shows is in its address, so that a link shows the same. */

/**
 * @typedef {object} Address
 * @property {string} view as cluster
 * @property {string[]} rest further parts, as the number of a job
 * @property {URLSearchParams} params
 */

/**
 * Reads an address as #/job/12?tab=log.
 * @param {string} hash
 * @returns {Address}
 */
export function readAddress(hash) {
  const [path, query] = hash.replace(/^#\/?/, "").split("?", 2);
  const [view, ...rest] = path.split("/").map(decode).filter(Boolean);
  return { view: view || "cluster", rest, params: new URLSearchParams(query ?? "") };
}

/** @param {string} part */
function decode(part) {
  try {
    return decodeURIComponent(part);
  } catch {
    return part;
  }
}

/**
 * Writes an address.
 * @param {string} view
 * @param {(string | number)[]} rest
 * @param {URLSearchParams | Record<string, string | number | null | undefined>} [params] without
 *     those that are empty
 * @returns {string}
 */
export function writeAddress(view, rest = [], params = {}) {
  const entries = params instanceof URLSearchParams ? [...params] : Object.entries(params);
  const set = entries.filter(([, value]) => value !== null && value !== undefined && value !== "");
  const query = new URLSearchParams(set.map(([name, value]) => [name, String(value)])).toString();
  const path = ["#", view, ...rest.map((part) => encodeURIComponent(part))].join("/");
  return query ? `${path}?${query}` : path;
}
