/** Simulated machines and GPUs for tests and demonstrations. */
package io.remuda.telemetry.simulated;
