package io.remuda.coordinator.api;

import io.remuda.agent.protocol.CoordinatorMessage;

/** A command of the coordinator to the session of an agent. */
public sealed interface AgentSessionCommand {

  /** Sends a message to the agent. */
  record Send(CoordinatorMessage message) implements AgentSessionCommand {}

  /** Ends the connection once the queue is sent. */
  enum Close implements AgentSessionCommand {
    INSTANCE
  }
}
