/** Scores of the nodes on which a task fits. */
package io.remuda.coordinator.schedule.score;
