package io.remuda.coordinator.usage;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertNull;

import io.remuda.agent.protocol.AttemptGpuUtilization;
import io.remuda.agent.protocol.TaskEnd;
import io.remuda.worker.job.ResourceRequest;
import org.junit.jupiter.api.Test;

/** The sums of one attempt. */
class AttemptUsageTest {
  private static final long GIB = 1L << 30;

  private static UsageTotals of(ResourceRequest needs, int gpus, AttemptGpuUtilization load) {
    TaskEnd end =
        new TaskEnd(
            TaskEnd.Kind.BY_ITSELF, 0, null, "exit code 0", null, 1L, 1000L, null, null, load);
    return new AttemptUsage(needs, gpus, 1000, end).totals(false, true);
  }

  @Test
  void a_part_of_a_gpus_memory_counts_as_that_part_of_the_gpu() {
    ResourceRequest part = new ResourceRequest(1, 2).withGpuMemory(20 * GIB);
    UsageTotals totals = of(part, 2, new AttemptGpuUtilization(50, 80, 80 * GIB));
    assertEquals(500, totals.gpuHeldMillis());
    assertEquals(250, totals.gpuUsedMillis());
    assertEquals(2000, of(part, 2, null).gpuHeldMillis(), "of a size that is not known");
  }

  @Test
  void no_reading_is_not_no_use() {
    ResourceRequest one = new ResourceRequest(1, 1);
    assertEquals(0, of(one, 1, new AttemptGpuUtilization(null, null, GIB)).gpuMeasuredMillis());
    assertEquals(0, of(one, 1, new AttemptGpuUtilization(null, null, GIB)).gpuIdleMillis());
    assertEquals(1000, of(one, 1, new AttemptGpuUtilization(0, 0, GIB)).gpuIdleMillis());
    assertEquals(0, of(one, 1, new AttemptGpuUtilization(0, 3, GIB)).gpuIdleMillis());
  }

  @Test
  void the_efficiency_of_cpus_is_their_time_by_that_of_those_asked_for() {
    assertEquals(75, AttemptUsage.cpuPercent(3000L, 2000, 2000L));
    assertEquals(200, AttemptUsage.cpuPercent(4000L, 1000, 2000L), "more than it asked for");
    assertNull(AttemptUsage.cpuPercent(null, 1000, 2000L));
    assertNull(AttemptUsage.cpuPercent(1L, 0, 2000L));
    assertNull(AttemptUsage.cpuPercent(1L, 1000, 0L));
  }
}
