/** The specification of jobs and tasks, independent of where they run. */
package io.remuda.worker.job;
