/** Starts and watches the agents of a run on the coordinator's machine. */
package io.remuda.coordinator.launch;
