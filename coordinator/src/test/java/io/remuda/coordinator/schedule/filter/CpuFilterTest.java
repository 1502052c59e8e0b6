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

class CpuFilterTest {
  private final CpuFilter filter = new CpuFilter();

  @ParameterizedTest(name = "{1} cores of {0} free thousandths")
  @CsvSource({
    "4000, 4, true",
    "3999, 4, false",
    "4001, 4, true",
    "100, 0.1, true",
    "99, 0.1, false",
    "0, 0.001, false",
    "1, 0.001, true",
    "0, 0, true",
    "-500, 0, true",
    "-500, 0.001, false",
    "0, 0.0004, true",
    "0, 0.0005, false"
  })
  void a_task_fits_up_to_the_last_free_thousandth(long free, double wanted, boolean fits) {
    RemainingNodeCapacity node = node("n1").cpus(free, 4000).capacity();
    assertEquals(fits, filter.refusal(node, needs().cpus(wanted).request()).isEmpty());
  }

  @Test
  void the_reason_has_what_is_wanted_what_is_free_and_the_total() {
    RemainingNodeCapacity node = node("n1").cpus(500, 4000).capacity();
    WaitReason reason = filter.refusal(node, needs().cpus(1.5).request()).orElseThrow();
    assertEquals(new WaitReason.TooFewFreeCpus("n1", 1500, 500, 4000), reason);
    assertEquals("n1: 0.50 of 4 CPUs free, wanted 1.50", text(reason));
  }

  @Test
  void what_the_plan_has_placed_is_no_longer_free() {
    RemainingNodeCapacity node = node("n1").cpus(4000, 4000).capacity();
    node.take(needs().cpus(2.5).request(), null, RemainingNodeCapacity.byIndex());
    assertEquals(Optional.empty(), filter.refusal(node, needs().cpus(1.5).request()));
    assertEquals(
        Optional.of(new WaitReason.TooFewFreeCpus("n1", 1501, 1500, 4000)),
        filter.refusal(node, needs().cpus(1.501).request()));
  }

  @Test
  void a_node_has_no_more_than_its_machine() {
    RemainingNodeCapacity node =
        node("n1")
            .cpus(4000, 4000)
            .machine("m1", new Amount(1000, 8000), new Amount(1000, 1000))
            .capacity();
    assertEquals(Optional.empty(), filter.refusal(node, needs().cpus(1).request()));
    assertEquals(
        Optional.of(new WaitReason.TooFewFreeCpus("n1", 2000, 1000, 4000)),
        filter.refusal(node, needs().cpus(2).request()));
  }

  @Test
  void memory_and_gpus_do_not_matter_to_it() {
    RemainingNodeCapacity node = node("n1").memory(0, 0).capacity();
    assertEquals(
        Optional.empty(), filter.refusal(node, needs().cpus(4).memory(9).gpus(9).request()));
  }
}
