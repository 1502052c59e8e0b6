package io.remuda.coordinator.schedule;

import static org.junit.jupiter.api.Assertions.assertEquals;

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
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.OptionalLong;
import java.util.Set;
import org.junit.jupiter.api.Test;

/** Nodes of eight GPUs; jobs as "node, GPUs, seconds that they still take". */
class PlaceExchangeTest {

  private static final int GPUS = 8;
  private static final long CORES = 100_000;
  private static final long LOST = 40_000;

  private record Running(String node, int gpus, double seconds) {}

  private final Map<Long, Running> running = new LinkedHashMap<>();
  private final List<String> nodes = new ArrayList<>();

  private PlaceExchangeTest node(String name, Running... jobs) {
    nodes.add(name);
    for (Running job : jobs) {
      running.put(running.size() + 1L, new Running(name, job.gpus(), job.seconds()));
    }
    return this;
  }

  private static Running job(int gpus, double seconds) {
    return new Running("", gpus, seconds);
  }

  private List<NodeOffer> offers(Set<Long> without) {
    List<NodeOffer> offers = new ArrayList<>();
    for (String name : nodes) {
      int taken =
          running.entrySet().stream()
              .filter(one -> one.getValue().node().equals(name) && !without.contains(one.getKey()))
              .mapToInt(one -> one.getValue().gpus())
              .sum();
      List<DeviceOffer> devices = new ArrayList<>();
      for (int i = 0; i < GPUS; i++) {
        DeviceOffer.Standing standing =
            i < taken ? DeviceOffer.Standing.TAKEN : DeviceOffer.Standing.FREE;
        devices.add(new DeviceOffer(new DeviceId(name + i), "H200", 100, 100, standing));
      }
      offers.add(
          new NodeOffer(
              name,
              name,
              NodeOffer.Presence.READY,
              Map.of(),
              new Amount(CORES, CORES),
              new Amount(CORES, CORES),
              devices,
              OptionalLong.empty()));
    }
    return offers;
  }

  /** Returns who leaves for a task, as "job job -> node". */
  private String exchange(int gpus, double seconds) {
    List<GpuHolder> holders = new ArrayList<>();
    running.forEach(
        (id, job) ->
            holders.add(
                GpuHolder.of(
                    new PreemptibleTaskGroup(
                        List.of(new TaskId(new JobId(id), 0)),
                        Set.of(id),
                        Set.of(job.node()),
                        0,
                        LOST),
                    1 / job.seconds(),
                    Map.of(job.node(), List.of(new ResourceRequest(0, job.gpus()))))));
    Snapshot snapshot =
        new Snapshot(offers(Set.of()), Map.of(), Map.of(), Map.of(), Map.of(), Map.of(), 0)
            .ordered(OrderPolicy.Turns.URGENCY);
    TaskClass waiting =
        new TaskClass(
            new TaskClass.SchedulingKey(
                0, "u", new ResourceRequest(0, gpus), PlacementPolicy.USUAL, 0, null),
            TaskSet.of(List.of(new TaskId(new JobId(99), 0))),
            1,
            TaskClass.Overtaking.ALLOWED,
            1 / seconds / gpus);
    return new PlaceExchange(snapshot, holders, Set.of(), this::offers)
        .find(waiting)
        .map(
            found ->
                String.join(
                        " ",
                        found.leaving().stream()
                            .map(one -> one.tasks().get(0).job().toString())
                            .toList())
                    + " -> "
                    + String.join(" ", found.nodes()))
        .orElse("nobody");
  }

  @Test
  void the_longest_leaves_for_a_shorter_one() {
    node("a", job(4, 5000), job(4, 9000)).node("b", job(8, 6000));
    assertEquals("2 -> a", exchange(4, 1000));
  }

  @Test
  void nobody_leaves_for_one_that_is_not_shorter_by_what_a_preemption_costs() {
    node("a", job(8, 1000));
    assertEquals("nobody", exchange(8, 900));
    assertEquals("1 -> a", exchange(8, 800));
    node("b", job(8, 70));
    running.remove(1L);
    nodes.remove("a");
    assertEquals("nobody", exchange(8, 40), "40 s are lost");
  }

  @Test
  void several_leave_together_if_more_jobs_end_so() {
    node("a", job(4, 3000), job(4, 3000));
    assertEquals("1 2 -> a", exchange(8, 1000));
    assertEquals("nobody", exchange(8, 1500), "two jobs end in 3000 s, or one in 1500 s");
  }

  @Test
  void a_job_on_one_gpu_does_not_keep_the_other_seven_idle() {
    node("a", job(1, 5000));
    assertEquals("1 -> a", exchange(8, 4000));
  }

  @Test
  void one_that_goes_on_elsewhere_at_once_costs_only_its_move() {
    node("a", job(1, 900)).node("b", job(7, 900));
    assertEquals("1 -> a", exchange(8, 90_000), "job 1 fits beside job 2");
    assertEquals("nobody", exchange(8, 850), "the move costs more than a twentieth of that");
  }

  @Test
  void no_more_leave_than_needed() {
    node("a", job(1, 9000), job(1, 8000), job(2, 7000), job(4, 90_000));
    assertEquals("4 -> a", exchange(4, 100));
  }

  @Test
  void for_what_fits_nowhere_nobody_leaves() {
    node("a", job(8, 9000));
    assertEquals("nobody", exchange(9, 1));
  }

  @Test
  void members_of_a_gang_that_differ_free_what_each_has_where_it_is() {
    TaskId first = new TaskId(new JobId(1), 0);
    TaskId second = new TaskId(new JobId(1), 1);
    GpuHolder gang =
        GpuHolder.of(
            new PreemptibleTaskGroup(
                List.of(first, second), Set.of(1L), Set.of("n1", "n2"), 0, LOST),
            1,
            Map.of(
                "n1",
                List.of(new ResourceRequest(8, 8)),
                "n2",
                List.of(new ResourceRequest(4, 4))));
    assertEquals(12, gang.gpus());
    assertEquals(new GpuHolder.Held(4, 4000, 0), gang.held().get("n2"));
  }
}
