/** The commands that let Prometheus read the metrics of a server. */
package io.remuda.coordinator.cli.metrics;
