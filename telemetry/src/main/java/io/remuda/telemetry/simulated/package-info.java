/** Machines and GPUs that exist only as data, for tests and demonstrations. */
package io.remuda.telemetry.simulated;
