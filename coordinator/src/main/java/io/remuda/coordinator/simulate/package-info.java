/** Replays nodes and tasks from files through the scheduler that places real tasks. */
package io.remuda.coordinator.simulate;
