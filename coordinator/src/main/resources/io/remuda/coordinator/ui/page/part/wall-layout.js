// @ts-check
/** Where the cells of the wall are: a tile for each node, as many beside each other as fit. */

/**
 * @typedef {object} WallData
 * @property {any[]} nodes
 * @property {any[]} gpus
 * @property {Map<string, any>} nodeOf by name
 * @property {number[]} shown indices of the GPUs that are shown, node by node
 * @property {string} metric
 * @property {number} now by the server's clock, in seconds
 * @property {Map<number, number>} places of the jobs' letters
 * @property {Map<number, any>} [jobOf] the jobs that run by their number, if they are known
 * @property {(index: number) => number[]} jobsOf
 */

/** @typedef {{x: number, y: number, width: number, height: number, index: number, size: Size}} Cell */
/** @typedef {{x: number, y: number, width: number, height: number, node: any, text: string, size: Size}} Name */
/** @typedef {"large" | "middle" | "small"} Size */
/** @typedef {{cells: Cell[], names: Name[], height: number, below: (at: number, rows: number) => number}} Layout */

/** By the number of GPUs: how large a cell is, and its node's name. */
const SIZES = /** @type {const} */ ({
  large: { width: 152, height: 78, gap: 6, name: 20, tileGap: 18 },
  middle: { width: 46, height: 34, gap: 3, name: 17, tileGap: 14 },
  small: { width: 13, height: 20, gap: 2, name: 13, tileGap: 10 },
});
const LARGE_MOST = 24;
const MIDDLE_MOST = 512;

/** @param {number} count @returns {Size} */
function sizeFor(count) {
  return count <= LARGE_MOST ? "large" : count <= MIDDLE_MOST ? "middle" : "small";
}

/**
 * @param {WallData | null} data
 * @param {number} width in CSS pixels
 * @returns {Layout}
 */
export function layOut(data, width) {
  /** @type {Cell[]} */
  const cells = [];
  /** @type {Name[]} */
  const names = [];
  const size = sizeFor(data ? data.shown.length : 0);
  const { width: across, height: down, gap, name, tileGap } = SIZES[size];
  const tiles = tilesOf(data);
  const fit = Math.max(1, Math.floor((width + gap) / (across + gap)));
  const widest = Math.max(1, ...tiles.map((tile) => Math.min(fit, Math.max(1, tile.gpus.length))));
  const tileWidth = Math.max(widest * (across + gap) - gap, Math.min(width, 96));
  const beside = Math.max(1, Math.floor((width + tileGap) / (tileWidth + tileGap)));
  let y = 0;
  for (let first = 0; first < tiles.length; first += beside) {
    const row = tiles.slice(first, first + beside);
    let tallest = 0;
    row.forEach((tile, column) => {
      const x = column * (tileWidth + tileGap);
      names.push({ x, y, width: tileWidth, height: name, node: tile.node, text: tile.name, size });
      tile.gpus.forEach((index, place) => {
        const line = Math.floor(place / widest);
        cells.push({
          x: x + (place % widest) * (across + gap),
          y: y + name + line * (down + gap),
          width: across,
          height: down,
          index,
          size,
        });
      });
      const lines = Math.max(1, Math.ceil(tile.gpus.length / widest));
      tallest = Math.max(tallest, name + lines * (down + gap));
    });
    y += tallest + tileGap - gap;
  }
  return { cells, names, height: Math.max(0, y - tileGap + gap), below: below(cells) };
}

/** @param {WallData | null} data */
function tilesOf(data) {
  /** @type {Map<string, {name: string, node: any, gpus: number[]}>} */
  const tiles = new Map();
  for (const index of data?.shown ?? []) {
    const name = data?.gpus[index].node;
    const tile = tiles.get(name) ?? { name, node: data?.nodeOf.get(name), gpus: [] };
    tile.gpus.push(index);
    tiles.set(name, tile);
  }
  return [...tiles.values()];
}

/** @param {Cell[]} cells @returns {Layout["below"]} the nearest cell so many rows below */
function below(cells) {
  return (at, rows) => {
    const from = cells[at];
    let best = at;
    let least = Infinity;
    cells.forEach((cell, index) => {
      const down = (cell.y - from.y) * rows;
      const distance = down * 1000 + Math.abs(cell.x - from.x);
      if (down > 0 && distance < least) {
        least = distance;
        best = index;
      }
    });
    return best;
  };
}
