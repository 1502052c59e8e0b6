/** The keeper without its socket: tasks from their requests to their exit records. */
package io.remuda.agent.keeper.task;
