/** Decides which waiting task goes to which node: computes a plan from a snapshot, without I/O. */
package io.remuda.coordinator.schedule;
