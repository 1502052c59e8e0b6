/** What a run prints, in order and without making an actor wait for the terminal. */
package io.remuda.coordinator.console;
