/** Whose turn it is: priority, then fair share, then the order of submission. */
package io.remuda.coordinator.schedule.order;
