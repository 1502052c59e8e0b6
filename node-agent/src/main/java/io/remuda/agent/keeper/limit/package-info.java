/**
 * Limits of tasks: locks of devices, control groups, shared memory after their end, those of a
 * shell, and the note of a limit that has ended a task.
 */
package io.remuda.agent.keeper.limit;
