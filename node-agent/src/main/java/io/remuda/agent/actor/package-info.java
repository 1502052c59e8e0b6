/** The agent's actors: they carry out the decisions of the packages without side effects. */
package io.remuda.agent.actor;
