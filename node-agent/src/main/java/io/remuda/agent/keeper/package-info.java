/**
 * The small process that owns a node's task processes: it spawns, watches and reaps them, outlives
 * the agent, and needs nothing but the JDK and JNA.
 */
package io.remuda.agent.keeper;
