/**
 * Limits of tasks: locks of devices, control groups, those of a shell, and the note of a limit that
 * has ended a task.
 */
package io.remuda.agent.keeper.limit;
