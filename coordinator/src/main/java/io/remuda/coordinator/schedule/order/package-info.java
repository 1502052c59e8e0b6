/** The order of waiting tasks: priority, then fair share, then the order of submission. */
package io.remuda.coordinator.schedule.order;
