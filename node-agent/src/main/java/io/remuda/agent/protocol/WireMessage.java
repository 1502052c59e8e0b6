package io.remuda.agent.protocol;

/** Marks what may leave the process between agent and coordinator. */
public sealed interface WireMessage permits AgentMessage, CoordinatorMessage {

  /** The version of this protocol; both sides must have the same. */
  int PROTOCOL_VERSION = 4;

  /** Longest frame in bytes, as it goes over the wire. */
  int MAX_FRAME = 4 << 20;

  /** Longest message in bytes before it is packed. */
  int MAX_MESSAGE = 8 << 20;
}
