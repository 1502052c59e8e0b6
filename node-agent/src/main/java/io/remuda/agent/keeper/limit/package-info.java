/**
 * Limits of tasks: locks of devices, control groups, and the note of a limit that has ended a task.
 */
package io.remuda.agent.keeper.limit;
