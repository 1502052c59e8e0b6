// @ts-check
/** The views in the order of the navigation. */
import { view as cluster } from "./view/cluster.js";
import { view as job } from "./view/job.js";
import { view as people } from "./view/people.js";
import { view as queue } from "./view/queue.js";
import { view as timeline } from "./view/timeline.js";

/** @type {import("./lib/view.js").View[]} */
export const VIEWS = [cluster, queue, timeline, people, job];
