/** Names and numbers of signals. */
package io.remuda.worker.job.signal;
