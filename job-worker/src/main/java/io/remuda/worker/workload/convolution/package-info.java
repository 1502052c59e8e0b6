/**
 * The SciPy workload of the ensemble: images convolved with 4x4 filters, keeping every fifth value.
 */
package io.remuda.worker.workload.convolution;
