package io.remuda.worker.job;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertNull;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import com.fasterxml.jackson.databind.json.JsonMapper;
import io.remuda.telemetry.model.DeviceId;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.UUID;
import java.util.stream.Collectors;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.function.Executable;

class JobRecordsTest {
  private static final MnistWorkload MNIST =
      new MnistWorkload(0.5, 14, 64, 1000, 0.7, 1, null, true);
  private static final ConvolutionWorkload CONVOLUTION = new ConvolutionWorkload(1024, -3);
  private static final AttemptId ATTEMPT = AttemptId.parse("1.0.1");

  private static void refused(String field, String value, Executable making) {
    String message = assertThrows(IllegalArgumentException.class, making).getMessage();
    assertTrue(message.contains(field) && message.contains(value), message);
  }

  private static MnistWorkload mnist(double rate, int epochs, int batch, int test, double gamma) {
    return new MnistWorkload(rate, epochs, batch, test, gamma, 1, null, true);
  }

  @Test
  void a_training_without_a_step_or_an_epoch_is_refused() {
    refused("learningRate", "0.0", () -> mnist(0, 1, 1, 1, 1));
    refused("learningRate", "NaN", () -> mnist(Double.NaN, 1, 1, 1, 1));
    refused("learningRate", "Infinity", () -> mnist(Double.POSITIVE_INFINITY, 1, 1, 1, 1));
    refused("epochs", "0", () -> mnist(1, 0, 1, 1, 1));
    refused("batchSize", "-1", () -> mnist(1, 1, -1, 1, 1));
    refused("testBatchSize", "0", () -> mnist(1, 1, 1, 0, 1));
    refused("gamma", "-0.5", () -> mnist(1, 1, 1, 1, -0.5));
  }

  @Test
  void an_image_smaller_than_the_filter_is_refused() {
    refused("size", "3", () -> new ConvolutionWorkload(3, 1));
    assertEquals(4, new ConvolutionWorkload(4, 1).size());
  }

  @Test
  void a_request_counts_from_zero() {
    refused("cpus", "-0.5", () -> new ResourceRequest(-0.5, 0));
    refused("cpus", "NaN", () -> new ResourceRequest(Double.NaN, 0));
    refused("gpus", "-1", () -> new ResourceRequest(0, -1));
    refused("memory", "-1", () -> new ResourceRequest(0, 0, -1));
    assertEquals(0, new ResourceRequest(0, 0).gpus());
  }

  @Test
  void a_process_is_bound_to_as_many_devices_as_it_wants_each_once() {
    DeviceId one = new DeviceId("GPU-1");
    ResourceRequest part = new ResourceRequest(0, 1, 0, 1024, null, Map.of());
    ResourceRequest h200 = new ResourceRequest(0, 1, 0, 0, "H200", Map.of());
    LeaseHolderProcess bound = new LeaseHolderProcess(7, List.of(one));
    refused("as many as gpus", "2", () -> new ResourceRequest(0, 2).boundTo(bound));
    refused("gpuModel", "H200", () -> h200.boundTo(bound));
    refused("devices", "GPU-1", () -> new LeaseHolderProcess(7, List.of(one, one)));
    refused("devices", "[]", () -> new LeaseHolderProcess(7, List.of()));
    ResourceRequest other =
        part.boundTo(bound).withMemory(1).withGpuMemory(1).withGpuPercent(2).withLabels(Map.of());
    assertEquals(bound, other.bound());
    assertNull(other.withoutGpus().bound());
  }

  @Test
  void a_job_has_a_name_a_user_and_a_task() {
    refused("name", "", () -> job(" ", "ann", List.of(MNIST)));
    refused("user", "", () -> job("mnist", null, List.of(MNIST)));
    refused("job 1", "no task", () -> job("mnist", "ann", List.of()));
  }

  @Test
  void a_job_keeps_its_own_copy_of_the_tasks() {
    List<Workload> tasks = new ArrayList<>(List.of(MNIST));
    JobSpec job = job("mnist", "ann", tasks);
    tasks.clear();
    assertEquals(List.of(MNIST), job.tasks());
  }

  private static JobSpec job(String name, String user, List<Workload> tasks) {
    return new JobSpec(
        new JobId(1),
        new UUID(0, 1),
        name,
        user,
        true,
        new ResourceRequest(1, 1),
        1,
        JobTerms.USUAL,
        tasks);
  }

  @Test
  void an_order_of_another_version_is_refused() {
    refused("version 2", "version 1", () -> new WorkerOrder(2, ATTEMPT, MNIST, 1, true, "/c"));
    refused("threads", "0", () -> new WorkerOrder(1, ATTEMPT, MNIST, 0, true, "/c"));
    refused(
        "snapshotFolder", "snap", () -> new WorkerOrder(1, ATTEMPT, MNIST, 1, true, "/c", "snap"));
  }

  @Test
  void an_order_is_read_from_its_file_as_it_was_written() throws Exception {
    List<Workload> samples =
        List.of(
            MNIST.withDataFolder("/data"),
            CONVOLUTION,
            new CommandWorkload(List.of("/bin/true"), Map.of("A", "b"), "/", 022),
            new LeasedProgramWorkload(4711, 123_456, "python3 train.py"));
    assertEquals(
        Set.of(Workload.class.getPermittedSubclasses()),
        samples.stream().map(Object::getClass).collect(Collectors.toSet()));
    JsonMapper json = new JsonMapper();
    for (Workload workload : samples) {
      WorkerOrder order = new WorkerOrder(1, ATTEMPT, workload, 3, true, "/cache");
      assertEquals(order, json.readValue(json.writeValueAsBytes(order), WorkerOrder.class));
      WorkerOrder saved = new WorkerOrder(1, ATTEMPT, workload, 3, true, "/cache", "/snap");
      assertEquals(saved, json.readValue(json.writeValueAsBytes(saved), WorkerOrder.class));
    }
  }

  @Test
  void another_data_folder_changes_nothing_else() {
    assertEquals(
        new MnistWorkload(0.5, 14, 64, 1000, 0.7, 1, "/data", true), MNIST.withDataFolder("/data"));
  }

  @Test
  void a_request_that_an_earlier_build_has_stored_means_what_it_did() throws Exception {
    String stored =
        "{\"cpus\":1.0,\"gpus\":1,\"memory\":0,\"gpuMemory\":1024,\"gpuModel\":null,\"labels\":{}}";
    assertEquals(
        new ResourceRequest(1, 1, 0, 1024, null, Map.of()),
        new JsonMapper().readValue(stored, ResourceRequest.class));
  }

  @Test
  void what_is_bound_to_no_device_is_stored_as_earlier_builds_did() throws Exception {
    JsonMapper json = new JsonMapper();
    ResourceRequest free = new ResourceRequest(1, 1, 0, 1024, null, Map.of());
    ResourceRequest bound = free.boundTo(new LeaseHolderProcess(7, List.of(new DeviceId("GPU-1"))));
    assertFalse(json.writeValueAsString(free).contains("bound"));
    for (ResourceRequest request : List.of(free, bound)) {
      String stored = json.writeValueAsString(request);
      assertEquals(request, json.readValue(stored, ResourceRequest.class));
    }
  }
}
