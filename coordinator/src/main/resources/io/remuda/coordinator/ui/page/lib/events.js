// @ts-check
/** Server-sent events of a fetch, which unlike an EventSource sends the page's key. */
import { request } from "./api.js";

/** @typedef {{type: string, data: string, id: string | null}} ServerEvent */

/**
 * Reads events until the stream ends or is given up.
 * @param {string} path
 * @param {string} lastId id of the last event that is known, or ""
 * @param {AbortSignal} signal
 * @param {(event: ServerEvent) => void} onEvent
 * @param {() => void} onBytes called whenever something arrives
 */
export async function readEvents(path, lastId, signal, onEvent, onBytes) {
  const headers = lastId ? { "Last-Event-ID": lastId } : {};
  const answer = await request(path, { headers: /** @type {any} */ (headers), signal });
  const reader = /** @type {ReadableStream<Uint8Array>} */ (answer.body).getReader();
  const decoder = new TextDecoder();
  const parser = new EventParser(onEvent);
  for (;;) {
    const { done, value } = await reader.read();
    if (done) {
      return;
    }
    onBytes();
    parser.add(decoder.decode(value, { stream: true }));
  }
}

/** Events out of the pieces in which they arrive. */
class EventParser {
  #rest = "";
  #type = "";
  /** @type {string[]} */
  #data = [];
  /** @type {string | null} */
  #id = null;

  /** @param {(event: ServerEvent) => void} onEvent */
  constructor(onEvent) {
    this.onEvent = onEvent;
  }

  /** @param {string} text */
  add(text) {
    const lines = (this.#rest + text).split("\n");
    this.#rest = lines.pop() ?? "";
    for (const line of lines) {
      this.#line(line.endsWith("\r") ? line.slice(0, -1) : line);
    }
  }

  /** @param {string} line */
  #line(line) {
    if (line === "") {
      if (this.#data.length > 0) {
        this.onEvent({ type: this.#type || "message", data: this.#data.join("\n"), id: this.#id });
      }
      this.#type = "";
      this.#data = [];
      this.#id = null;
      return;
    }
    const colon = line.indexOf(":");
    if (colon <= 0) {
      return; // a comment, which keeps the connection
    }
    const value = line.slice(colon + 1).replace(/^ /, "");
    if (line.startsWith("data:")) {
      this.#data.push(value);
    } else if (line.startsWith("event:")) {
      this.#type = value;
    } else if (line.startsWith("id:")) {
      this.#id = value;
    }
  }
}
