/** The commands for jobs. */
package io.remuda.coordinator.cli.job;
