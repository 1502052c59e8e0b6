/** The states of a task and the transitions between them. */
package io.remuda.coordinator.lifecycle;
