package io.remuda.coordinator.ensemble;

import io.remuda.coordinator.api.NewJob;
import io.remuda.coordinator.registry.NodeRegistry;
import io.remuda.telemetry.model.DeviceId;
import io.remuda.worker.job.ConvolutionWorkload;
import io.remuda.worker.job.JobTerms;
import io.remuda.worker.job.MnistWorkload;
import io.remuda.worker.job.PlacementPolicy;
import io.remuda.worker.job.ResourceRequest;
import io.remuda.worker.job.Workload;
import java.util.ArrayList;
import java.util.Collection;
import java.util.Collections;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.stream.Collectors;

/** Creates the two tied jobs of a run. */
final class EnsembleJobFactory {

  static final String MNIST = "mnist";
  static final String SCIPY = "scipy";

  /**
   * The resources of one training.
   *
   * @param threads number of its threads; trainings share the cores, so none are reserved
   * @param note a message for the user, if there is one
   */
  record Training(ResourceRequest request, int threads, Optional<String> note) {}

  private EnsembleJobFactory() {}

  static NewJob scipy(EnsembleSettings settings, String user) {
    List<Workload> tasks =
        Collections.nCopies(
            settings.scipyWorkers(), new ConvolutionWorkload(settings.size(), settings.seed()));
    return tied(
        SCIPY,
        user,
        new ResourceRequest(0, 0, (long) WorkerMemoryEstimate.convolution(settings.size())),
        1,
        tasks);
  }

  static NewJob mnist(
      EnsembleSettings settings, String user, Training training, Optional<Ensemble.Data> data) {
    List<Workload> tasks = new ArrayList<>();
    for (int index = 0; index < settings.mnistWorkers(); index++) {
      tasks.add(
          new MnistWorkload(
              settings.learningRate(index),
              settings.epochs(),
              settings.batchSize(),
              settings.testBatchSize(),
              settings.gamma(),
              settings.seed(),
              data.map(place -> place.folder().toString()).orElse(null),
              data.map(Ensemble.Data::verify).orElse(settings.verifyData())));
    }
    return tied(MNIST, user, training.request(), training.threads(), tasks);
  }

  private static NewJob tied(
      String name, String user, ResourceRequest request, int threads, List<Workload> tasks) {
    return new NewJob(
        name,
        user,
        request,
        JobTerms.placed(PlacementPolicy.ROUND_ROBIN),
        tasks,
        threads,
        true,
        false,
        null,
        List.of());
  }

  /** Gives each training a GPU, unless GPUs are disabled or missing; trainings share the CPUs. */
  static Training training(EnsembleSettings settings, Collection<NodeRegistry.Node> nodes) {
    Set<DeviceId> devices =
        nodes.stream().flatMap(node -> node.deviceIds().stream()).collect(Collectors.toSet());
    boolean gpus = settings.useCuda() && !devices.isEmpty();
    int atOnce = gpus ? Math.min(settings.mnistWorkers(), devices.size()) : settings.mnistWorkers();
    Optional<String> note =
        settings.useCuda() && devices.isEmpty()
            ? Optional.of("no node has a GPU" + why(nodes) + ": the MNIST workers train on the CPU")
            : Optional.empty();
    return new Training(
        new ResourceRequest(
            0,
            gpus ? 1 : 0,
            WorkerMemoryEstimate.training(settings.batchSize(), settings.testBatchSize())),
        threadsForEach(settings, nodes, atOnce),
        note);
  }

  /** Returns the first description of devices that a node has reported, or an empty text. */
  private static String why(Collection<NodeRegistry.Node> nodes) {
    return nodes.stream()
        .filter(node -> node.devicesFrom() != null && !node.devicesFrom().isBlank())
        .findFirst()
        .map(node -> " (" + node.name() + ": " + node.devicesFrom() + ")")
        .orElse("");
  }

  /** Agents of one machine share its CPUs; the smallest share of all nodes is used. */
  private static int threadsForEach(
      EnsembleSettings settings, Collection<NodeRegistry.Node> nodes, int atOnce) {
    Map<String, Integer> agents = new HashMap<>();
    nodes.forEach(node -> agents.merge(node.machine().id(), 1, Integer::sum));
    double share =
        nodes.stream()
            .mapToDouble(node -> cpusOf(settings, node) / agents.get(node.machine().id()))
            .min()
            .orElse(1);
    return Math.max(1, (int) ((share * nodes.size() - settings.scipyWorkers()) / atOnce));
  }

  private static double cpusOf(EnsembleSettings settings, NodeRegistry.Node node) {
    double allowed = node.host().cpusAllowed();
    return settings.cpus() > 0 ? Math.min(settings.cpus(), allowed) : allowed;
  }
}
