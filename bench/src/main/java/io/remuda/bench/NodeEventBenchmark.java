package io.remuda.bench;

import io.remuda.agent.protocol.TaskEnd;
import io.remuda.agent.protocol.TaskPhase;
import io.remuda.agent.protocol.TaskReport;
import io.remuda.coordinator.lifecycle.TaskState;
import io.remuda.coordinator.registry.NodeRegistry;
import io.remuda.coordinator.registry.TaskRegistry;
import io.remuda.coordinator.registry.policy.RetryPolicy;
import io.remuda.coordinator.registry.policy.SchedulingSettings;
import io.remuda.coordinator.registry.task.PlacedTask;
import io.remuda.coordinator.registry.task.TaskChange;
import io.remuda.telemetry.model.DeviceId;
import io.remuda.telemetry.model.DeviceInfo;
import io.remuda.telemetry.model.DeviceSample;
import io.remuda.telemetry.model.DeviceSampleBuilder;
import io.remuda.telemetry.model.DeviceVendor;
import io.remuda.telemetry.model.HostInfo;
import io.remuda.telemetry.model.HostSample;
import io.remuda.telemetry.model.NodeSample;
import io.remuda.worker.job.CommandWorkload;
import io.remuda.worker.job.JobId;
import io.remuda.worker.job.JobSpec;
import io.remuda.worker.job.JobTerms;
import io.remuda.worker.job.PlacementPolicy;
import io.remuda.worker.job.ResourceRequest;
import io.remuda.worker.job.TaskId;
import io.remuda.worker.job.Workload;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import java.util.Map;
import java.util.UUID;
import java.util.concurrent.TimeUnit;
import java.util.function.Consumer;
import org.openjdk.jmh.annotations.Benchmark;
import org.openjdk.jmh.annotations.BenchmarkMode;
import org.openjdk.jmh.annotations.Fork;
import org.openjdk.jmh.annotations.Level;
import org.openjdk.jmh.annotations.Measurement;
import org.openjdk.jmh.annotations.Mode;
import org.openjdk.jmh.annotations.OutputTimeUnit;
import org.openjdk.jmh.annotations.Param;
import org.openjdk.jmh.annotations.Scope;
import org.openjdk.jmh.annotations.Setup;
import org.openjdk.jmh.annotations.State;
import org.openjdk.jmh.annotations.Warmup;

/**
 * Measures the scheduling core for one event of one of {@value #NODES} nodes with {@value #GPUS}
 * GPUs each. All GPUs are allocated and at least as many tasks are waiting. A task has ended: the
 * node's report is processed and a waiting task is placed. Without messages and without a store.
 */
@State(Scope.Thread)
@BenchmarkMode(Mode.SampleTime)
@OutputTimeUnit(TimeUnit.MILLISECONDS)
@Fork(1)
@Warmup(iterations = 3, time = 3)
@Measurement(iterations = 3, time = 5)
public class NodeEventBenchmark {

  private static final int NODES = 1000;
  private static final int GPUS = 8;
  private static final long DEVICE_BYTES = 80L << 30;
  private static final long TASK_BYTES = 30L << 30;
  private static final long SECOND = 1_000_000_000L;
  private static final HostSample HOST = new HostSample(0, 0, 0, null, 64, 1L << 39, 1L << 39, 0L);

  static final SchedulingSettings SETTINGS =
      new SchedulingSettings(
          Duration.ofMinutes(1), Duration.ofDays(1), Duration.ofMinutes(5), Duration.ofMillis(200));

  /** Whether tasks get whole devices or memory of shared devices. */
  @Param({"whole", "shared"})
  private String devices;

  @Param({"PACK", "ROUND_ROBIN"})
  private PlacementPolicy policy;

  private final NodeRegistry nodes = new NodeRegistry();
  private final TaskRegistry tasks =
      new TaskRegistry(
          new RetryPolicy(
              20, 3, Duration.ofMillis(100), Duration.ofSeconds(2), Duration.ofSeconds(10)),
          SETTINGS,
          SECOND);
  private long now = SECOND;
  private long jobs;
  private long waiting;
  private long revision;
  private int turn;
  private String node;
  private List<TaskReport> reports;

