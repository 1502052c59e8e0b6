package io.remuda.coordinator.rest.output;

import io.remuda.agent.protocol.AgentMessage;
import io.remuda.agent.protocol.OutputStreamName;
import io.remuda.coordinator.api.CoordinatorCommand;
import io.remuda.coordinator.api.Rejection;
import io.remuda.coordinator.api.Reply;
import java.util.Arrays;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.atomic.AtomicLong;
import org.apache.pekko.actor.typed.Behavior;
import org.apache.pekko.actor.typed.javadsl.Behaviors;

/** A coordinator that only answers for what tasks have printed, and notes what it was asked. */
final class FakeOutputs {

  /** What attempts, as {@code 1.0.1}, have printed to stdout. */
  final Map<String, byte[]> printed = new ConcurrentHashMap<>();

  /** Nodes that do not answer. */
  final Set<String> away = ConcurrentHashMap.newKeySet();

  /** Bytes that were given. */
  final AtomicLong served = new AtomicLong();

  /** Questions for stdout as {@code NODE ATTEMPT OFFSET}. */
  final List<String> asked = new CopyOnWriteArrayList<>();

  Behavior<CoordinatorCommand> behavior() {
    return Behaviors.receive(CoordinatorCommand.class)
        .onMessage(
            CoordinatorCommand.ReadOutput.class,
            question -> {
              question.replyTo().tell(answer(question));
              return Behaviors.same();
            })
        .build();
  }

  private Reply<AgentMessage.Output> answer(CoordinatorCommand.ReadOutput question) {
    if (away.contains(question.node())) {
      return Reply.no(Rejection.of(Rejection.Code.UNREACHABLE, "away"));
    }
    byte[] all = new byte[0];
    if (question.stream() == OutputStreamName.OUT) {
      asked.add(question.node() + " " + question.attempt() + " " + question.offset());
      all = printed.getOrDefault(question.attempt().toString(), all);
    }
    int from = (int) Math.min(all.length, question.offset());
    byte[] part = Arrays.copyOfRange(all, from, Math.min(all.length, from + question.limit()));
    served.addAndGet(part.length);
    String place = question.machine() == null ? null : "in " + question.machine();
    return Reply.of(
        new AgentMessage.Output(1, from, part, all.length, 0, null, false, null, place));
  }
}
