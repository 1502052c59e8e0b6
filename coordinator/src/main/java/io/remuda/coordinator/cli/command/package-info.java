/** The commands of the command line, one class for each. */
package io.remuda.coordinator.cli.command;
