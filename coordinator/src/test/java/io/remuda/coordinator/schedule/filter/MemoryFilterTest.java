package io.remuda.coordinator.schedule.filter;

import static io.remuda.coordinator.schedule.ScheduleSamples.needs;
import static io.remuda.coordinator.schedule.ScheduleSamples.node;
import static io.remuda.coordinator.schedule.ScheduleSamples.text;
import static org.junit.jupiter.api.Assertions.assertEquals;

import io.remuda.coordinator.schedule.model.NodeOffer.Amount;
import io.remuda.coordinator.schedule.model.RemainingNodeCapacity;
import io.remuda.coordinator.schedule.model.WaitReason;
import java.util.Optional;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

class MemoryFilterTest {
  private static final long GIB = 1L << 30;

  private final MemoryFilter filter = new MemoryFilter();

  @ParameterizedTest(name = "{1} of {0} free bytes")
  @CsvSource({
    "1000, 1000, true",
    "999, 1000, false",
    "1001, 1000, true",
    "1, 1, true",
    "0, 1, false",
    "0, 0, true",
    "-1, 0, true",
    "-1, 1, false",
    "9223372036854775807, 9223372036854775807, true",
    "9223372036854775806, 9223372036854775807, false"
  })
  void a_task_fits_up_to_the_last_free_byte(long free, long wanted, boolean fits) {
    RemainingNodeCapacity node = node("n1").memory(free, 1000).capacity();
    assertEquals(fits, filter.refusal(node, needs().memory(wanted).request()).isEmpty());
  }

  @Test
  void the_reason_has_what_is_wanted_what_is_free_and_the_total() {
    RemainingNodeCapacity node = node("n1").memory(2 * GIB, 16 * GIB).capacity();
    WaitReason reason = filter.refusal(node, needs().memory(8 * GIB).request()).orElseThrow();
    assertEquals(new WaitReason.TooLittleMemory("n1", 8 * GIB, 2 * GIB, 16 * GIB), reason);
    assertEquals("n1: 2.0 GiB of 16.0 GiB memory free, wanted 8.0 GiB", text(reason));
  }

  @Test
  void what_the_plan_has_placed_is_no_longer_free() {
    RemainingNodeCapacity node = node("n1").memory(1000, 1000).capacity();
    node.take(needs().memory(600).request(), null, RemainingNodeCapacity.byIndex());
    assertEquals(Optional.empty(), filter.refusal(node, needs().memory(400).request()));
    assertEquals(
        Optional.of(new WaitReason.TooLittleMemory("n1", 401, 400, 1000)),
        filter.refusal(node, needs().memory(401).request()));
  }

  @Test
  void a_node_has_no_more_than_its_machine() {
    RemainingNodeCapacity node =
        node("n1")
            .memory(1000, 1000)
            .machine("m1", new Amount(4000, 4000), new Amount(300, 2000))
            .capacity();
    assertEquals(Optional.empty(), filter.refusal(node, needs().memory(300).request()));
    assertEquals(
        Optional.of(new WaitReason.TooLittleMemory("n1", 301, 300, 1000)),
        filter.refusal(node, needs().memory(301).request()));
  }

  @Test
  void cores_and_the_memory_of_gpus_do_not_matter_to_it() {
    RemainingNodeCapacity node = node("n1").cpus(0, 0).memory(10, 10).capacity();
    assertEquals(
        Optional.empty(),
        filter.refusal(node, needs().cpus(4).memory(10).gpus(1).gpuMemory(500).request()));
  }
}
