/** One task: its record in each state, its history and its changes. */
package io.remuda.coordinator.registry.task;
