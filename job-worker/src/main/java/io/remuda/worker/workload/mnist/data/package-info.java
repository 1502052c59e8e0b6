/** The MNIST images and labels: where they come from and how their files are read. */
package io.remuda.worker.workload.mnist.data;
