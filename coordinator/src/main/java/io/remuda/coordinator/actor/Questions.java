package io.remuda.coordinator.actor;

import io.remuda.agent.protocol.AgentMessage;
import java.time.Duration;
import java.util.HashMap;
import java.util.Map;
import org.apache.pekko.actor.typed.ActorRef;

/** Questions to agents that wait for their answers; those that get none are dropped. One thread. */
final class Questions {

  private static final Duration PATIENCE = Duration.ofSeconds(10);

  private record Asked(ActorRef<Reply<AgentMessage.Output>> replyTo, long at) {}

  private final Map<Long, Asked> open = new HashMap<>();
  private long last;

  /** Notes who waits and gives the question's number. */
  long ask(ActorRef<Reply<AgentMessage.Output>> replyTo, long now) {
    open.put(++last, new Asked(replyTo, now));
    return last;
  }

  void answered(AgentMessage.Output output) {
    Asked asked = open.remove(output.id());
    if (asked == null) {
      return; // it came too late
    }
    asked
        .replyTo()
        .tell(
            output.fault() == null
                ? Reply.of(output)
                : Reply.no(Rejection.of(Rejection.Code.NOT_FOUND, "no output: " + output.fault())));
  }

  void tick(long now) {
    open.values().removeIf(asked -> now - asked.at() > PATIENCE.toNanos());
  }
}
