/** The command that replays nodes and tasks from files. */
package io.remuda.coordinator.cli.simulate;
