/** The command that sends signals to running tasks. */
package io.remuda.coordinator.cli.signal;
