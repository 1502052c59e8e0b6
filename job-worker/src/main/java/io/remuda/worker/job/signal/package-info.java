/** Names and numbers of signals, and which processes get them. */
package io.remuda.worker.job.signal;
