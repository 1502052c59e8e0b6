package io.remuda.agent.recovery;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.remuda.agent.protocol.TaskPhase;
import io.remuda.agent.protocol.TaskStartOrder;
import io.remuda.agent.testkit.TestAgents;
import io.remuda.worker.job.AttemptId;
import io.remuda.worker.job.ConvolutionWorkload;
import io.remuda.worker.job.JobId;
import io.remuda.worker.job.TaskId;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import net.jqwik.api.Arbitraries;
import net.jqwik.api.Arbitrary;
import net.jqwik.api.Combinators;
import net.jqwik.api.EdgeCasesMode;
import net.jqwik.api.ForAll;
import net.jqwik.api.Property;
import net.jqwik.api.Provide;

class DesiredStateDifferencePropertyTest {
  private static final Set<TaskPhase> LIVE =
      Set.of(TaskPhase.STARTING, TaskPhase.RUNNING, TaskPhase.ENDING);

  /** Few tasks and attempts, so that they meet. */
  private static Arbitrary<AttemptId> attempts() {
    return Combinators.combine(
            Arbitraries.integers().between(0, 3), Arbitraries.integers().between(1, 3))
        .as((task, attempt) -> new AttemptId(new TaskId(new JobId(1), task), attempt));
  }

  /** A coordinator wants one attempt of a task at most. */
  @Provide
  Arbitrary<List<TaskStartOrder>> desired() {
    return attempts()
        .list()
        .uniqueElements(AttemptId::task)
        .ofMaxSize(4)
        .map(ids -> ids.stream().map(DesiredStateDifferencePropertyTest::order).toList());
  }

  /** A node holds any number of attempts, of which one of a task lives. */
  @Provide
  Arbitrary<Map<AttemptId, TaskPhase>> held() {
    return Arbitraries.maps(attempts(), Arbitraries.of(TaskPhase.class))
        .ofMaxSize(8)
        .map(DesiredStateDifferencePropertyTest::oneLiveEach);
  }

  private static Map<AttemptId, TaskPhase> oneLiveEach(Map<AttemptId, TaskPhase> any) {
    Map<AttemptId, TaskPhase> held = new HashMap<>();
    Set<TaskId> living = new HashSet<>();
    any.forEach(
        (attempt, phase) -> {
          boolean second = LIVE.contains(phase) && !living.add(attempt.task());
          held.put(attempt, second ? TaskPhase.ENDED : phase);
        });
    return held;
  }

  private static TaskStartOrder order(AttemptId attempt) {
    return new TaskStartOrder(
        attempt,
        "ann",
        true,
        0,
        new ConvolutionWorkload(4, 1),
        List.of(),
        1,
        false,
        TestAgents.FACTS);
  }

  private static Map<AttemptId, TaskPhase> apply(
      DesiredStateDifference todo, Map<AttemptId, TaskPhase> held) {
    Map<AttemptId, TaskPhase> after = new HashMap<>(held);
    todo.end().forEach(attempt -> after.put(attempt, TaskPhase.ENDING));
    todo.forget().forEach(after::remove);
    todo.start().forEach(order -> after.put(order.attempt(), TaskPhase.STARTING));
    return after;
  }

  @Property(edgeCases = EdgeCasesMode.NONE)
  void a_task_with_a_live_attempt_is_never_started_again(
      @ForAll("desired") List<TaskStartOrder> desired,
      @ForAll("held") Map<AttemptId, TaskPhase> held) {
    Map<AttemptId, TaskPhase> after = apply(DesiredStateDifference.of(desired, held), held);
    Set<TaskId> living = new HashSet<>();
    after.forEach(
        (attempt, phase) ->
            assertTrue(
                !LIVE.contains(phase) || living.add(attempt.task()), attempt + " in " + after));
  }

  @Property(edgeCases = EdgeCasesMode.NONE)
  void an_attempt_that_is_held_is_never_started(
      @ForAll("desired") List<TaskStartOrder> desired,
      @ForAll("held") Map<AttemptId, TaskPhase> held) {
    DesiredStateDifference.of(desired, held)
        .start()
        .forEach(order -> assertFalse(held.containsKey(order.attempt())));
  }

  @Property(edgeCases = EdgeCasesMode.NONE)
  void deciding_again_right_after_applying_decides_nothing_new(
      @ForAll("desired") List<TaskStartOrder> desired,
      @ForAll("held") Map<AttemptId, TaskPhase> held) {
    Map<AttemptId, TaskPhase> after = apply(DesiredStateDifference.of(desired, held), held);
    assertEquals(
        new DesiredStateDifference(List.of(), List.of(), List.of()),
        DesiredStateDifference.of(desired, after));
  }

  @Property(edgeCases = EdgeCasesMode.NONE)
  void only_what_is_wanted_lives_once_everything_has_ended(
      @ForAll("desired") List<TaskStartOrder> desired,
      @ForAll("held") Map<AttemptId, TaskPhase> held) {
    Map<AttemptId, TaskPhase> now = held;
    for (int round = 0; round < 3; round++) {
      now = apply(DesiredStateDifference.of(desired, now), now);
      now.replaceAll((id, phase) -> phase == TaskPhase.ENDING ? TaskPhase.ENDED : phase);
    }
    Set<AttemptId> wanted = new HashSet<>();
    desired.forEach(order -> wanted.add(order.attempt()));
    assertEquals(wanted, now.keySet());
  }
}
