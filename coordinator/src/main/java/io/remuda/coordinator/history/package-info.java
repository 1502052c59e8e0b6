/** Readings of GPUs, nodes, tasks and the queue over time, in files of the server's folder. */
package io.remuda.coordinator.history;
