/** The entry point of a worker process. */
package io.remuda.worker.main;
