/** Threads that keep no program alive. */
package io.remuda.thread;
