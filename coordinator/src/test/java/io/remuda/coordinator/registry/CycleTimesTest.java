package io.remuda.coordinator.registry;

import static org.junit.jupiter.api.Assertions.assertEquals;

import io.remuda.coordinator.schedule.CycleTimes;
import io.remuda.telemetry.testkit.ManualTicker;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.Set;
import org.junit.jupiter.api.Test;

class CycleTimesTest {

  private final ManualTicker clock = new ManualTicker();
  private final CycleTimes times = new CycleTimes(clock);

  private void passes(long millis, CycleTimes.Step step) {
    clock.advance(Duration.ofMillis(millis));
    times.end(step);
  }

  @Test
  void each_step_has_the_time_since_the_one_before() {
    times.begin();
    passes(2, CycleTimes.Step.COLLECT);
    passes(30, CycleTimes.Step.PLAN);
    assertEquals(
        Map.of(
            CycleTimes.Step.COLLECT, Duration.ofMillis(2),
            CycleTimes.Step.PLAN, Duration.ofMillis(30)),
        times.last());
    assertEquals(Duration.ofMillis(32), times.total());
    assertEquals("COLLECT 2 ms, PLAN 30 ms", times.toString());
  }

  @Test
  void a_new_cycle_begins_with_no_step() {
    times.begin();
    passes(2, CycleTimes.Step.COLLECT);
    clock.advance(Duration.ofSeconds(1));
    times.begin();
    passes(3, CycleTimes.Step.COMMIT);
    assertEquals(Map.of(CycleTimes.Step.COMMIT, Duration.ofMillis(3)), times.last());
  }

  @Test
  void a_cycle_without_waiting_tasks_takes_not_even_a_snapshot() {
    TestCluster cluster = new TestCluster().node("n1");
    cluster.tasks.schedule(List.of(), times, 1);
    assertEquals(Set.of(), times.last().keySet());
  }
}
