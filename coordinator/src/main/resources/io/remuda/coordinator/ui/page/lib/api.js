// @ts-check
/** Requests to the proxy, which passes them on to the server as the user. */

const KEY = "remuda-key";

/** A request that was refused, or got no answer. */
export class RequestFailure extends Error {
  /**
   * @param {number} status of HTTP; 0 if the proxy does not answer
   * @param {string} code
   * @param {string} message
   */
  constructor(status, code, message) {
    super(message);
    this.status = status;
    this.code = code;
  }

  /** Whether nobody answers, and not the request is at fault. */
  get isAway() {
    return this.status === 0 || this.status === 502 || this.status === 503;
  }

  /** Whether this browser has not opened the link of this remuda ui. */
  get isSignedOut() {
    return this.code === "not-signed-in";
  }
}

let key = "";

/**
 * Takes the key from the address, where the link has put it, and keeps it for this browser. One
 * that the proxy does not know, as in a link of others, replaces none.
 */
export async function takeKey() {
  const given = /^#key=([\w-]+)$/.exec(location.hash)?.[1] ?? "";
  if (given) {
    history.replaceState(null, "", "/#/cluster");
  }
  const isGood = given !== "" && (await isKnown(given));
  try {
    if (isGood) {
      localStorage.setItem(KEY, given);
    }
    key = localStorage.getItem(KEY) ?? "";
  } catch {
    key = isGood ? given : "";
  }
}

/** @param {string} given */
async function isKnown(given) {
  try {
    return (await fetch("/page/context.json", { headers: { "X-Remuda-Page": given }, cache: "no-store" })).ok;
  } catch {
    return false;
  }
}

/**
 * Sends a request; throws a RequestFailure unless the answer is good.
 * @param {string} path as /api/v1/top
 * @param {RequestInit & {headers?: Record<string, string>}} [options]
 * @returns {Promise<Response>}
 */
export async function request(path, options = {}) {
  let answer;
  try {
    const headers = { ...options.headers, "X-Remuda-Page": key };
    answer = await fetch(path, { ...options, headers, cache: "no-store", redirect: "error" });
  } catch (fault) {
    if (/** @type {any} */ (fault).name === "AbortError") {
      throw fault;
    }
    throw new RequestFailure(0, "proxy-away", "remuda ui has ended: start it again, and open its link");
  }
  if (answer.ok) {
    return answer;
  }
  const said = await answer.json().catch(() => ({}));
  const error = said.error ?? {};
  const message = error.message ?? `the server answers with status ${answer.status}`;
  throw new RequestFailure(
    answer.status,
    error.code ?? "",
    error.todo ? `${message} (${error.todo})` : message,
  );
}

/**
 * Returns the JSON of a GET.
 * @param {string} path below /api/v1, as /jobs/12
 * @param {AbortSignal} [signal]
 * @returns {Promise<any>}
 */
export async function get(path, signal) {
  return (await request(`/api/v1${path}`, { signal })).json();
}

/**
 * Sends a POST and returns its JSON.
 * @param {string} path below /api/v1
 * @param {any} [body]
 * @returns {Promise<any>}
 */
export async function post(path, body) {
  const options =
    body === undefined
      ? { method: "POST" }
      : {
          method: "POST",
          body: JSON.stringify(body),
          headers: { "Content-Type": "application/json" },
        };
  return (await request(`/api/v1${path}`, options)).json();
}

/**
 * Returns a query, without what is empty.
 * @param {Record<string, string | number | boolean | null | undefined>} values
 * @returns {string} "" or as ?a=1&b=2
 */
export function query(values) {
  const set = Object.entries(values).filter(
    ([, value]) => value !== null && value !== undefined && value !== "" && value !== false,
  );
  const text = set.map(([name, value]) => `${name}=${encodeURIComponent(String(value))}`).join("&");
  return text === "" ? "" : `?${text}`;
}
