package io.remuda.coordinator.api;

import static org.junit.jupiter.api.Assertions.assertEquals;

import io.remuda.coordinator.api.DeviceMemorySplit.TenantMemory;
import io.remuda.telemetry.model.DeviceId;
import io.remuda.telemetry.model.DeviceProcess;
import io.remuda.telemetry.model.DeviceSample;
import io.remuda.telemetry.model.DeviceSampleBuilder;
import io.remuda.worker.job.AttemptId;
import io.remuda.worker.job.ResourceRequest;
import java.util.Arrays;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.Test;

class DeviceMemorySplitTest {
  private static final AttemptId FIRST = AttemptId.parse("1.0.1");
  private static final AttemptId SECOND = AttemptId.parse("2.3.1");
  private static final Map<AttemptId, ResourceRequest> PROMISED =
      Map.of(FIRST, part(40), SECOND, part(20));

  private static ResourceRequest part(long bytes) {
    return new ResourceRequest(0, 1, 0, bytes, null, Map.of());
  }

  private static DeviceSample reading(long used, DeviceProcess... processes) {
    return DeviceSampleBuilder.of(new DeviceId("GPU-1"), 0)
        .memUsed(used)
        .processes(Arrays.asList(processes))
        .build();
  }

  private static DeviceProcess process(long pid, Long bytes, AttemptId attempt) {
    DeviceProcess process = new DeviceProcess(pid, bytes);
    return attempt == null ? process : process.of(attempt.toString());
  }

  @Test
  void each_attempt_has_what_its_processes_use_and_the_rest_is_of_others() {
    DeviceSample reading =
        reading(
            70,
            process(1, 10L, FIRST),
            process(2, 20L, FIRST),
            process(3, 5L, SECOND),
            process(4, 15L, null));
    assertEquals(
        new DeviceMemorySplit(
            100L,
            70L,
            List.of(
                new TenantMemory(FIRST, false, 40L, 30L), new TenantMemory(SECOND, false, 20L, 5L)),
            35L),
        DeviceMemorySplit.of(100, List.of(FIRST, SECOND), PROMISED, reading));
  }

  @Test
  void who_has_a_whole_device_was_promised_all_of_it() {
    assertEquals(
        List.of(new TenantMemory(FIRST, true, 100L, 60L)),
        DeviceMemorySplit.of(
                100,
                List.of(FIRST),
                Map.of(FIRST, new ResourceRequest(0, 1)),
                reading(60, process(1, 60L, FIRST)))
            .parts());
  }

  @Test
  void who_shares_a_device_by_number_was_promised_that_part_of_it() {
    ResourceRequest quarter = new ResourceRequest(0, 1, 0, 0, null, Map.of(), 4, 0);
    assertEquals(
        List.of(new TenantMemory(FIRST, false, 24L, 0L)),
        DeviceMemorySplit.of(100, List.of(FIRST), Map.of(FIRST, quarter), reading(0)).parts());
    assertEquals(
        List.of(new TenantMemory(FIRST, false, null, null)),
        DeviceMemorySplit.of(0, List.of(FIRST), Map.of(FIRST, quarter), null).parts());
  }

  @Test
  void an_attempt_that_was_not_seen_on_the_device_uses_nothing_of_it() {
    DeviceMemorySplit split = DeviceMemorySplit.of(100, List.of(FIRST), PROMISED, reading(2));
    assertEquals(0L, split.parts().get(0).used());
    assertEquals(2L, split.others());
  }

  @Test
  void where_no_process_is_listed_and_memory_is_used_nobody_knows_whose_it_is() {
    DeviceMemorySplit split = DeviceMemorySplit.of(100, List.of(FIRST), PROMISED, reading(61));
    assertEquals(
        new DeviceMemorySplit(100L, 61L, List.of(new TenantMemory(FIRST, false, 40L, null)), null),
        split);
  }

  @Test
  void an_attempt_without_a_process_has_none_of_what_others_are_listed_with() {
    DeviceMemorySplit split =
        DeviceMemorySplit.of(
            100, List.of(FIRST, SECOND), PROMISED, reading(62, process(1, 60L, SECOND)));
    assertEquals(
        List.of(new TenantMemory(FIRST, false, 40L, 0L), new TenantMemory(SECOND, false, 20L, 60L)),
        split.parts());
    assertEquals(2L, split.others());
  }

  @Test
  void what_a_device_without_holders_has_in_use_is_of_others() {
    assertEquals(
        new DeviceMemorySplit(100L, 9L, List.of(), 9L),
        DeviceMemorySplit.of(100, List.of(), Map.of(), reading(9, process(1, 9L, SECOND))));
  }

  @Test
  void where_the_driver_does_not_say_what_a_process_uses_nobody_knows_what_others_do() {
    DeviceMemorySplit split =
        DeviceMemorySplit.of(
            100,
            List.of(FIRST),
            PROMISED,
            reading(50, process(1, 10L, FIRST), process(2, null, FIRST)));
    assertEquals(
        new DeviceMemorySplit(100L, 50L, List.of(new TenantMemory(FIRST, false, 40L, null)), null),
        split);
  }

  @Test
  void where_processes_are_not_named_nobody_knows_whose_the_memory_is() {
    DeviceSample reading = DeviceSampleBuilder.of(new DeviceId("GPU-1"), 0).memUsed(50L).build();
    assertEquals(
        new DeviceMemorySplit(100L, 50L, List.of(new TenantMemory(FIRST, false, 40L, null)), null),
        DeviceMemorySplit.of(100, List.of(FIRST), PROMISED, reading));
  }

  @Test
  void before_the_first_reading_only_what_was_promised_is_known() {
    assertEquals(
        new DeviceMemorySplit(null, null, List.of(new TenantMemory(FIRST, false, 40L, null)), null),
        DeviceMemorySplit.of(0, List.of(FIRST), PROMISED, null));
  }

  @Test
  void a_driver_that_counts_less_than_its_processes_has_no_others() {
    assertEquals(
        0L,
        DeviceMemorySplit.of(100, List.of(FIRST), PROMISED, reading(5, process(1, 9L, FIRST)))
            .others());
  }
}
