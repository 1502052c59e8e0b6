/** Starts and watches the agents that a coordinator runs on its own machine. */
package io.remuda.coordinator.launch;
