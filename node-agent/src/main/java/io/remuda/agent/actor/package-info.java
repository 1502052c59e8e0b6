/** The agent's actors: they apply what the plain code decides. */
package io.remuda.agent.actor;
