/** The order of waiting tasks: priority, then what the order policy says, then submission. */
package io.remuda.coordinator.schedule.order;
