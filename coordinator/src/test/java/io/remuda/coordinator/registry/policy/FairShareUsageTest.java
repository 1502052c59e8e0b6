package io.remuda.coordinator.registry.policy;

import static org.junit.jupiter.api.Assertions.assertEquals;

import io.remuda.worker.job.ResourceRequest;
import io.remuda.worker.job.TaskId;
import java.time.Duration;
import java.util.ArrayDeque;
import java.util.Deque;
import java.util.HashMap;
import java.util.Map;
import org.junit.jupiter.api.Test;

class FairShareUsageTest {
  private static final long SECOND = 1_000_000_000L;
  private static final ResourceRequest CORE = new ResourceRequest(1, 0);
  private final FairShareUsage shares = new FairShareUsage(Duration.ofHours(24), 0);

  @Test
  void use_is_cores_by_seconds_and_a_gpu_counts_for_many_cores() {
    shares.started(TaskId.parse("1.0"), "ann", new ResourceRequest(2, 1), 0);
    shares.ended(TaskId.parse("1.0"), 10 * SECOND);
    assertEquals(
        (2 + FairShareUsage.CORES_OF_A_GPU) * 10, shares.use(10 * SECOND).get("ann"), 0.01);
  }

  @Test
  void what_was_used_a_half_life_ago_counts_half() {
    shares.started(TaskId.parse("1.0"), "ann", CORE, 0);
    shares.ended(TaskId.parse("1.0"), 100 * SECOND);
    long later = 100 * SECOND + Duration.ofHours(24).toNanos();
    assertEquals(50, shares.use(later).get("ann"), 0.1);
  }

  @Test
  void a_task_that_has_just_begun_counts_for_as_long_as_such_tasks_take() {
    shares.started(TaskId.parse("1.0"), "ann", CORE, 0);
    shares.ended(TaskId.parse("1.0"), 5 * SECOND);
    shares.started(TaskId.parse("1.1"), "ann", CORE, 5 * SECOND);
    assertEquals(10, shares.use(5 * SECOND).get("ann"), 0.01);
  }

  @Test
  void what_is_stored_for_the_next_coordinator_counts_no_second_twice() {
    shares.started(TaskId.parse("1.0"), "ann", CORE, 0);
    shares.ended(TaskId.parse("1.0"), 1000 * SECOND);
    shares.started(TaskId.parse("1.1"), "ann", CORE, 1000 * SECOND);
    double stored = shares.usedSoFar(1100 * SECOND).get("ann");
    assertEquals(1100, stored, 10);
    FairShareUsage next = new FairShareUsage(Duration.ofHours(24), 1100 * SECOND);
    next.restore("ann", stored);
    next.started(TaskId.parse("1.1"), "ann", CORE, 1100 * SECOND);
    next.ended(TaskId.parse("1.1"), 2000 * SECOND);
    assertEquals(2000, next.use(2000 * SECOND).get("ann"), 40);
  }

  /** Five hundred equal tasks of two users with shares of three to one, over eight slots. */
  @Test
  void use_follows_the_shares_within_five_percent() {
    shares.share("ann", 3);
    shares.share("bob", 1);
    Map<String, Integer> started = new HashMap<>();
    Deque<TaskId> running = new ArrayDeque<>();
    long now = 0;
    for (int i = 0; i < 500; i++) {
      if (running.size() == 8) {
        now += 2 * SECOND;
        shares.ended(running.poll(), now);
      }
      Map<String, Double> use = shares.useByShare(now);
      String next = use.getOrDefault("ann", 0.0) <= use.getOrDefault("bob", 0.0) ? "ann" : "bob";
      TaskId id = TaskId.parse("1." + i);
      shares.started(id, next, CORE, now);
      started.merge(next, 1, Integer::sum);
      running.add(id);
    }
    assertEquals(0.75, started.get("ann") / 500.0, 0.05 * 0.75, started.toString());
  }
}
