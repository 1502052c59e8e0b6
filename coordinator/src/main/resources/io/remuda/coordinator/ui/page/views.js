// @ts-check
/** The views in the order of the navigation. */
import { view as cluster } from "./view/cluster.js";

/** @type {import("./lib/view.js").View[]} */
export const VIEWS = [cluster];
