/** The command that runs an ensemble. */
package io.remuda.coordinator.cli.ensemble;
