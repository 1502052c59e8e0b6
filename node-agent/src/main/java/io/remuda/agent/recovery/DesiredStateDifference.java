package io.remuda.agent.recovery;

import io.remuda.agent.protocol.TaskPhase;
import io.remuda.agent.protocol.TaskStartOrder;
import io.remuda.worker.job.AttemptId;
import io.remuda.worker.job.TaskId;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.stream.Collectors;
import java.util.stream.Stream;

/**
 * The difference between the desired attempts and those on the node. A new order, a repeated one
 * and the first one after a restart are all handled by it.
 *
 * @param start orders of attempts that are not on the node, unless another attempt of the task is
 *     live there
 * @param end live attempts that are not desired
 * @param forget ended attempts that are not desired
 */
public record DesiredStateDifference(
    List<TaskStartOrder> start, List<AttemptId> end, List<AttemptId> forget) {

  public DesiredStateDifference {
    start = List.copyOf(start);
    end = List.copyOf(end);
    forget = List.copyOf(forget);
  }

  public static DesiredStateDifference of(
      List<TaskStartOrder> desired, Map<AttemptId, TaskPhase> held) {
    return of(desired, Set.of(), held);
  }

  /**
   * Computes the difference.
   *
   * @param desired orders that the node has not reported
   * @param kept attempts that should continue
   */
  public static DesiredStateDifference of(
      List<TaskStartOrder> desired, Set<AttemptId> kept, Map<AttemptId, TaskPhase> held) {
    Set<AttemptId> wanted =
        Stream.concat(desired.stream().map(TaskStartOrder::attempt), kept.stream())
            .collect(Collectors.toUnmodifiableSet());
    Set<TaskId> live = new HashSet<>();
    held.forEach(
        (attempt, phase) -> {
          if (isLive(phase)) {
            live.add(attempt.task());
          }
        });
    List<TaskStartOrder> start =
        desired.stream()
            .filter(order -> !held.containsKey(order.attempt()))
            .filter(order -> !live.contains(order.attempt().task()))
            .toList();
    List<AttemptId> end = new ArrayList<>();
    List<AttemptId> forget = new ArrayList<>();
    held.keySet().stream()
        .filter(attempt -> !wanted.contains(attempt))
        .sorted()
        .forEach(
            attempt -> {
              switch (held.get(attempt)) {
                case STARTING, RUNNING -> end.add(attempt);
                case ENDED, REFUSED -> forget.add(attempt);
                case ENDING -> {} // already asked to end
              }
            });
    return new DesiredStateDifference(start, end, forget);
  }

  private static boolean isLive(TaskPhase phase) {
    return phase != TaskPhase.ENDED && phase != TaskPhase.REFUSED;
  }
}
