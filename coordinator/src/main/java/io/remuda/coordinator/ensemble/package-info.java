/** The Dragon-style run: a training pool, a convolution pool, telemetry, a final report. */
package io.remuda.coordinator.ensemble;
