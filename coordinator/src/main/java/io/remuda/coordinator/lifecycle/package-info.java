/** The states of a task and the events that lead from one to another, pure. */
package io.remuda.coordinator.lifecycle;
