/** The MNIST workload of the ensemble: one training run on libtorch per learning rate. */
package io.remuda.worker.workload.mnist;
