// @ts-check
/**
 * The letters of the jobs that have a part of a GPU, as `remuda top` gives them: by the job's
 * number, the next free one if it is taken, so that a job keeps it as others come and go.
 */

const LETTERS = 26;

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
 * @param {number | undefined} place
 * @returns {string} upper case; a blank for none
 */
export function letter(place) {
  return place === undefined ? " " : String.fromCharCode(65 + place);
}
