package io.remuda.coordinator.schedule.mix;

import static io.remuda.coordinator.schedule.ScheduleSamples.device;
import static io.remuda.coordinator.schedule.ScheduleSamples.needs;
import static io.remuda.coordinator.schedule.ScheduleSamples.node;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.remuda.coordinator.schedule.model.RemainingNodeCapacity;
import io.remuda.worker.job.ResourceRequest;
import java.util.List;
import org.junit.jupiter.api.Test;

class RoomTableTest {

  private static final ResourceRequest PART = needs().gpus(1).gpuMemory(10).request();
  private static final int MOST_CELLS = 400;
  private static final int MOST_STATES = 12;

  private final RoomTable table = new RoomTable(LossMeasure.ROOM, MOST_CELLS);
  private final RoomTable all = new RoomTable(LossMeasure.ROOM, 1_000_000);

  RoomTableTest() {
    TaskMix mix = new TaskMix(List.of(new TaskMix.Part(TaskShape.of(PART), 1)));
    table.learn(mix);
    all.learn(mix);
  }

  private static RemainingNodeCapacity withFree(long bytes) {
    return node("n", device("GPU-1").shared(bytes), device("GPU-2").shared(bytes + 1)).capacity();
  }

  @Test
  void states_that_no_node_reaches_are_dropped_and_no_answer_is_another_one() {
    for (long free = 10; free < 90; free++) {
      RemainingNodeCapacity node = withFree(free);
      table.look(List.of(node));
      all.look(List.of(node));
      assertEquals(all.cost(node, PART), table.cost(node, PART));
      assertEquals(all.device(node, PART), table.device(node, PART));
      assertTrue(table.states() <= MOST_STATES + 2, table.states() + " states");
    }
  }

  @Test
  void states_are_dropped_between_looks_too() {
    RemainingNodeCapacity node = withFree(90);
    table.look(List.of(node));
    all.look(List.of(node));
    for (int milliCpus = 1; milliCpus < 200; milliCpus++) {
      ResourceRequest needs = needs().gpus(1).gpuMemory(10).cpus(milliCpus / 1000.0).request();
      table.trim();
      assertEquals(all.cost(node, needs), table.cost(node, needs));
      assertTrue(table.states() <= 4 * MOST_STATES + 4, table.states() + " states");
    }
  }
}
