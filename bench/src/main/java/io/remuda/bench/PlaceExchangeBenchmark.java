package io.remuda.bench;

import io.remuda.coordinator.schedule.GpuHolder;
import io.remuda.coordinator.schedule.PlaceExchange;
import io.remuda.coordinator.schedule.Plan;
import io.remuda.coordinator.schedule.PreemptibleTaskGroup;
import io.remuda.coordinator.schedule.Scheduler;
import io.remuda.coordinator.schedule.Snapshot;
import io.remuda.coordinator.schedule.model.DeviceOffer;
import io.remuda.coordinator.schedule.model.NodeOffer;
import io.remuda.coordinator.schedule.model.NodeOffer.Amount;
import io.remuda.coordinator.schedule.model.TaskClass;
import io.remuda.coordinator.schedule.model.TaskSet;
import io.remuda.coordinator.schedule.order.OrderPolicy;
import io.remuda.telemetry.model.DeviceId;
import io.remuda.worker.job.JobId;
import io.remuda.worker.job.PlacementPolicy;
import io.remuda.worker.job.ResourceRequest;
import io.remuda.worker.job.TaskId;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.OptionalLong;
import java.util.Random;
import java.util.Set;
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
 * Measures what is done once in a cycle on {@value #NODES} nodes of {@value #GPUS} GPUs: a whole
 * plan with nothing remembered, of {@value #CLASSES} classes that wait while a tenth of the GPUs is
 * free; and the search for those who leave for one that wants a whole node.
 */
@State(Scope.Thread)
@BenchmarkMode(Mode.SampleTime)
@OutputTimeUnit(TimeUnit.MILLISECONDS)
@Fork(1)
@Warmup(iterations = 3, time = 5)
@Measurement(iterations = 3, time = 10)
public class PlaceExchangeBenchmark {

  private static final int NODES = 1000;
  private static final int GPUS = 8;
  private static final int CLASSES = 100;
  private static final int OF_EACH = 20;
  private static final long DEVICE_BYTES = 80L << 30;
  private static final long CORE = 1000;

  private final long[][] holderOf = new long[NODES][GPUS];
  private final List<GpuHolder> holders = new ArrayList<>();
  private final List<TaskClass> classes = new ArrayList<>();
  private final NodeOffer[] offers = new NodeOffer[NODES];

  /** Gives nine of ten GPUs to tasks of one to eight GPUs, which may all leave; no node is free. */
  @Setup
  public void fill() {
    Random random = new Random(1);
    long job = 0;
    for (int node = 0; node < NODES; node++) {
      for (int gpu = 0; gpu < GPUS; ) {
        int gpus = Math.min(GPUS - gpu, 1 << random.nextInt(4));
        if (gpu == 0 || random.nextInt(10) > 0) {
          job++;
          Arrays.fill(holderOf[node], gpu, gpu + gpus, job);
          PreemptibleTaskGroup group =
              new PreemptibleTaskGroup(
                  List.of(new TaskId(new JobId(job), 0)),
                  Set.of(job),
                  Set.of(name(node)),
                  0,
                  40_000);
          holders.add(
              GpuHolder.of(
                  group,
                  1 / (60 + 100_000 * random.nextDouble()),
                  Map.of(name(node), List.of(new ResourceRequest(gpus, gpus)))));
        }
        gpu += gpus;
      }
      offers[node] = offer(node, Set.of());
    }
    for (int one = 0; one < CLASSES; one++) {
      TaskSet tasks = new TaskSet();
      tasks.add(new JobId(1_000_000L + one), 0, OF_EACH);
      classes.add(waiting("user" + one % 10, 1 + one % GPUS, tasks, 1.0 / (1 + one)));
    }
  }

  private static String name(int node) {
    return String.format("n%04d", node);
  }

  private static TaskClass waiting(String user, int gpus, TaskSet tasks, double urgency) {
    TaskClass.SchedulingKey key =
        new TaskClass.SchedulingKey(
            0, user, new ResourceRequest(gpus, gpus), PlacementPolicy.USUAL, 0, null);
    return new TaskClass(key, tasks, 1, TaskClass.Overtaking.ALLOWED, urgency);
  }

  private NodeOffer offer(int node, Set<Long> without) {
    List<DeviceOffer> devices = new ArrayList<>();
    int free = 0;
    for (int gpu = 0; gpu < GPUS; gpu++) {
      long holder = holderOf[node][gpu];
      boolean idle = holder == 0 || without.contains(holder);
      free += idle ? 1 : 0;
      devices.add(
          new DeviceOffer(
              new DeviceId(node + "/" + gpu),
              "H100",
              DEVICE_BYTES,
              idle ? DEVICE_BYTES : 0,
              idle ? DeviceOffer.Standing.FREE : DeviceOffer.Standing.TAKEN));
    }
    return new NodeOffer(
        name(node),
        name(node),
        NodeOffer.Presence.READY,
        Map.of(),
        new Amount(free * CORE, GPUS * CORE),
        new Amount(0, 0),
        devices,
        OptionalLong.empty());
  }

  private List<NodeOffer> without(Set<Long> slots) {
    NodeOffer[] all = offers.clone();
    for (int node = 0; node < NODES && !slots.isEmpty(); node++) {
      if (Arrays.stream(holderOf[node]).anyMatch(slots::contains)) {
        all[node] = offer(node, slots);
      }
    }
    return Arrays.asList(all);
  }

  private Snapshot snapshot() {
    return new Snapshot(Arrays.asList(offers), Map.of(), Map.of(), Map.of(), Map.of(), Map.of(), 0)
        .ordered(OrderPolicy.Turns.URGENCY);
  }

  /** A whole plan, with nothing remembered. */
  @Benchmark
  public Plan wholeCycle() {
    return Scheduler.plan(snapshot(), classes);
  }

  /** Who leaves for a task that wants a whole node for a minute. */
  @Benchmark
  public PlaceExchange.Exchange exchange() {
    TaskSet one = TaskSet.of(List.of(new TaskId(new JobId(2_000_000), 0)));
    Optional<PlaceExchange.Exchange> found =
        new PlaceExchange(snapshot(), holders, Set.of(), this::without)
            .find(waiting("ann", GPUS, one, 1.0 / 60 / GPUS));
    return found.orElseThrow(() -> new IllegalStateException("nobody leaves"));
  }
}
