/** How well a task fits on a node that may run it, from 0 to 1. */
package io.remuda.coordinator.schedule.score;
