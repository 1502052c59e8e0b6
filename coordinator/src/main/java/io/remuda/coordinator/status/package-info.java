/** The current state of a run's nodes and devices, as a file for other programs of the user. */
package io.remuda.coordinator.status;