  @Setup
  public void fill() {
    fill(sample -> {});
  }

  void fillWithWholeDevices(Consumer<NodeSample> samples) {
    devices = "whole";
    policy = PlacementPolicy.PACK;
    fill(samples);
  }

  NodeRegistry nodes() {
    return nodes;
  }

  TaskRegistry tasks() {
    return tasks;
  }

  long now() {
    return now;
  }

  private void fill(Consumer<NodeSample> samples) {
    for (int node = 0; node < NODES; node++) {
      List<DeviceInfo> gpus = devices(node);
      nodes.joined(name(node), host(node), gpus, "simulated");
      NodeSample sample =
          new NodeSample(name(node), 1, 0, HOST, gpus.stream().map(gpu -> sample(gpu)).toList());
      nodes.sampled(sample);
      samples.accept(sample);
    }
    schedule();
    while (waiting < NODES * GPUS) {
      submit();
      waiting -= schedule().size();
    }
    if (tasks.waiting().isEmpty()) {
      throw new IllegalStateException("no task is waiting");
    }
  }

  private static String name(int node) {
    return String.format("n%04d", node);
  }

  private static HostInfo host(int node) {
    return new HostInfo(name(node), "a CPU", 64, 64, 1L << 39, 1L << 39);
  }

  private static List<DeviceInfo> devices(int node) {
    List<DeviceInfo> all = new ArrayList<>();
    for (int gpu = 0; gpu < GPUS; gpu++) {
      DeviceId id = new DeviceId("GPU-" + node + "-" + gpu);
      all.add(new DeviceInfo(id, gpu, DeviceVendor.SIMULATED, "H100", null, DEVICE_BYTES, null));
    }
    return all;
  }

  /** Returns a sample without memory in use: tasks do not use the memory allocated to them. */
  private static DeviceSample sample(DeviceInfo gpu) {
    return DeviceSampleBuilder.of(gpu)
        .memTotal(DEVICE_BYTES)
        .memUsed(0L)
        .memReserved(0L)
        .memFree(DEVICE_BYTES)
        .processes(List.of())
        .build();
  }

  private void submit() {
    Workload command = new CommandWorkload(List.of("/bin/true"), Map.of(), "/", 022);
    long memory = devices.equals("shared") ? TASK_BYTES : 0;
    JobSpec job =
        new JobSpec(
            new JobId(++jobs),
            new UUID(0, jobs),
            "job",
            "ann",
            false,
            new ResourceRequest(1, 1, 1 << 30, memory, null, Map.of()),
            1,
            JobTerms.placed(policy),
            Collections.nCopies(GPUS * NODES, command));
    tasks.submit(job, now);
    waiting += GPUS * NODES;
  }

  private List<TaskChange> schedule() {
    List<TaskChange> changes = tasks.schedule(nodes.all(), now);
    changes.forEach(change -> tasks.ordered(change.attempt(), ++revision));
    return changes;
  }

  /** Prepares the report of the next node: its oldest task has ended, the others are running. */
  @Setup(Level.Invocation)
  public void end() {
    if (waiting < NODES) {
      submit();
    }
    now += SECOND / 100;
    node = name(turn++ % NODES);
    reports = new ArrayList<>();
    for (PlacedTask task : tasks.placed()) {
      if (!task.place().node().equals(node) || task.state() == TaskState.ENDING) {
        continue;
      }
      TaskPhase phase = reports.isEmpty() ? TaskPhase.ENDED : TaskPhase.RUNNING;
      TaskEnd end =
          phase == TaskPhase.ENDED
              ? new TaskEnd(TaskEnd.Kind.BY_ITSELF, 0, null, "exit code 0", 1L, 1L, 60_000L)
              : null;
      reports.add(new TaskReport(task.attemptId(), phase, 4711, null, end));
    }
  }

  /** Processes the report and places waiting tasks. */
  @Benchmark
  public TaskId event() {
    tasks.reported(node, reports, revision, now);
    List<TaskChange> placed = schedule();
    waiting -= placed.size();
    if (placed.isEmpty()) {
      throw new IllegalStateException("nothing was placed on " + node);
    }
    return placed.get(0).attempt().task();
  }
}
