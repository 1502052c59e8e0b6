/** The command that replays nodes and tasks from files, or what a cluster did. */
package io.remuda.coordinator.cli.simulate;
