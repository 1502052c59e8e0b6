package io.remuda.coordinator.schedule.model;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.remuda.telemetry.model.DeviceId;
import io.remuda.telemetry.model.DeviceProcess;
import io.remuda.telemetry.model.DeviceSampleBuilder;
import java.util.List;
import java.util.Set;
import org.junit.jupiter.api.Test;

/** Whose memory of a device counts as that of strangers. */
class StrangerMemoryTest {
  private static final long MIB = 1L << 20;
  private static final long TOTAL = 80_000 * MIB;
  private static final long TOLERATED = 256 * MIB;

  private static StrangerMemory of(Long used, boolean lent, DeviceProcess... processes) {
    return of(used, lent, List.of(processes));
  }

  private static StrangerMemory of(Long used, boolean lent, List<DeviceProcess> processes) {
    return StrangerMemory.of(
        DeviceSampleBuilder.of(new DeviceId("A"), 0).memUsed(used).processes(processes).build(),
        TOTAL,
        TOLERATED,
        lent,
        Set.of(77L));
  }

  private static DeviceProcess process(long pid, Long bytes) {
    return new DeviceProcess(pid, bytes);
  }

  @Test
  void a_process_of_no_task_is_a_stranger_beyond_what_is_tolerated() {
    assertTrue(of(300 * MIB, false, process(5, 257 * MIB)).isTooMuch());
    StrangerMemory little = of(300 * MIB, false, process(5, 256 * MIB));
    assertFalse(little.isTooMuch());
    assertTrue(little.isAvoided(), "an idle device is still better");
  }

  @Test
  void processes_of_tasks_are_none_on_whatever_node_of_the_machine_they_are() {
    DeviceProcess ours = process(5, 60_000 * MIB).of("1.0.1");
    DeviceProcess ofNeighbour = process(77, 10_000 * MIB);
    assertFalse(of(70_000 * MIB, false, ours, ofNeighbour).isThere());
  }

  @Test
  void memory_that_no_process_has_counts_only_beyond_what_idle_devices_may_have_in_use() {
    assertEquals(0, of(3_000 * MIB, false, List.of()).bytes()); // a driver, a display server
    assertEquals(3_500 * MIB, of(3_500 * MIB, false, List.of()).bytes());
    assertEquals(79_000 * MIB, of(79_000 * MIB, false, (List<DeviceProcess>) null).bytes());
  }

  @Test
  void on_a_lent_device_only_listed_processes_count_since_a_task_may_have_the_rest() {
    assertFalse(of(50_000 * MIB, true, List.of()).isThere());
    assertEquals(900 * MIB, of(50_000 * MIB, true, process(5, 900 * MIB)).bytes());
  }

  @Test
  void what_has_been_freed_since_the_processes_were_listed_does_not_count() {
    assertFalse(of(3 * MIB, false, process(5, 60_000 * MIB)).isTooMuch());
  }

  @Test
  void of_a_process_without_a_known_size_all_that_nobody_else_has_counts() {
    StrangerMemory hidden = of(1_000 * MIB, false, process(5, null));
    assertEquals(1_000 * MIB, hidden.bytes());
    assertEquals(List.of(process(5, null)), hidden.processes());
  }

  @Test
  void where_the_memory_cannot_be_read_the_processes_count() {
    assertEquals(500 * MIB, of(null, false, process(5, 500 * MIB)).bytes());
    assertFalse(of(null, false, List.of()).isTooMuch());
  }

  @Test
  void the_largest_process_is_named_first() {
    StrangerMemory both = of(900 * MIB, false, process(5, 300 * MIB), process(6, 600 * MIB));
    assertEquals(6, both.processes().get(0).pid());
  }

  @Test
  void where_any_use_is_tolerated_no_device_is_avoided() {
    StrangerMemory any =
        StrangerMemory.of(
            DeviceSampleBuilder.of(new DeviceId("A"), 0)
                .memUsed(TOTAL)
                .processes(List.of(process(5, TOTAL)))
                .build(),
            TOTAL,
            Long.MAX_VALUE,
            false,
            Set.of());
    assertFalse(any.isTooMuch());
    assertFalse(any.isAvoided());
    assertTrue(any.isThere(), "it is shown");
  }
}
