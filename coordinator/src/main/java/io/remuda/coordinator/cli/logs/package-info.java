/** The command that prints what tasks wrote. */
package io.remuda.coordinator.cli.logs;
