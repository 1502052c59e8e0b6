/**
 * Processes by libc and /proc: starts, reads and signals them, and finds the keeper of a node's
 * folder.
 */
package io.remuda.agent.keeper.proc;
