/** One class per verb of the command line. */
package io.remuda.coordinator.cli.command;
