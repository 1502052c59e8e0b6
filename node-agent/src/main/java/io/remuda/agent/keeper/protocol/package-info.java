/** The socket between an agent and its keeper: frames and both ends. */
package io.remuda.agent.keeper.protocol;
