/**
 * The agent's actors and the state that only they use: they carry out the decisions of the packages
 * without side effects.
 */
package io.remuda.agent.actor;
