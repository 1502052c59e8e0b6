/** The output of a run, in order and without blocking an actor on the terminal. */
package io.remuda.coordinator.console;
