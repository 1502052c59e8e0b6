/** The list of commands, and those that need neither a server nor a run. */
package io.remuda.coordinator.cli.command;
