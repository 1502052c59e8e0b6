/** Runs in a Slurm allocation: reads the allocation, starts and ends agents on its nodes. */
package io.remuda.coordinator.slurm;
