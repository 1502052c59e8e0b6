/** What a script for sbatch finds and leaves, under a real Slurm and here. */
package io.remuda.coordinator.slurm.difference;
