package io.remuda.bench;

import io.remuda.coordinator.schedule.AppliedPlacement;
import io.remuda.coordinator.schedule.Plan;
import io.remuda.coordinator.schedule.PlanMemory;
import io.remuda.coordinator.schedule.Snapshot;
import io.remuda.coordinator.schedule.model.DeviceOffer;
import io.remuda.coordinator.schedule.model.NodeOffer;
import io.remuda.coordinator.schedule.model.NodeOffer.Amount;
import io.remuda.coordinator.schedule.model.TaskClass;
import io.remuda.coordinator.schedule.model.TaskSet;
import io.remuda.telemetry.model.DeviceId;
import io.remuda.worker.job.JobId;
import io.remuda.worker.job.PlacementPolicy;
import io.remuda.worker.job.ResourceRequest;
import io.remuda.worker.job.TaskId;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Map;
import java.util.OptionalLong;
import java.util.Random;
import java.util.concurrent.TimeUnit;
import org.openjdk.jmh.annotations.Benchmark;
import org.openjdk.jmh.annotations.BenchmarkMode;
import org.openjdk.jmh.annotations.Fork;
import org.openjdk.jmh.annotations.Measurement;
import org.openjdk.jmh.annotations.Mode;
import org.openjdk.jmh.annotations.OutputTimeUnit;
import org.openjdk.jmh.annotations.Param;
import org.openjdk.jmh.annotations.Scope;
import org.openjdk.jmh.annotations.Setup;
import org.openjdk.jmh.annotations.State;
import org.openjdk.jmh.annotations.Warmup;

/**
 * Measures one decision about one task on {@value #NODES} nodes of four kinds with 6,200 GPUs, as
 * tasks of 120 shapes come until the cluster is nearly full, again and again: with what the plans
 * before have left in memory, and by a plain loop over all nodes.
 */
@State(Scope.Thread)
@BenchmarkMode(Mode.SampleTime)
@OutputTimeUnit(TimeUnit.MILLISECONDS)
@Fork(1)
@Warmup(iterations = 3, time = 5)
@Measurement(iterations = 3, time = 10)
public class PlacementDecisionBenchmark {

  private static final int NODES = 1213;
  private static final int SHAPES = 120;
  private static final int TASKS = 7500;
  private static final long GIB = 1L << 30;
  private static final long DEVICE_BYTES = 1000;

  @Param({"FORESIGHT", "FGD", "PACK"})
  private PlacementPolicy policy;

  private final Random random = new Random(1);
  private final List<ResourceRequest> shapes = new ArrayList<>();
  private NodeOffer[] nodes;
  private PlanMemory memory;
  private long jobs;
  private int placed;

  /** Makes the shapes. */
  @Setup
  public void fill() {
    for (int i = 0; i < SHAPES; i++) {
      int gpus = i % 12 == 0 ? 8 : 1;
      long part = i % 2 == 0 ? 0 : 100 + 50L * random.nextInt(15);
      shapes.add(
          new ResourceRequest(
              gpus * (1 + random.nextInt(12)),
              gpus,
              gpus * (1 + random.nextInt(30)) * GIB,
              gpus == 1 ? part : 0,
              null,
              Map.of()));
    }
    begin();
  }

  private void begin() {
    nodes = new NodeOffer[NODES];
    for (int node = 0; node < NODES; node++) {
      nodes[node] = node(node);
    }
    memory = new PlanMemory();
    placed = 0;
  }

  private static NodeOffer node(int number) {
    int kind = number % 4;
    int gpus = kind < 2 ? 8 : 2 * kind - 2;
    List<DeviceOffer> devices = new ArrayList<>();
    for (int gpu = 0; gpu < gpus; gpu++) {
      DeviceId id = new DeviceId(number + "/" + gpu);
      devices.add(
          new DeviceOffer(id, "M" + kind, DEVICE_BYTES, DEVICE_BYTES, DeviceOffer.Standing.FREE));
    }
    String name = String.format("n%04d", number);
    Amount cpus = new Amount(gpus * 12_000L, gpus * 12_000L);
    Amount memory = new Amount(gpus * 48 * GIB, gpus * 48 * GIB);
    return new NodeOffer(
        name,
        name,
        NodeOffer.Presence.READY,
        Map.of("node", name),
        cpus,
        memory,
        devices,
        OptionalLong.empty());
  }

  private TaskClass next() {
    if (placed++ == TASKS) {
      begin();
    }
    double skewed = random.nextDouble();
    ResourceRequest needs = shapes.get((int) (SHAPES * skewed * skewed));
    TaskClass.SchedulingKey key =
        new TaskClass.SchedulingKey(0, "ann", needs, policy, 0, null, null, false, null);
    TaskSet tasks = TaskSet.of(List.of(new TaskId(new JobId(++jobs), 0)));
    return new TaskClass(key, tasks, 1, TaskClass.Overtaking.ALLOWED);
  }

  private Snapshot snapshot() {
    return new Snapshot(Arrays.asList(nodes), Map.of(), Map.of(), Map.of(), Map.of(), Map.of(), 0);
  }

  private Plan applied(Plan plan, TaskClass line) {
    for (Plan.Placement placement : plan.placements()) {
      int node = Integer.parseInt(placement.node().substring(1));
      nodes[node] = AppliedPlacement.to(nodes[node], line.key().needs(), placement.devices());
    }
    return plan;
  }

  /** With what is remembered. */
  @Benchmark
  public Plan remembered() {
    TaskClass line = next();
    return applied(memory.plan(snapshot(), List.of(line)), line);
  }

  /** With nothing remembered but what tasks usually need. */
  @Benchmark
  public Plan plainLoop() {
    TaskClass line = next();
    return applied(memory.planAnew(snapshot(), List.of(line)), line);
  }
}
