/** The MNIST images and labels: their sources and file formats. */
package io.remuda.worker.workload.mnist.data;
