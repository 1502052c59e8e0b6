package io.remuda.coordinator.registry.policy;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.remuda.coordinator.profile.JobType;
import io.remuda.coordinator.registry.policy.GpuFailures.RunningProgram;
import io.remuda.coordinator.schedule.model.DeviceOffer;
import io.remuda.coordinator.schedule.model.DeviceOffer.Standing;
import io.remuda.coordinator.schedule.model.NodeOffer;
import io.remuda.coordinator.schedule.model.NodeOffer.Amount;
import io.remuda.telemetry.model.DeviceId;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.OptionalLong;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;

/** Which GPUs rest because programs fail there, and for how long. */
class GpuFailuresTest {
  private static final JobType TRAIN = new JobType("ann", "train.py");
  private static final JobType EVAL = new JobType("bob", "eval.py");
  private static final long SECOND = Duration.ofSeconds(1).toNanos();

  private final GpuFailures failures = new GpuFailures(RetryPolicy.GpuRests.USUAL);
  private List<NodeOffer> nodes = List.of(node("n1", "H200", "A", "B"));
  private final List<RunningProgram> running = new ArrayList<>();
  private long now = -SECOND; // a monotonic clock may be negative

  private static NodeOffer node(String name, String model, String... devices) {
    return new NodeOffer(
        name,
        name,
        NodeOffer.Presence.READY,
        Map.of(),
        new Amount(1, 1),
        new Amount(1, 1),
        Stream.of(devices)
            .map(id -> new DeviceOffer(new DeviceId(id), model, 80, 80, Standing.FREE))
            .toList(),
        OptionalLong.empty());
  }

  private static List<DeviceId> device(String id) {
    return List.of(new DeviceId(id));
  }

  private void fails(JobType program, String device, int times) {
    fails(program, device, times, SECOND / 100);
  }

  private void fails(JobType program, String device, int times, long ran) {
    for (int i = 0; i < times; i++) {
      failures.failed(program, device(device), "exit 1", ran, nodes, () -> running, now);
    }
  }

  private boolean rests(String id) {
    return nodes.stream()
        .map(node -> failures.marked(node, now))
        .flatMap(node -> node.devices().stream())
        .anyMatch(one -> one.id().uuid().equals(id) && one.standing() == Standing.RESTING);
  }

  @Test
  void a_gpu_rests_after_three_quick_failures_of_a_program_that_succeeds_on_another() {
    failures.succeeded(TRAIN, device("B"), now);
    fails(TRAIN, "A", 2);
    assertFalse(rests("A"));
    fails(TRAIN, "A", 1);
    assertTrue(rests("A"));
    assertFalse(rests("B"));
    assertEquals("exit 1", failures.marked(nodes.get(0), now).devices().get(0).rest().cause());
  }

  @Test
  void a_program_that_runs_on_elsewhere_while_the_others_failed_does_well_there() {
    fails(TRAIN, "A", 5);
    assertFalse(rests("A"), "nobody knows yet whether it fails everywhere");
    running.add(new RunningProgram(TRAIN, device("B"), SECOND / 4));
    fails(TRAIN, "A", 1);
    assertFalse(rests("A"), "it has just begun there");
    running.add(new RunningProgram(TRAIN, device("B"), SECOND));
    fails(TRAIN, "A", 1);
    assertTrue(rests("A"));
  }

  @Test
  void a_program_that_fails_everywhere_is_at_fault_itself() {
    for (int i = 0; i < 20; i++) {
      fails(TRAIN, "A", 1);
      fails(TRAIN, "B", 1);
    }
    assertFalse(rests("A") || rests("B"));
  }

  @Test
  void success_of_another_program_elsewhere_says_nothing_of_one_that_fails() {
    failures.succeeded(EVAL, device("B"), now);
    running.add(new RunningProgram(EVAL, device("B"), 1000 * SECOND));
    fails(TRAIN, "A", 20);
    assertFalse(rests("A"));
  }

