/** What distinguishes the tasks of a job: indices, lines, entries and parameters. No I/O. */
package io.remuda.worker.job.sweep;
