// @ts-check
/** Moments in the reader's time zone, with the server's on hover. */
import { h } from "./dom.js";
import { seconds, UNKNOWN } from "./text.js";

const own = Intl.DateTimeFormat().resolvedOptions().timeZone;
let serverZone = own;
let serverName = "the server";

/**
 * Sets where the server is.
 * @param {string | undefined} zone as Europe/Berlin
 * @param {string | undefined} name of its machine
 */
export function setServerZone(zone, name) {
  serverName = name || serverName;
  try {
    new Intl.DateTimeFormat("en", { timeZone: zone });
    serverZone = zone || own;
  } catch {
    serverZone = own; // a zone that this browser does not know
  }
}

/** @param {string} zone @param {Intl.DateTimeFormatOptions} options */
function format(zone, options) {
  return new Intl.DateTimeFormat("en-GB", { timeZone: zone, hourCycle: "h23", ...options });
}

/** @type {Intl.DateTimeFormatOptions} */
const CLOCK = { hour: "2-digit", minute: "2-digit" };
/** @type {Intl.DateTimeFormatOptions} */
const CLOCK_SECONDS = { ...CLOCK, second: "2-digit" };
/** @type {Intl.DateTimeFormatOptions} */
const DAY = { weekday: "short", day: "numeric", month: "short" };
/** @type {Intl.DateTimeFormatOptions} */
const FULL = { year: "numeric", month: "2-digit", day: "2-digit", ...CLOCK_SECONDS };

/**
 * A moment: the time alone if it is today, else with the day.
 * @param {string | number | null | undefined} time ISO 8601 or seconds since 1970
 * @param {{seconds?: boolean}} [options]
 * @returns {string}
 */
export function clock(time, options = {}) {
  const at = seconds(time);
  if (at === null) {
    return UNKNOWN;
  }
  const date = new Date(at * 1000);
  const text = format(own, options.seconds ? CLOCK_SECONDS : CLOCK).format(date);
  const isToday = format(own, DAY).format(date) === format(own, DAY).format(new Date());
  return isToday ? text : `${format(own, DAY).format(date)}, ${text}`;
}

/**
 * When a job may start: the interval in which it very likely does, else about when.
 * @param {any} job with expectedStartAt
 * @returns {string}
 */
export function expectedClock(job) {
  if (!job.expectedStartFrom || !job.expectedStartUntil) {
    return `~ ${clock(job.expectedStartAt)}`;
  }
  const until = clock(job.expectedStartUntil);
  return `${clock(job.expectedStartFrom)}${until.includes(" ") ? " to " : "-"}${until}`;
}

/**
 * The same moment in full, here and where the server is.
 * @param {string | number | null | undefined} time
 */
export function inFull(time) {
  const at = seconds(time);
  if (at === null) {
    return "";
  }
  const date = new Date(at * 1000);
  const here = format(own, FULL).format(date);
  return own === serverZone
    ? `${here} (${own})`
    : `${here} here (${own}); ${format(serverZone, FULL).format(date)} at ${serverName} (${serverZone})`;
}

/**
 * An element with a moment.
 * @param {string | number | null | undefined} time
 * @param {{seconds?: boolean}} [options]
 * @returns {HTMLElement}
 */
export function timeElement(time, options) {
  const at = seconds(time);
  if (at === null) {
    return h("span", { class: "unknown" }, UNKNOWN);
  }
  const iso = new Date(at * 1000).toISOString();
  return h("time", { datetime: iso, title: inFull(at) }, clock(at, options));
}
