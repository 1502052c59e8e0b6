package io.remuda.agent.gpu;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.remuda.agent.attempt.PromisedGpuMemoryNote;
import io.remuda.agent.protocol.TaskEnd.GpuUse;
import io.remuda.agent.settings.OnOverUse;
import io.remuda.telemetry.model.DeviceId;
import io.remuda.telemetry.model.DeviceProcess;
import io.remuda.telemetry.model.DeviceSampleBuilder;
import io.remuda.telemetry.model.HostSample;
import io.remuda.telemetry.model.NodeSample;
import io.remuda.worker.job.AttemptId;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.OptionalLong;
import java.util.Set;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;

class GpuShareMonitorTest {
  private static final long GIB = 1L << 30;
  private static final DeviceId GPU = new DeviceId("GPU-a");
  private static final AttemptId GREEDY = AttemptId.parse("1.0.1");
  private static final AttemptId HONEST = AttemptId.parse("2.0.1");

  private final List<String> done = new ArrayList<>();
  private GpuShareMonitor shares;

  private final class Noting implements GpuShareMonitor.Effects {
    @Override
    public void warn(AttemptId attempt, String text) {
      done.add("warn " + attempt + " " + text);
    }

    @Override
    public void end(AttemptId attempt, String text) {
      done.add("end " + attempt + " " + text);
    }

    @Override
    public void freed(Set<String> devices) {
      done.add("freed " + devices);
    }
  }

  private GpuShareMonitor shares(OnOverUse onOverUse) {
    shares =
        new GpuShareMonitor(new GpuMeter(device -> OptionalLong.empty()), onOverUse, new Noting());
    shares.promised(GREEDY, new PromisedGpuMemoryNote(List.of(GPU.uuid()), 5 * GIB));
    shares.promised(HONEST, new PromisedGpuMemoryNote(List.of(GPU.uuid()), 12 * GIB));
    return shares;
  }

  @AfterEach
  void close() {
    shares.close();
  }

  private void uses(long greedyGib) {
    shares.sampled(
        new NodeSample(
            "n1",
            1,
            0,
            new HostSample(0, 0, 0, null, 4, 1L << 33, 1L << 32, 0L),
            List.of(
                DeviceSampleBuilder.of(GPU, 0)
                    .memTotal(24 * GIB)
                    .memUsed(greedyGib * GIB)
                    .memReserved(0L)
                    .processes(List.of(new DeviceProcess(7, greedyGib * GIB, GREEDY.toString())))
                    .build())),
        attempt -> true);
  }

  @Test
  void who_uses_too_much_is_warned_once() {
    shares(OnOverUse.STOP);
    uses(6);
    uses(7);
    assertEquals(List.of("warn 1.0.1 uses 6.0 GiB of GPU-a and was promised 5.0 GiB"), done);
  }

  @Test
  void once_others_lack_it_the_task_is_ended() {
    shares(OnOverUse.STOP);
    uses(15);
    assertEquals(
        List.of(
            "end 1.0.1 uses 15.0 GiB of GPU-a and was promised 5.0 GiB;"
                + " other tasks need the excess"),
        done);
  }

  @Test
  void or_only_warned_where_that_is_wanted() {
    shares(OnOverUse.WARN);
    uses(15);
    uses(16);
    assertEquals(List.of("warn 1.0.1 uses 15.0 GiB of GPU-a and was promised 5.0 GiB"), done);
  }

  @Test
  void the_end_of_a_task_tells_what_it_used_and_that_its_devices_are_freer() {
    shares(OnOverUse.STOP);
    uses(4);
    assertEquals(Optional.of(new GpuUse(4 * GIB, null)), shares.ended(GREEDY));
    assertEquals(List.of("freed [GPU-a]"), done);
    assertEquals(Optional.empty(), shares.ended(GREEDY));
    assertTrue(shares.isBusy());
    shares.ended(HONEST);
    assertFalse(shares.isBusy());
  }
}
