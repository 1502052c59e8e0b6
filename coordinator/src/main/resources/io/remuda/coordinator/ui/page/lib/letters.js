// @ts-check
/**
 * The letters of the jobs that have a part of a GPU, as `remuda top` gives them: by the job's
 * number, the next free one if it is taken, so that a job keeps it as others come and go.
 */

const LETTERS = 26;
const HUES = 8;

/**
 * The colour of a job, the same in all views and drawings.
 * @param {number} job
 * @returns {number} number of the colour from 0
 */
export function hueOf(job) {
  return job % HUES;
}

/**
 * @param {Iterable<number>} jobs
 * @returns {Map<number, number>} place of the letter from 0, by job
 */
export function letterPlaces(jobs) {
  const places = new Map();
  const taken = new Array(LETTERS).fill(false);
  for (const job of [...new Set(jobs)].sort((a, b) => a - b)) {
    let place = job % LETTERS;
    for (let tried = 0; tried < LETTERS && taken[place]; tried++) {
      place = (place + 1) % LETTERS;
    }
    taken[place] = true;
    places.set(job, place);
  }
  return places;
}

/**
 * The letters of the jobs that have a part of a GPU now.
 * @param {import("./feed.js").Snapshot} snapshot
 */
export function lettersNow(snapshot) {
  return letterPlaces(snapshot.gpus.flatMap((gpu) => gpu.holders.map((/** @type {any} */ one) => one.job)));
}

/**
 * @param {number | undefined} place
 * @returns {string} upper case; a blank for none
 */
export function letter(place) {
  return place === undefined ? " " : String.fromCharCode(65 + place);
}
