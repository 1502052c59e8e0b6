package io.remuda.agent.gpu;

import static org.junit.jupiter.api.Assertions.assertEquals;

import io.remuda.agent.attempt.PromisedGpuMemoryNote;
import io.remuda.telemetry.model.DeviceId;
import io.remuda.telemetry.model.DeviceProcess;
import io.remuda.telemetry.model.DeviceSampleBuilder;
import io.remuda.telemetry.model.HostSample;
import io.remuda.telemetry.model.NodeSample;
import io.remuda.worker.job.AttemptId;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import org.junit.jupiter.api.Test;

/** Excessive use of a device of 24 GiB. */
class OverUseTest {
  private static final long GIB = 1L << 30;
  private static final DeviceId GPU = new DeviceId("GPU-a");

  private final Map<AttemptId, PromisedGpuMemoryNote> promises = new TreeMap<>();
  private final List<DeviceProcess> processes = new ArrayList<>();
  private long foreign;

  private OverUseTest promised(String attempt, long gib) {
    promises.put(
        AttemptId.parse(attempt), new PromisedGpuMemoryNote(List.of(GPU.uuid()), gib * GIB));
    return this;
  }

  private OverUseTest uses(String attempt, double gib) {
    processes.add(new DeviceProcess(processes.size() + 2, (long) (gib * GIB), attempt));
    return this;
  }

  private OverUseTest foreign(long gib) {
    foreign = gib * GIB;
    return this;
  }

  /** The attempts with excess, marked if other tasks need it. */
  private List<String> found() {
    long used = foreign + processes.stream().mapToLong(DeviceProcess::memBytes).sum();
    NodeSample sample =
        new NodeSample(
            "n1",
            1,
            0,
            new HostSample(0, 0, 0, null, 4, 1L << 33, 1L << 32, 0L),
            List.of(
                DeviceSampleBuilder.of(GPU, 0)
                    .memTotal(24 * GIB)
                    .memUsed(used)
                    .memReserved(0L)
                    .processes(processes)
                    .build()));
    return OverUse.in(sample, promises).stream()
        .map(over -> over.attempt() + (over.isMissed() ? "!" : ""))
        .toList();
  }

  @Test
  void who_keeps_to_a_promise_is_let_be_and_so_is_who_takes_a_little_more() {
    promised("1.0.1", 10).promised("2.0.1", 10).uses("1.0.1", 10.4).uses("2.0.1", 3);
    assertEquals(List.of(), found());
  }

  @Test
  void too_much_is_no_harm_as_long_as_the_others_can_have_theirs() {
    promised("1.0.1", 5).promised("2.0.1", 10).uses("1.0.1", 12).uses("2.0.1", 4);
    assertEquals(List.of("1.0.1"), found());
  }

  @Test
  void what_a_task_that_is_still_starting_was_promised_counts() {
    promised("1.0.1", 5).promised("2.0.1", 10).uses("1.0.1", 15);
    assertEquals(List.of("1.0.1!"), found());
  }

  @Test
  void of_several_the_one_with_most_too_much_goes_and_never_one_that_keeps_its_promise() {
    promised("1.0.1", 4).promised("2.0.1", 4).promised("3.0.1", 14);
    uses("1.0.1", 5).uses("2.0.1", 8).uses("3.0.1", 10);
    assertEquals(List.of("2.0.1!", "1.0.1"), found());
  }

  @Test
  void a_device_that_is_full_is_helped_too() {
    promised("1.0.1", 5).promised("2.0.1", 10).uses("1.0.1", 13.9).uses("2.0.1", 10);
    assertEquals(List.of("1.0.1!"), found());
  }

  @Test
  void where_strangers_fill_the_device_nobody_who_keeps_a_promise_is_to_blame() {
    promised("1.0.1", 10).uses("1.0.1", 2).foreign(21);
    assertEquals(List.of(), found());
  }

  @Test
  void all_processes_of_a_task_count_together_and_those_of_others_not_at_all() {
    promised("1.0.1", 5).uses("1.0.1", 3).uses("1.0.1", 3).uses("9.0.1", 14).uses(null, 1);
    assertEquals(List.of("1.0.1"), found());
  }
}
