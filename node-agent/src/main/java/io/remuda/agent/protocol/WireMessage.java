package io.remuda.agent.protocol;

/** A message between agent and coordinator. */
public sealed interface WireMessage permits AgentMessage, CoordinatorMessage {

  /** Version of this protocol; both sides must have the same. */
  int PROTOCOL_VERSION = 8;

  /** Maximum length of a frame on the wire in bytes. */
  int MAX_FRAME = 4 << 20;

  /** Maximum length of a message before compression in bytes. */
  int MAX_MESSAGE = 8 << 20;
}
