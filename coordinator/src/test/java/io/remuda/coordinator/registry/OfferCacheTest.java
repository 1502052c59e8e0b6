package io.remuda.coordinator.registry;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertNotSame;
import static org.junit.jupiter.api.Assertions.assertSame;

import io.remuda.coordinator.lifecycle.TaskState;
import io.remuda.coordinator.profile.Profiles;
import io.remuda.coordinator.registry.policy.NodeDrain;
import io.remuda.coordinator.registry.task.PendingTask;
import io.remuda.coordinator.registry.task.Place;
import io.remuda.coordinator.registry.task.PlacedTask;
import io.remuda.coordinator.registry.task.TaskRecord;
import io.remuda.coordinator.schedule.model.NodeOffer;
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
import java.util.ArrayList;
import java.util.Collections;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.UUID;
import net.jqwik.api.Arbitraries;
import net.jqwik.api.Arbitrary;
import net.jqwik.api.Combinators;
import net.jqwik.api.ForAll;
import net.jqwik.api.Property;
import net.jqwik.api.Provide;
import org.junit.jupiter.api.Test;

/** What is kept from one look at the nodes to the next is what a new look would see. */
class OfferCacheTest {
  private static final long SECOND = 1_000_000_000L;
  private static final long GIB = 1L << 30;
  private static final int TASKS = 8;

  /** What happens next, to which node and to which task. */
  record Step(Kind kind, int node, int task) {}

  enum Kind {
    PLACE,
    RUN,
    END,
    SAMPLE,
    SILENT,
    JOIN,
    JOIN_WITH_OTHERS,
    DRAIN,
    RESUME,
    DRAIN_GPU,
    RESUME_GPU,
    AVOID,
    CHANGE_JOB,
    PASS
  }

  @Provide
  Arbitrary<List<Step>> steps() {
    return Combinators.combine(
            Arbitraries.of(Kind.class),
            Arbitraries.integers().between(0, 4),
            Arbitraries.integers().between(0, TASKS - 1))
        .as(Step::new)
        .list()
        .ofMinSize(10)
        .ofMaxSize(60);
  }

  @Property(tries = 300)
  void it_says_what_a_new_look_would_say(@ForAll("steps") List<Step> steps) {
    Model model = new Model();
    for (Step step : steps) {
      model.take(step);
      List<NodeRegistry.Node> nodes = model.nodes.all();
      assertEquals(
          OfferBuilder.of(nodes, model.table, new HashMap<>(model.avoidUntil), Set.of(), model.now),
          model.book.of(nodes, model.now),
          () -> "after " + step);
    }
  }

  @Test
  void only_neighbours_of_what_has_changed_are_looked_at_anew() {
    Model model = new Model();
    List<NodeOffer> before = model.look();
    model.take(new Step(Kind.SAMPLE, 0, 1));
    List<NodeOffer> after = model.look();
    assertNotSame(before.get(0), after.get(0), "n0 itself");
    assertNotSame(before.get(1), after.get(1), "n1 sees a device of n0");
    assertNotSame(before.get(2), after.get(2), "n2 is on the machine of n1");
    assertSame(before.get(3), after.get(3), "n3 shares nothing with n0");
    assertSame(before.get(4), after.get(4), "nor does n4");
  }

  /**
   * n0 and n1 see one device, n1 and n2 are on one machine; n3 and n4 are by themselves. A job of
   * {@value #TASKS} tasks that take a device's part and a core each.
   */
  private static final class Model {
    private static final List<String> MACHINES = List.of("m0", "m1", "m1", "m3", "m4");
    private static final List<List<String>> DEVICES =
        List.of(List.of("A", "S"), List.of("S"), List.of(), List.of("B"), List.of("C", "D"));

    private final NodeRegistry nodes = new NodeRegistry();
    private final TaskTable table = new TaskTable(new Profiles(), 0);
    private final Map<DeviceId, OfferCache.HeldDevice> avoidUntil = new HashMap<>();
    private final OfferCache book = new OfferCache(table);
    private long now = SECOND;

