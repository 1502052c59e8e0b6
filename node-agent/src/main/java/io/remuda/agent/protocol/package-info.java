/** The messages between agents and the coordinator. */
package io.remuda.agent.protocol;
