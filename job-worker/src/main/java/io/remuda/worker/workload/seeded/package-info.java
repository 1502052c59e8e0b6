/** Numbers that depend on a seed and on nothing else. */
package io.remuda.worker.workload.seeded;
