/** Metrics of the cluster in the formats that Prometheus reads. */
package io.remuda.coordinator.metrics;
