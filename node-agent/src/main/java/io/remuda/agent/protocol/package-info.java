/** What an agent is told, and what it tells the coordinator. */
package io.remuda.agent.protocol;
