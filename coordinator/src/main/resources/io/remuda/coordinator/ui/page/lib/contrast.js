// @ts-check
/** Which ink is read on a colour. */

const INKS = /** @type {[string, number[]][]} */ ([
  ["#ffffff", [255, 255, 255]],
  ["#10201b", [16, 32, 27]],
]);

/**
 * The ink that is read best on a colour.
 * @param {number[]} colour red, green and blue from 0 to 255
 * @returns {string}
 */
export function inkOn(colour) {
  const [white, dark] = INKS.map(([, ink]) => contrast(ink, colour));
  return INKS[white > dark ? 0 : 1][0];
}

/** As WCAG has it, from 1 to 21. @param {number[]} one @param {number[]} other */
function contrast(one, other) {
  const [low, high] = [one, other].map(luminance).sort((a, b) => a - b);
  return (high + 0.05) / (low + 0.05);
}

/** @param {number[]} colour */
function luminance(colour) {
  const [red, green, blue] = colour.map((one) => one / 255).map((one) => (one <= 0.04045 ? one / 12.92 : ((one + 0.055) / 1.055) ** 2.4));
  return 0.2126 * red + 0.7152 * green + 0.0722 * blue;
}
