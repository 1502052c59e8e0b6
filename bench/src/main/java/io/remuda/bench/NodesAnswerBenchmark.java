package io.remuda.bench;

import io.remuda.agent.protocol.TaskReport;
import io.remuda.coordinator.api.ClusterNodesSnapshot;
import io.remuda.coordinator.api.NodeConnectionInfo;
import io.remuda.coordinator.registry.NodeRegistry;
import io.remuda.coordinator.registry.TaskRegistry;
import io.remuda.coordinator.rest.answer.NodesAnswer;
import io.remuda.coordinator.rest.view.JsonResponses;
import io.remuda.telemetry.model.NodeSample;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.concurrent.TimeUnit;
import org.openjdk.jmh.annotations.Benchmark;
import org.openjdk.jmh.annotations.BenchmarkMode;
import org.openjdk.jmh.annotations.Fork;
import org.openjdk.jmh.annotations.Measurement;
import org.openjdk.jmh.annotations.Mode;
import org.openjdk.jmh.annotations.OutputTimeUnit;
import org.openjdk.jmh.annotations.Scope;
import org.openjdk.jmh.annotations.Setup;
import org.openjdk.jmh.annotations.State;
import org.openjdk.jmh.annotations.Warmup;

/**
 * Measures the answer to {@code remuda nodes}: what the coordinator collects of the nodes of {@link
 * NodeEventBenchmark}, all of whose GPUs are allocated, and its JSON. Without messages.
 */
@State(Scope.Thread)
@BenchmarkMode(Mode.SampleTime)
@OutputTimeUnit(TimeUnit.MILLISECONDS)
@Fork(1)
@Warmup(iterations = 3, time = 3)
@Measurement(iterations = 3, time = 5)
public class NodesAnswerBenchmark {

  private final NodeEventBenchmark core = new NodeEventBenchmark();
  private final Map<String, NodeSample> samples = new HashMap<>();

  /** Nodes with tasks, and what they have reported. */
  @Setup
  public void fill() {
    core.fillWithWholeDevices(sample -> samples.put(sample.node(), sample));
  }

  /** Answers once. */
  @Benchmark
  public int answer() {
    Map<String, Integer> running = new HashMap<>();
    Map<String, List<TaskReport>> foreign = new HashMap<>();
    Map<String, NodeConnectionInfo> contacts = new HashMap<>();
    NodeRegistry nodes = core.nodes();
    TaskRegistry tasks = core.tasks();
    for (NodeRegistry.Node node : nodes.all()) {
      contacts.put(node.name(), new NodeConnectionInfo(node.network().address(), 1L, null));
      running.put(node.name(), tasks.placedOn(node.name()));
      foreign.put(node.name(), node.foreign());
    }
    ClusterNodesSnapshot view =
        new ClusterNodesSnapshot(
            tasks.offers(nodes.all(), core.now()),
            running,
            tasks.holders(),
            tasks.promised(),
            samples,
            foreign,
            Map.of(),
            Map.of(),
            contacts);
    return JsonResponses.bytes(NodesAnswer.of(view, null, NodeEventBenchmark.SETTINGS)).length;
  }
}
