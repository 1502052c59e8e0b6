/** The SciPy work of the ensemble: images convolved with 4x4 filters, every fifth value kept. */
package io.remuda.worker.workload.convolution;
