/** Frames between an agent and the worker process of a task, over a Unix socket in its folder. */
package io.remuda.worker.protocol;
