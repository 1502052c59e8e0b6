package io.remuda.agent.cores;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.remuda.agent.protocol.TaskStartOrder;
import io.remuda.telemetry.model.DeviceId;
import io.remuda.telemetry.model.DeviceInfo;
import io.remuda.telemetry.model.DeviceVendor;
import io.remuda.worker.job.AttemptId;
import io.remuda.worker.job.CommandWorkload;
import io.remuda.worker.job.PinAndFreezeTerms;
import io.remuda.worker.job.ResourceRequest;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.UUID;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** The CPUs of pinned tasks on a machine whose agent may use the CPUs 0 to 3 of 8. */
class TaskCpuAllocatorTest {
  private static final DeviceId GPU = new DeviceId("GPU-a");
  private static final List<DeviceInfo> DEVICES =
      List.of(new DeviceInfo(GPU, 0, DeviceVendor.NVIDIA, "H200", "00000000:1A:00.0", 1, null));

  @TempDir private Path folder;
  private TaskCpuAllocator cpus;

  @BeforeEach
  void machine() throws IOException {
    file("proc/self/status", "Name:\tjava\nCpus_allowed_list:\t0-3\nUmask:\t0022\n");
    file("sys/bus/pci/devices/0000:1a:00.0/local_cpulist", "2-3,6-7\n");
    cpus = agent();
  }

  private TaskCpuAllocator agent() {
    return new TaskCpuAllocator(new CpuTopology(folder));
  }

  private void file(String path, String text) throws IOException {
    Path file = folder.resolve(path);
    Files.createDirectories(file.getParent());
    Files.writeString(file, text);
  }

  private static AttemptId id(int job) {
    return AttemptId.parse(job + ".0.1");
  }

  private Path folder(int job) throws IOException {
    return Files.createDirectories(folder.resolve("tasks").resolve("" + job));
  }

  private static TaskStartOrder order(int job, int count, long slot, List<DeviceId> devices) {
    return new TaskStartOrder(
        id(job),
        "ann",
        false,
        0,
        new CommandWorkload(List.of("true"), Map.of(), "/", 022, null, PinAndFreezeTerms.PINNED),
        devices,
        1,
        false,
        new TaskStartOrder.JobFacts(new UUID(0, job), "job", 1, new ResourceRequest(count, 0)),
        slot,
        null,
        null);
  }

  private Optional<String> take(int job, int count, long slot) throws IOException {
    return cpus.take(order(job, count, slot, List.of()), DEVICES, folder(job));
  }

  private String set(int job) {
    return cpus.variables(id(job)).get("REMUDA_CPU_SET");
  }

  @Test
  void no_two_tasks_have_one_cpu() throws IOException {
    take(1, 2, 0);
    take(2, 1, 0);
    assertEquals("0-1", set(1));
    assertEquals("2", set(2));
  }

  @Test
  void only_what_the_agent_may_use_is_given() throws IOException {
    take(1, 3, 0);
    String none = take(2, 2, 0).orElseThrow();
    assertTrue(
        none.contains("2 CPUs of its own, and of CPUs 0-3 other pinned tasks have 0-2"), none);
    assertEquals(Map.of(), cpus.variables(id(2)));
  }

  @Test
  void a_task_is_next_to_its_gpu() throws IOException {
    cpus.take(order(1, 1, 0, List.of(GPU)), DEVICES, folder(1));
    assertEquals("2", set(1));
  }

  @Test
  void cpus_are_free_again_after_the_end() throws IOException {
    take(1, 4, 0);
    cpus.release(id(1));
    assertEquals(Optional.empty(), take(2, 4, 0));
  }

  @Test
  void the_next_of_a_slot_has_the_cpus_of_the_one_before_it() throws IOException {
    take(1, 4, 7);
    assertEquals(Optional.empty(), take(2, 4, 7), "it starts when that one is gone");
    assertTrue(take(3, 1, 8).isPresent());
  }

  @Test
  void the_next_agent_knows_the_cpus_of_running_tasks() throws IOException {
    take(1, 2, 7);
    cpus = agent();
    cpus.adopt(id(1), folder(1));
    take(2, 2, 0);
    assertEquals("0-1", set(1));
    assertEquals("2-3", set(2));
    assertEquals(Optional.empty(), take(3, 2, 7), "the slot is known, too");
  }

  @Test
  void other_tasks_are_not_bound() throws IOException {
    cpus.adopt(id(1), folder(1));
    assertEquals(Map.of(), cpus.variables(id(1)));
  }
}
