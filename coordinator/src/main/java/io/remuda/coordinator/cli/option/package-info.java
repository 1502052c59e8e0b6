/** Options of a job by the table of its fields, and times at which it may begin. */
package io.remuda.coordinator.cli.option;
