package io.remuda.agent.gpu;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertNull;

import io.remuda.telemetry.model.DeviceId;
import io.remuda.telemetry.model.DeviceProcess;
import io.remuda.telemetry.model.DeviceSampleBuilder;
import io.remuda.telemetry.model.HostSample;
import io.remuda.telemetry.model.NodeSample;
import java.io.IOException;
import java.util.List;
import org.junit.jupiter.api.Test;

/** Whose the processes on a GPU are, with real processes. */
class GpuProcessTaskAnnotatorTest {
  private static final HostSample HOST = new HostSample(0, 0, 0, null, 4, 1L << 33, 1L << 32, 0L);

  private final GpuProcessTaskAnnotator annotator =
      new GpuProcessTaskAnnotator("r/n1/", new LeaseHolderProcesses());

  private DeviceProcess named(long pid) {
    NodeSample sample =
        new NodeSample(
            "n1",
            1,
            0,
            HOST,
            List.of(
                DeviceSampleBuilder.of(new DeviceId("A"), 0)
                    .processes(List.of(new DeviceProcess(pid, 5L)))
                    .build()));
    return annotator.name(sample).devices().get(0).processes().get(0);
  }

  private static Process sleep(String key) throws IOException {
    ProcessBuilder sleep = new ProcessBuilder("sleep", "600");
    if (key != null) {
      sleep.environment().put("REMUDA_TASK_KEY", key);
    }
    return sleep.start();
  }

  @Test
  void a_process_of_no_task_has_the_name_of_its_account_and_program() throws Exception {
    Process stranger = sleep(null);
    try {
      DeviceProcess named = named(stranger.pid());
      assertNull(named.task());
      assertEquals(System.getProperty("user.name"), named.user());
      assertEquals("sleep", named.command());
      assertEquals(5L, named.memBytes());
    } finally {
      stranger.destroyForcibly();
    }
  }

  @Test
  void a_process_of_a_task_is_no_stranger_as_long_as_the_driver_lists_it() throws Exception {
    Process task = sleep("r/n1/7.0.1");
    try {
      assertEquals("7.0.1", named(task.pid()).task());
      assertNull(named(task.pid()).user());
    } finally {
      task.destroyForcibly().waitFor();
    }
    assertEquals("7.0.1", named(task.pid()).task(), "it has ended, and its memory is being freed");
  }

  @Test
  void a_process_that_is_gone_or_in_another_container_has_no_name() throws Exception {
    Process gone = sleep(null);
    gone.destroyForcibly().waitFor();
    assertEquals(new DeviceProcess(gone.pid(), 5L), named(gone.pid()));
  }
}
