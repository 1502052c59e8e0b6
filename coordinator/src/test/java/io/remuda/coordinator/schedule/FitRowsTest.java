package io.remuda.coordinator.schedule;

import static io.remuda.coordinator.schedule.ScheduleSamples.needs;
import static io.remuda.coordinator.schedule.ScheduleSamples.node;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertNull;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.remuda.coordinator.schedule.model.RemainingNodeCapacity;
import io.remuda.worker.job.ResourceRequest;
import java.lang.ref.WeakReference;
import org.junit.jupiter.api.Test;

class FitRowsTest {

  private static final ResourceRequest TWO_CORES = needs().cpus(2).request();

  private final FitRows rows = new FitRows();

  private boolean fits(RemainingNodeCapacity node) {
    return rows.of(TWO_CORES, 1).refusal(0, node, TWO_CORES).isEmpty();
  }

  @Test
  void another_node_in_its_place_and_a_node_that_gave_something_are_asked_again() {
    RemainingNodeCapacity node = node("n").cpus(3000, 4000).capacity();
    assertTrue(fits(node));
    node.take(TWO_CORES, null, RemainingNodeCapacity.byIndex());
    assertEquals(false, fits(node));
    assertTrue(fits(node("n").capacity()));
    assertEquals(false, fits(node("n").cpus(1000, 4000).capacity()));
  }

  @Test
  void nodes_of_earlier_plans_are_not_kept_in_memory() {
    WeakReference<RemainingNodeCapacity> node = new WeakReference<>(node("n").capacity());
    assertTrue(fits(node.get()));
    for (int tries = 0; tries < 100 && node.get() != null; tries++) {
      System.gc();
    }
    assertNull(node.get());
  }
}
