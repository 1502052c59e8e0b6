// @ts-check
/** Draws one GPU: its colour is the chosen metric, its bar the memory by job, hatching what is unknown. */
import { inkOn } from "../lib/contrast.js";
import { level, levelText, memoryPieces, useOf, USE_WORDS } from "../lib/gpu.js";
import { hueOf } from "../lib/letters.js";
import { amount, bytes, isKnown, UNKNOWN } from "../lib/text.js";
import { signOf } from "./memory-bar.js";

/** @typedef {{ink: string, soft: string, faint: string, panel: string, line: string, accent: string, warn: string, ramp: number[][], hues: string[], inks: string[], font: string}} Colours */

const RAMP = 5;
const HUES = 8;

/** The colours of the theme, as the style sheet has them. @param {Element} element @returns {Colours} */
export function readColours(element) {
  const style = getComputedStyle(element.isConnected ? element : document.documentElement);
  const of = (/** @type {string} */ name) => style.getPropertyValue(`--${name}`).trim();
  return {
    ink: of("ink"),
    soft: of("ink-soft"),
    faint: of("ink-faint"),
    panel: of("panel"),
    line: of("line"),
    accent: of("accent"),
    warn: of("warn"),
    ramp: Array.from({ length: RAMP }, (_, at) => rgb(of(`ramp-${at}`))),
    hues: Array.from({ length: HUES }, (_, at) => of(`job-${at}`)),
    inks: Array.from({ length: HUES }, (_, at) => of(`job-ink-${at}`)),
    font: style.fontFamily,
  };
}

/** @param {string} colour #rrggbb */
function rgb(colour) {
  return [1, 3, 5].map((at) => parseInt(colour.slice(at, at + 2), 16));
}

/** @param {Colours} colours @param {number} value 0 to 1 */
function rampColour(colours, value) {
  const place = value * (RAMP - 1);
  const low = Math.min(RAMP - 2, Math.floor(place));
  const part = place - low;
  const mixed = colours.ramp[low].map((one, at) => Math.round(one + (colours.ramp[low + 1][at] - one) * part));
  return { css: `rgb(${mixed.join(" ")})`, ink: inkOn(mixed) };
}

/**
 * @param {CanvasRenderingContext2D} paint
 * @param {import("./wall-layout.js").Name} name
 * @param {Colours} colours
 */
export function drawName(paint, name, colours) {
  const state = name.node?.state ?? "";
  const isWell = state === "ready" || state === "";
  const size = name.size === "small" ? 10 : 12;
  paint.font = `${isWell ? 500 : 600} ${size}px ${colours.font}`;
  paint.fillStyle = isWell ? colours.soft : colours.warn;
  paint.textAlign = "left";
  paint.textBaseline = "alphabetic";
  const text = isWell ? name.text : `${name.text}  ⚠ ${state}`;
  paint.fillText(fit(paint, text, name.width), name.x, name.y + name.height - 5);
}

/** @param {CanvasRenderingContext2D} paint @param {string} text @param {number} width */
function fit(paint, text, width) {
  if (paint.measureText(text).width <= width) {
    return text;
  }
  let length = text.length;
  while (length > 1 && paint.measureText(`${text.slice(0, length)}…`).width > width) {
    length--;
  }
  return `${text.slice(0, length)}…`;
}

/**
 * @param {CanvasRenderingContext2D} paint
 * @param {import("./wall-layout.js").Cell} cell
 * @param {import("./wall-layout.js").WallData} data
 * @param {Colours} colours
 * @param {{lit: boolean, cursor: boolean}} marks
 */
export function drawCell(paint, cell, data, colours, marks) {
  const gpu = data.gpus[cell.index];
  const node = data.nodeOf.get(gpu.node);
  const value = level(gpu, node, data.metric, data.now);
  const use = useOf(gpu, node?.state === "silent");
  const fill = value === null ? null : rampColour(colours, value);
  const { x, y, width, height } = cell;
  const radius = cell.size === "large" ? 6 : cell.size === "middle" ? 4 : 2;
  paint.save();
  paint.beginPath();
  paint.roundRect(x, y, width, height, radius);
  paint.fillStyle = fill ? fill.css : colours.panel;
  paint.fill();
  paint.clip();
  if (value === null) {
    hatch(paint, cell, colours.line);
  }
  const barHeight = { large: 14, middle: 8, small: 5 }[cell.size];
  drawBar(paint, cell, data, colours, barHeight);
  if (use === "out") {
    cross(paint, cell, colours.warn);
  }
  paint.restore();
  outline(paint, cell, radius, use === "out" ? colours.warn : colours.line, 1);
  if (marks.lit) {
    outline(paint, cell, radius, colours.ink, 2);
  }
  if (marks.cursor) {
    outline(paint, cell, radius, colours.accent, 3);
  }
  if (cell.size !== "small") {
    words(paint, cell, data, colours, fill ? fill.ink : colours.ink);
  }
}

