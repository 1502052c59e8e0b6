// @ts-check
/** Output that was meant for a terminal, as plain text. */

// colours, cursor movements, titles
const ESCAPES = /\u001b(?:\[[0-9;?]*[ -/]*[@-~]|\][^\u0007\u001b]*(?:\u0007|\u001b\\)|[@-Z\\-_])/g;

/**
 * Removes what moves a cursor or colours a letter; of a line that was written over, as progress bars
 * do, the last form stays.
 * @param {string} text
 * @returns {string}
 */
export function plainText(text) {
  return text
    .replace(ESCAPES, "")
    .replace(/\r+\n/g, "\n")
    .replace(/[^\n]*\r(?=[^\n])/g, "")
    .replace(/[\u0000-\u0008\u000b-\u001f\u007f]/g, "\ufffd");
}
