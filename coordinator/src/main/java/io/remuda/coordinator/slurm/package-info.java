/** Runs inside a Slurm allocation: reads it, starts agents in it by srun, ends them. */
package io.remuda.coordinator.slurm;
