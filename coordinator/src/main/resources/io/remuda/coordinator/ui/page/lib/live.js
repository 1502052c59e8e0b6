// @ts-check
/**
 * The picture of the cluster out of the events of GET /live: what changes is written into the
 * nodes and GPUs that are there. In what the views get, memory is bytes and times are seconds.
 */

const MIB = 2 ** 20;

/** @typedef {import("./feed.js").Snapshot} Snapshot */

export class LivePicture {
  /** id of the last event that closed a second, or "" */
  lastId = "";
  /** @type {any} */
  #queue = null;
  /** @type {any} */
  #server = null;
  /** @type {any} */
  #jobs = null;
  /** @type {any[]} */
  #nodes = [];
  /** @type {any[]} */
  #gpus = [];
  #time = 0;

  /**
   * Takes an event.
   * @param {import("./events.js").ServerEvent} event
   * @returns {boolean} whether a whole second is there now
   */
  take(event) {
    const data = JSON.parse(event.data);
    switch (event.type) {
      case "server":
        this.#server = data;
        break;
      case "queue":
        this.#queue = data;
        break;
      case "jobs":
        this.#jobs = data;
        break;
      case "wall":
        this.#nodes = data.nodes.map(nodeOf);
        this.#gpus = data.gpus.map((/** @type {any} */ gpu) => gpuOf(gpu, this.#nodes));
        this.#time = data.time;
        break;
      case "wall-change":
        this.#change(data);
        break;
      default:
        return false;
    }
    if (event.id) {
      this.lastId = event.id;
    }
    return event.id !== null;
  }

  /** @param {any} data */
  #change(data) {
    this.#time = data.time;
    for (const node of data.nodes ?? []) {
      this.#nodes[node.at] = nodeOf(node);
    }
    for (const [at, cpu, usedMib, load] of data.nodeReadings ?? []) {
      Object.assign(this.#nodes[at], { cpu, usedBytes: bytes(usedMib), load1: load });
    }
    for (const gpu of data.gpus ?? []) {
      this.#gpus[gpu.at] = gpuOf(gpu, this.#nodes);
    }
    for (const [at, utilization, usedMib, otherMib, power, temperature] of data.gpuReadings ?? []) {
      Object.assign(this.#gpus[at], readings(utilization, usedMib, otherMib, power, temperature));
    }
  }

  /** @returns {Snapshot} */
  snapshot() {
    for (const node of this.#nodes) {
      node.sampledAt = node.silentSince ?? this.#time;
    }
    return {
      time: this.#time,
      nodes: this.#nodes,
      gpus: this.#gpus,
      counts: this.#queue?.jobs ?? {},
      jobs: (this.#jobs?.running ?? []).map((/** @type {any} */ one) => ({ id: one.job, user: one.user, name: one.name, state: "running" })),
      queue: this.#queue,
      server: this.#server,
    };
  }
}

/** @param {number | null} mib */
function bytes(mib) {
  return mib === null || mib === undefined ? null : mib * MIB;
}

/** @param {any} node */
function nodeOf(node) {
  return {
    name: node.name,
    state: node.state,
    note: node.note,
    cpus: node.cpus,
    memoryBytes: bytes(node.memoryMib),
    tasks: node.tasks,
    silentSince: node.silentSince,
    cpu: node.cpu,
    usedBytes: bytes(node.usedMib),
    load1: node.load,
    sampledAt: null,
  };
}

/** @param {any} gpu @param {any[]} nodes */
function gpuOf(gpu, nodes) {
  return {
    node: nodes[gpu.node]?.name ?? "",
    number: gpu.number,
    uuid: gpu.uuid,
    model: gpu.model,
    state: gpu.state,
    drainReason: gpu.drainReason,
    health: gpu.health,
    note: gpu.note,
    memoryBytes: bytes(gpu.memoryMib),
    powerLimitWatts: gpu.powerLimit,
    holders: gpu.holders.map((/** @type {any} */ one) => ({
      job: one.job,
      attempt: one.attempt,
      whole: one.whole,
      reservedBytes: bytes(one.lentMib),
      usedBytes: bytes(one.usedMib),
    })),
    strangers: [],
    ...readings(gpu.utilization, gpu.usedMib, gpu.otherMib, gpu.power, gpu.temperature),
  };
}

/**
 * @param {number | null} utilization
 * @param {number | null} usedMib
 * @param {number | null} otherMib
 * @param {number | null} power
 * @param {number | null} temperature
 */
function readings(utilization, usedMib, otherMib, power, temperature) {
  return {
    utilization,
    usedBytes: bytes(usedMib),
    otherBytes: bytes(otherMib),
    powerWatts: power,
    temperatureCelsius: temperature,
  };
}
