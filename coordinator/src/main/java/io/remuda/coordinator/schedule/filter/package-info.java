/** Checks whether a task may run on a node; each refusal has a reason. */
package io.remuda.coordinator.schedule.filter;
