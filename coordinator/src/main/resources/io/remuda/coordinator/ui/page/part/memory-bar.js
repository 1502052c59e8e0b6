// @ts-check
/** The memory of a GPU as a bar: jobs in their colours with their letters, as `remuda top` draws it. */
import { h } from "../lib/dom.js";
import { memoryPieces } from "../lib/gpu.js";
import { hueOf, letter } from "../lib/letters.js";
import { bytes } from "../lib/text.js";

const WORDS = { used: "uses", lent: "has, and does not use,", foreign: "others use" };

/**
 * @param {any} gpu
 * @param {Map<number, number>} places of the jobs' letters
 * @returns {HTMLElement}
 */
export function memoryBar(gpu, places) {
  const pieces = memoryPieces(gpu);
  const words = pieces.map((piece) => wordsOf(piece));
  return h(
    "span",
    {
      class: "memory-bar",
      role: "img",
      "aria-label": words.length ? words.join(", ") : gpu.memoryBytes ? "all free" : "not known",
    },
    pieces.map((piece) =>
      h(
        "span",
        {
          class: `piece piece-${piece.kind}`,
          style: { "flex-basis": `${(piece.share * 100).toFixed(2)}%` },
          data: piece.job ? { hue: String(hueOf(piece.job)) } : {},
          title: wordsOf(piece),
        },
        signOf(piece, places),
      ),
    ),
  );
}

/** @param {import("../lib/gpu.js").Piece} piece */
function wordsOf(piece) {
  if (piece.kind === "unknown") {
    return piece.job
      ? `job ${piece.job} has ${bytes(piece.bytes)}; what it uses is not known`
      : `${bytes(piece.bytes)} of which the use is not known`;
  }
  const whose = piece.job ? `job ${piece.job} ` : "";
  return `${whose}${WORDS[piece.kind]} ${bytes(piece.bytes)}`;
}

/**
 * @param {import("../lib/gpu.js").Piece} piece
 * @param {Map<number, number>} places
 */
export function signOf(piece, places) {
  if (piece.kind === "foreign") {
    return "#";
  }
  if (piece.kind === "unknown") {
    return "?";
  }
  const sign = letter(places.get(piece.job));
  return piece.kind === "used" ? sign : sign.toLowerCase();
}
