package io.remuda.agent.protocol;

/** Marks what may leave the process between agent and coordinator. */
public sealed interface WireMessage permits AgentMessage, CoordinatorMessage {

  /** The version of this protocol; both sides must have the same. */
  int PROTOCOL_VERSION = 1;

  /** Longest frame in bytes. */
  int MAX_FRAME = 4 << 20;
}
