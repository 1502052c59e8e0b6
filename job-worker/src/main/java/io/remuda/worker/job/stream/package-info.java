/** Where the standard streams of a command come from and go to. */
package io.remuda.worker.job.stream;
