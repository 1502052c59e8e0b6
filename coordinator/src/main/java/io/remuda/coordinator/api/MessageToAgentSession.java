package io.remuda.coordinator.api;

import io.remuda.agent.protocol.CoordinatorMessage;

/** A command of the coordinator to the session of an agent. */
public sealed interface MessageToAgentSession {

  /** Sends a message to the agent. */
  record Send(CoordinatorMessage message) implements MessageToAgentSession {}

  /** Ends the connection once the queue is sent. */
  enum Close implements MessageToAgentSession {
    INSTANCE
  }
}
