/**
 * The keeper: the small process that owns a node's task processes. It spawns, watches and reaps
 * them, outlives the agent, and needs only the JDK and JNA.
 */
package io.remuda.agent.keeper;
