/** Job files: reading, defaults from the shell, and faults with line and column. */
package io.remuda.coordinator.cli.jobfile;