/**
 * @param {CanvasRenderingContext2D} paint
 * @param {import("./wall-layout.js").Cell} cell
 * @param {number} radius
 * @param {string} colour
 * @param {number} thick
 */
function outline(paint, cell, radius, colour, thick) {
  paint.beginPath();
  paint.roundRect(cell.x + 0.5, cell.y + 0.5, cell.width - 1, cell.height - 1, radius);
  paint.lineWidth = thick;
  paint.strokeStyle = colour;
  paint.stroke();
}

/** @param {CanvasRenderingContext2D} paint @param {import("./wall-layout.js").Cell} cell @param {string} colour */
function hatch(paint, cell, colour) {
  paint.strokeStyle = colour;
  paint.lineWidth = 1;
  paint.beginPath();
  for (let at = -cell.height; at < cell.width; at += 6) {
    paint.moveTo(cell.x + at, cell.y + cell.height);
    paint.lineTo(cell.x + at + cell.height, cell.y);
  }
  paint.stroke();
}

/** @param {CanvasRenderingContext2D} paint @param {import("./wall-layout.js").Cell} cell @param {string} colour */
function cross(paint, cell, colour) {
  paint.strokeStyle = colour;
  paint.lineWidth = 1;
  paint.beginPath();
  paint.moveTo(cell.x, cell.y + cell.height);
  paint.lineTo(cell.x + cell.width, cell.y);
  paint.stroke();
}

/**
 * @param {CanvasRenderingContext2D} paint
 * @param {import("./wall-layout.js").Cell} cell
 * @param {import("./wall-layout.js").WallData} data
 * @param {Colours} colours
 * @param {number} thick
 */
function drawBar(paint, cell, data, colours, thick) {
  const gpu = data.gpus[cell.index];
  const y = cell.y + cell.height - thick;
  paint.fillStyle = colours.panel;
  paint.fillRect(cell.x, y, cell.width, thick);
  let x = cell.x;
  for (const piece of memoryPieces(gpu)) {
    const width = Math.max(1, Math.min(piece.share * cell.width, cell.x + cell.width - x));
    const colour = piece.job ? colours.hues[hueOf(piece.job)] : colours.faint;
    const isPale = piece.kind === "lent" || piece.kind === "unknown";
    paint.globalAlpha = isPale ? 0.35 : 1;
    paint.fillStyle = colour;
    paint.fillRect(x, y, width, thick);
    paint.globalAlpha = 1;
    if (cell.size === "large" && width > 12) {
      paint.font = `600 10px ${colours.font}`;
      paint.textAlign = "center";
      paint.textBaseline = "middle";
      paint.fillStyle = isPale ? colours.ink : piece.job ? colours.inks[hueOf(piece.job)] : colours.panel;
      paint.fillText(signOf(piece, data.places), x + width / 2, y + thick / 2 + 0.5);
    }
    x += width;
  }
  paint.fillStyle = colours.line;
  paint.fillRect(cell.x, y, cell.width, 1);
}

/** Without a fraction, which has no room. @param {number | null} size */
function gib(size) {
  return isKnown(size) && size >= 10 * 2 ** 30 ? `${Math.round(size / 2 ** 30)} GiB` : bytes(size);
}

/**
 * @param {CanvasRenderingContext2D} paint
 * @param {import("./wall-layout.js").Cell} cell
 * @param {import("./wall-layout.js").WallData} data
 * @param {Colours} colours
 * @param {string} ink
 */
function words(paint, cell, data, colours, ink) {
  const gpu = data.gpus[cell.index];
  const node = data.nodeOf.get(gpu.node);
  const { x, y, width } = cell;
  const said = levelText(gpu, node, data.metric, data.now);
  paint.fillStyle = ink;
  paint.textBaseline = "alphabetic";
  if (cell.size === "middle") {
    paint.font = `500 11px ${colours.font}`;
    paint.textAlign = "center";
    paint.fillText(fit(paint, said, width - 4), x + width / 2, y + 17);
    return;
  }
  paint.font = `600 20px ${colours.font}`;
  paint.textAlign = "left";
  paint.fillText(said, x + 9, y + 27);
  paint.font = `500 11px ${colours.font}`;
  paint.textAlign = "right";
  paint.fillText(`GPU ${gpu.number ?? "?"}`, x + width - 9, y + 18);
  paint.font = `400 11px ${colours.font}`;
  const use = useOf(gpu, node?.state === "silent");
  if (use !== "busy") {
    const word = use !== "out" ? USE_WORDS[use] : gpu.health === "lost" ? "lost" : node?.state === "silent" ? "" : gpu.state;
    paint.fillText(word, x + width - 9, y + 33);
  }
  const more = node?.state === "silent" ? "no answer" : [
    data.metric === "memory" ? amount(gpu.utilization, " %") : gib(gpu.usedBytes),
    amount(gpu.powerWatts, " W"),
    amount(gpu.temperatureCelsius, " °C"),
  ].filter((one) => one !== UNKNOWN).join(" · ");
  paint.textAlign = "left";
  paint.fillText(fit(paint, more, width - 18), x + 9, y + 48);
}