  @Test
  void several_programs_fail_in_a_row_as_one_does() {
    failures.succeeded(EVAL, device("B"), now);
    fails(TRAIN, "A", 1);
    fails(EVAL, "A", 2);
    assertTrue(rests("A"));
  }

  @Test
  void a_success_or_a_long_run_in_between_ends_the_row() {
    failures.succeeded(TRAIN, device("B"), now);
    fails(TRAIN, "A", 2);
    failures.succeeded(TRAIN, device("A"), now);
    fails(TRAIN, "A", 2);
    fails(TRAIN, "A", 1, 61 * SECOND);
    fails(TRAIN, "A", 2);
    assertFalse(rests("A"));
  }

  @Test
  void a_rest_doubles_while_the_next_try_fails_and_ends_with_a_success() {
    failures.succeeded(TRAIN, device("B"), now);
    fails(TRAIN, "A", 3);
    now += 30 * SECOND;
    assertFalse(rests("A"), "it is tried again");
    failures.succeeded(TRAIN, device("B"), now);
    fails(TRAIN, "A", 1);
    now += 59 * SECOND;
    assertTrue(rests("A"));
    now += SECOND;
    assertFalse(rests("A"));
    failures.succeeded(TRAIN, device("A"), now);
    fails(TRAIN, "A", 2);
    assertFalse(rests("A"), "the row begins anew");
  }

  @Test
  void a_rest_is_never_longer_than_the_longest() {
    for (int i = 0; i < 20; i++) {
      failures.succeeded(TRAIN, device("B"), now);
      fails(TRAIN, "A", 3);
      assertTrue(rests("A"));
      now += Duration.ofMinutes(15).toNanos();
      assertFalse(rests("A"));
    }
  }

  @Test
  void a_rest_ends_when_the_program_fails_where_it_did_well() {
    failures.succeeded(TRAIN, device("B"), now);
    fails(TRAIN, "A", 3);
    fails(TRAIN, "B", 1);
    assertFalse(rests("A"));
  }

  @Test
  void the_last_gpu_of_a_model_never_rests() {
    failures.succeeded(TRAIN, device("B"), now);
    failures.succeeded(TRAIN, device("A"), now);
    fails(TRAIN, "A", 3);
    fails(TRAIN, "B", 20);
    assertFalse(rests("A") && rests("B"));
    nodes = List.of(node("n1", "H200", "C"), node("n2", "V100", "D"));
    failures.succeeded(TRAIN, device("D"), now);
    fails(TRAIN, "C", 20);
    assertFalse(rests("C"), "the other is of another model");
  }

  @Test
  void a_node_on_which_nothing_works_does_not_rest_gpu_by_gpu() {
    nodes = List.of(node("n1", "H200", "A", "B"), node("n2", "H200", "C"));
    failures.succeeded(TRAIN, device("C"), now);
    fails(TRAIN, "A", 5);
    fails(TRAIN, "B", 5);
    assertFalse(rests("A") || rests("B"));
  }

  @Test
  void the_only_gpu_of_a_node_is_compared_with_those_of_other_nodes() {
    nodes = List.of(node("n1", "H200", "A"), node("n2", "H200", "B"));
    failures.succeeded(TRAIN, device("B"), now);
    fails(TRAIN, "A", 3);
    assertTrue(rests("A"));
  }

  @Test
  void old_success_is_no_longer_known() {
    failures.succeeded(TRAIN, device("B"), now);
    now += Duration.ofMinutes(11).toNanos();
    fails(TRAIN, "A", 10);
    assertFalse(rests("A"));
  }

  @Test
  void no_gpu_rests_if_that_is_switched_off() {
    GpuFailures off =
        new GpuFailures(
            new RetryPolicy.GpuRests(
                0, Duration.ofMinutes(1), Duration.ofSeconds(30), Duration.ofMinutes(15)));
    off.succeeded(TRAIN, device("B"), now);
    for (int i = 0; i < 20; i++) {
      off.failed(TRAIN, device("A"), "exit 1", 1, nodes, () -> running, now);
    }
    assertTrue(off.areNone(now));
  }
}
