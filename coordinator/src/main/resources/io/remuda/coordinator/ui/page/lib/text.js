// @ts-check
/** Numbers, sizes and times as people read them. What is not known is a dash, never a zero. */

export const UNKNOWN = "–";

const UNITS = ["B", "KiB", "MiB", "GiB", "TiB", "PiB"];

/**
 * @param {number | null | undefined} bytes
 * @returns {string} as 71.2 GiB
 */
export function bytes(bytes) {
  if (!isKnown(bytes)) {
    return UNKNOWN;
  }
  let unit = 0;
  let left = bytes;
  while (left >= 1024 && unit < UNITS.length - 1) {
    left /= 1024;
    unit++;
  }
  return `${left >= 100 || unit === 0 ? Math.round(left) : left.toFixed(1).replace(/\.0$/, "")} ${UNITS[unit]}`;
}

/**
 * @param {any} value
 * @returns {value is number}
 */
export function isKnown(value) {
  return typeof value === "number" && Number.isFinite(value);
}

/**
 * @param {number | null | undefined} value
 * @param {string} unit
 * @param {number} [digits] behind the point
 */
export function amount(value, unit, digits = 0) {
  return isKnown(value) ? `${value.toFixed(digits)}${unit}` : UNKNOWN;
}

/**
 * @param {number} count
 * @param {string} one
 * @param {string} [many]
 */
export function counted(count, one, many = `${one}s`) {
  return `${count} ${count === 1 ? one : many}`;
}

/**
 * @param {number | null | undefined} seconds
 * @returns {string} as 3 s, 4 min, 2 h 10 min, 3 d 4 h
 */
export function span(seconds) {
  if (!isKnown(seconds)) {
    return UNKNOWN;
  }
  const whole = Math.max(0, Math.round(seconds));
  if (whole < 60) {
    return `${whole} s`;
  }
  const minutes = Math.floor(whole / 60);
  if (minutes < 60) {
    return `${minutes} min`;
  }
  const hours = Math.floor(minutes / 60);
  if (hours < 24) {
    return minutes % 60 ? `${hours} h ${minutes % 60} min` : `${hours} h`;
  }
  const days = Math.floor(hours / 24);
  return hours % 24 ? `${days} d ${hours % 24} h` : `${days} d`;
}

/**
 * Seconds since 1970 of a time as the server writes it.
 * @param {string | number | null | undefined} time
 * @returns {number | null}
 */
export function seconds(time) {
  if (typeof time === "number") {
    return time;
  }
  const millis = time ? Date.parse(time) : NaN;
  return Number.isNaN(millis) ? null : millis / 1000;
}
