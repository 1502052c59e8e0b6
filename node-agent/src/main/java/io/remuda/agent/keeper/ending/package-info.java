/** The ways out of a task, and which of its processes are asked by which signal. */
package io.remuda.agent.keeper.ending;
