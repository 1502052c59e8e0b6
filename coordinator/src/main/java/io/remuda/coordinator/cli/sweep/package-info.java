/** The options by which the tasks of a job differ, and the files that they name. */
package io.remuda.coordinator.cli.sweep;
