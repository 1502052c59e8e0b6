/** Finds the CUDA libraries that libtorch's GPU build loads. */
package io.remuda.worker.cuda;
