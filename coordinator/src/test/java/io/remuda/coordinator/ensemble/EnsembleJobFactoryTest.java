package io.remuda.coordinator.ensemble;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.remuda.coordinator.api.NewJob;
import io.remuda.coordinator.registry.NodeRegistry;
import io.remuda.coordinator.testkit.PlainNodes;
import io.remuda.telemetry.model.DeviceId;
import io.remuda.telemetry.model.DeviceInfo;
import io.remuda.telemetry.model.DeviceVendor;
import io.remuda.telemetry.model.HostInfo;
import io.remuda.worker.job.ConvolutionWorkload;
import io.remuda.worker.job.MnistWorkload;
import io.remuda.worker.job.ResourceRequest;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;

class EnsembleJobFactoryTest {
  private static final long TRAINING = WorkerMemoryEstimate.training(64, 1000);

  private static NodeRegistry.Node node(String name, String host, double cpus, String... uuids) {
    List<DeviceInfo> devices =
        Stream.of(uuids)
            .map(
                uuid ->
                    new DeviceInfo(
                        new DeviceId(uuid), 0, DeviceVendor.SIMULATED, "H200", null, 0, null))
            .toList();
    HostInfo info = new HostInfo(host, "a CPU", 64, cpus, 1L << 36, 1L << 36);
    return PlainNodes.node(name, info, devices, "test", Map.of(), true, false, Map.of());
  }

  /** What a training gets, with its threads in place of the cores that are promised to none. */
  private static ResourceRequest request(EnsembleSettings settings, NodeRegistry.Node... nodes) {
    return threads(EnsembleJobFactory.training(settings, List.of(nodes)));
  }

  private static ResourceRequest threads(EnsembleJobFactory.Training training) {
    assertEquals(0, training.request().cpus());
    return new ResourceRequest(
        training.threads(), training.request().gpus(), training.request().memory());
  }

  @Test
  void a_training_takes_one_gpu_and_its_share_of_the_cpus_that_the_scipy_workers_leave() {
    assertEquals(
        new ResourceRequest(3, 1, TRAINING),
        request(TestSettings.run(2, 2, 1), node("n1", "h1", 8, "A", "B")));
  }

  @Test
  void trainings_that_wait_for_a_gpu_take_no_share_of_the_cpus() {
    assertEquals(
        new ResourceRequest(3, 1, TRAINING),
        request(TestSettings.run(6, 2, 1), node("n1", "h1", 8, "A", "B")));
  }

  @Test
  void without_cuda_no_training_takes_a_gpu() {
    EnsembleJobFactory.Training training =
        EnsembleJobFactory.training(
            TestSettings.settings(2, 2, 1, false, 0), List.of(node("n1", "h1", 8, "A", "B")));
    assertEquals(new ResourceRequest(3, 0, TRAINING), threads(training));
    assertEquals(Optional.empty(), training.note());
  }

  @Test
  void without_a_gpu_trainings_use_the_cpu_and_say_so() {
    EnsembleJobFactory.Training training =
        EnsembleJobFactory.training(TestSettings.run(2, 2, 1), List.of(node("n1", "h1", 8)));
    assertEquals(new ResourceRequest(3, 0, TRAINING), threads(training));
    assertTrue(training.note().orElseThrow().contains("CPU"));
  }

  @Test
  void agents_of_one_machine_share_its_cpus_and_gpus() {
    assertEquals(
        new ResourceRequest(3, 1, TRAINING),
        request(
            TestSettings.run(6, 2, 2),
            node("h1-1", "h1", 8, "A", "B"),
            node("h1-2", "h1", 8, "A", "B")));
  }

  @Test
  void the_cpus_of_several_machines_add_up_and_the_smallest_counts_for_all() {
    assertEquals(
        new ResourceRequest(3, 0, TRAINING),
        request(TestSettings.run(2, 2, 2), node("n1", "h1", 16), node("n2", "h2", 4)));
  }

  @Test
  void the_cpus_that_were_asked_for_limit_the_share() {
    assertEquals(
        new ResourceRequest(2, 0, TRAINING),
        request(TestSettings.settings(2, 2, 1, true, 6), node("n1", "h1", 16)));
  }

  @Test
  void a_training_has_a_cpu_at_least() {
    assertEquals(
        new ResourceRequest(1, 0, TRAINING),
        request(TestSettings.run(64, 2, 1), node("n1", "h1", 2.5)));
  }

  @Test
  void there_is_a_training_for_each_learning_rate() {
    EnsembleSettings settings = TestSettings.run(3, 2, 1);
    EnsembleJobFactory.Training training =
        EnsembleJobFactory.training(settings, List.of(node("n1", "h1", 8)));
    NewJob job =
        EnsembleJobFactory.mnist(
            settings, "ann", training, Optional.of(new Ensemble.Data(Path.of("/data"), true)));
    assertEquals(
        List.of(
            new MnistWorkload(0.5, 2, 64, 1000, 0.7, 1, "/data", true),
            new MnistWorkload(1.0, 2, 64, 1000, 0.7, 1, "/data", true),
            new MnistWorkload(1.5, 2, 64, 1000, 0.7, 1, "/data", true)),
        job.tasks());
    assertEquals("ann", job.user());
    assertTrue(job.tied());
  }

  @Test
  void the_seed_rules_the_convolution_too() {
    NewJob job = EnsembleJobFactory.scipy(TestSettings.run(2, 3, 1), "ann");
    assertEquals(3, job.tasks().size());
    assertEquals(new ConvolutionWorkload(4, 1), job.tasks().get(2));
    assertEquals(0, job.request().gpus());
    assertTrue(job.tied());
  }
}
