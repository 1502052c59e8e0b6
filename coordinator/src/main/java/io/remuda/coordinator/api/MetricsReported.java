package io.remuda.coordinator.api;

import io.remuda.agent.protocol.AgentMessage;
import org.apache.pekko.actor.typed.ActorRef;

/**
 * The program of an attempt has reported values; published on the event stream of this server.
 *
 * @param session of the agent, which is told what is kept
 */
public record MetricsReported(
    AgentMessage.Metrics message, ActorRef<MessageToAgentSession> session) {}
