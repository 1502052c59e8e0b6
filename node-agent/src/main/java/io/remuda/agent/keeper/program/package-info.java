/** The keeper's program, which outlives the agent and needs only the JDK and JNA, and its start. */
package io.remuda.agent.keeper.program;