    Model() {
      table.add(new JobEntry(job(1, 3600_000), TaskState.WAITING, 0), 0);
      for (int node = 0; node < MACHINES.size(); node++) {
        join(node, DEVICES.get(node));
        sample(node, 0);
      }
    }

    List<NodeOffer> look() {
      return book.of(nodes.all(), now);
    }

    private static JobSpec job(long cores, long limitMillis) {
      return new JobSpec(
          new JobId(1),
          new UUID(0, 1),
          "job",
          "ann",
          false,
          new ResourceRequest(cores, 1, GIB, 10 * GIB, null, Map.of()),
          1,
          new JobTerms(false, PlacementPolicy.PACK, 0, List.of(), limitMillis, 0, null),
          Collections.nCopies(
              TASKS, new CommandWorkload(List.of("/bin/true"), Map.of(), "/", 022)));
    }

    void take(Step step) {
      TaskRecord task = table.find(new TaskId(new JobId(1), step.task()));
      String name = "n" + step.node();
      switch (step.kind()) {
        case PLACE -> place(task, step.node());
        case RUN -> {
          if (task instanceof PlacedTask placed) {
            table.put(placed.runningSince(now).in(TaskState.RUNNING));
          }
        }
        case END -> {
          if (task instanceof PlacedTask placed) {
            table.put(placed.in(TaskState.WAITING));
          }
        }
        case SAMPLE -> sample(step.node(), step.task());
        case SILENT -> nodes.silent(name, 0);
        case JOIN -> join(step.node(), DEVICES.get(step.node()));
        case JOIN_WITH_OTHERS -> join(step.node(), DEVICES.get(step.task() % DEVICES.size()));
        case DRAIN -> nodes.drain(name, drain -> drain.withNode("reason " + step.task()));
        case RESUME -> nodes.drain(name, NodeDrain::withoutNode);
        case DRAIN_GPU ->
            DEVICES.get(step.node()).stream()
                .limit(1)
                .forEach(
                    gpu -> nodes.drain(name, drain -> drain.withGpu(new DeviceId(gpu), "a fan")));
        case RESUME_GPU ->
            DEVICES.get(step.node()).stream()
                .limit(1)
                .forEach(gpu -> nodes.drain(name, drain -> drain.withoutGpu(new DeviceId(gpu))));
        case AVOID -> DEVICES.get(step.node()).forEach(this::avoid);
        case CHANGE_JOB -> table.replace(job(1 + step.task(), 0));
        case PASS -> now += SECOND;
      }
    }

    private void avoid(String device) {
      String by = "another has it";
      avoidUntil.put(new DeviceId(device), new OfferCache.HeldDevice(now + 2 * SECOND, by));
      book.avoid(List.of(new DeviceId(device)), now + 2 * SECOND, by);
    }

    private void place(TaskRecord task, int node) {
      if (task instanceof PendingTask waiting) {
        List<DeviceId> lent = DEVICES.get(node).stream().limit(1).map(DeviceId::new).toList();
        table.put(waiting.placed(Place.at("n" + node, lent, 1 + task.id().index(), 10 * GIB), 1));
      }
    }

    private void join(int node, List<String> uuids) {
      List<DeviceInfo> devices = new ArrayList<>();
      for (String uuid : uuids) {
        devices.add(
            new DeviceInfo(
                new DeviceId(uuid),
                devices.size(),
                DeviceVendor.SIMULATED,
                "H200",
                null,
                80 * GIB,
                null));
      }
      HostInfo host = new HostInfo(MACHINES.get(node), "a CPU", 4, 4, 1L << 33, 1L << 33);
      nodes.joined("n" + node, host, devices, "test");
    }

    private void sample(int node, long usedGib) {
      List<DeviceSample> devices =
          DEVICES.get(node).stream()
              .map(
                  uuid ->
                      DeviceSampleBuilder.of(new DeviceId(uuid), 0)
                          .memTotal(80 * GIB)
                          .memUsed(usedGib * GIB)
                          .memReserved(0L)
                          .build())
              .toList();
      HostSample host = new HostSample(0, 0, 0, null, 4, 1L << 33, 1L << 32, 0L);
      nodes.sampled(new NodeSample("n" + node, 1, 0, host, devices));
    }
  }
}
