package io.remuda.agent.attempt;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.remuda.agent.keeper.SpawnRequest;
import io.remuda.agent.protocol.TaskStartOrder;
import io.remuda.agent.settings.AgentSettings;
import io.remuda.agent.settings.Distribution;
import io.remuda.agent.testkit.TestAgents;
import io.remuda.telemetry.model.DeviceId;
import io.remuda.worker.job.AttemptId;
import io.remuda.worker.job.MnistWorkload;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.Test;

class WorkerLaunchCommandTest {
  private static final AgentSettings SETTINGS = TestAgents.settings(Path.of("/run/n1"));
  private static final Distribution DIST = new Distribution(Path.of("/dist"));

  private static Map<String, String> environment(TaskStartOrder order, Map<String, String> own) {
    return WorkerLaunchCommand.environment(order, SETTINGS, own, List.of());
  }

  private static SpawnRequest request(TaskStartOrder order) {
    TaskFolder folder = TaskFolder.of(SETTINGS, order.attempt());
    return WorkerLaunchCommand.of(order, folder, SETTINGS, DIST, List.of(), 5000);
  }

  private static TaskStartOrder training(boolean tied) {
    return new TaskStartOrder(
        AttemptId.parse("1.0.2"),
        "ann",
        tied,
        0,
        new MnistWorkload(0.5, 1, 64, 1000, 0.7, 1, null, true),
        List.of(new DeviceId("GPU-b")),
        3,
        true,
        TestAgents.FACTS);
  }

  @Test
  void a_worker_sees_the_devices_that_it_was_lent_by_uuid() {
    Map<String, String> all = environment(TestAgents.order("1.0.2", "GPU-b", "GPU-a"), Map.of());
    assertEquals("GPU-b,GPU-a", all.get("CUDA_VISIBLE_DEVICES"));
    assertEquals("GPU-b,GPU-a", all.get("REMUDA_DEVICES"));
    assertEquals("PCI_BUS_ID", all.get("CUDA_DEVICE_ORDER"));
  }

  @Test
  void a_worker_without_a_device_sees_none_whatever_the_agent_sees() {
    Map<String, String> all =
        environment(TestAgents.order("1.0.2"), Map.of("CUDA_VISIBLE_DEVICES", "0,1"));
    assertEquals("", all.get("CUDA_VISIBLE_DEVICES"));
  }

  @Test
  void a_worker_knows_who_it_is() {
    Map<String, String> all = environment(TestAgents.order("1.0.2"), Map.of());
    assertEquals("r1/n1/1.0.2", all.get("REMUDA_TASK_KEY"));
    assertEquals("1", all.get("REMUDA_JOB"));
    assertEquals("1.0", all.get("REMUDA_TASK"));
    assertEquals("2", all.get("REMUDA_ATTEMPT"));
    assertEquals("n1", all.get("REMUDA_NODE"));
  }

  @Test
  void what_keeps_an_agent_small_is_not_for_its_workers() {
    Map<String, String> all =
        environment(TestAgents.order("1.0.2"), Map.of("MALLOC_ARENA_MAX", "1"));
    assertFalse(all.containsKey("MALLOC_ARENA_MAX"));
  }

  @Test
  void a_worker_gets_the_agents_own_environment_and_its_number_of_threads() {
    Map<String, String> all =
        environment(TestAgents.order("1.0.2"), Map.of("PATH", "/bin", "OMP_NUM_THREADS", "64"));
    assertEquals("/bin", all.get("PATH"));
    assertEquals("3", all.get("OMP_NUM_THREADS"));
  }

  @Test
  void only_a_training_has_libtorch_on_its_class_path() {
    assertTrue(String.join(" ", request(training(true)).argv()).contains("lib/torch/*"));
    assertFalse(String.join(" ", request(TestAgents.order("2.0.1")).argv()).contains("lib/torch"));
  }

  @Test
  void a_worker_starts_in_its_folder_and_is_told_of_it() {
    SpawnRequest request = request(training(true));
    Path folder = Path.of("/run/n1/tasks/1.0.2");
    assertEquals("r1/n1/1.0.2", request.key());
    assertEquals(folder.toString(), request.workingFolder());
    assertEquals(folder, request.taskFolder());
    assertEquals(folder.resolve("out"), request.stdout());
    assertEquals(folder.resolve("err"), request.stderr());
    assertEquals(folder.toString(), request.argv().get(request.argv().size() - 1));
    assertEquals(List.of("GPU-b"), request.deviceLocks());
    assertEquals(1000, request.graceMillis());
  }

  @Test
  void only_a_tied_task_has_a_contact_deadline() {
    assertEquals(5000, request(training(true)).contactMillis());
    assertEquals(0, request(training(false)).contactMillis());
  }

  @Test
  void the_heap_grows_with_the_image() {
    assertTrue(request(TestAgents.order("2.0.1")).argv().contains("-Xmx74m"));
  }

  @Test
  void only_what_computes_in_java_gets_the_optimising_compiler() {
    String one = "-XX:TieredStopAtLevel=1";
    assertTrue(request(training(true)).argv().contains(one));
    assertFalse(request(TestAgents.order("2.0.1")).argv().contains(one));
  }
}
