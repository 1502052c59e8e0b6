/**
 * The messages between an agent and its keeper, the small process that owns a node's task
 * processes: requests, answers, states and ends of tasks.
 */
package io.remuda.agent.keeper;
