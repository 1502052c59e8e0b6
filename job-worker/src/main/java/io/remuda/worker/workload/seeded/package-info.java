/** Random numbers that depend only on a seed. */
package io.remuda.worker.workload.seeded;
