package io.remuda.coordinator.schedule;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.remuda.coordinator.profile.JobType;
import io.remuda.coordinator.schedule.model.DeviceOffer;
import io.remuda.coordinator.schedule.model.NodeOffer;
import io.remuda.coordinator.schedule.model.TaskClass;
import io.remuda.coordinator.schedule.model.TaskSet;
import io.remuda.telemetry.model.DeviceId;
import io.remuda.worker.job.JobId;
import io.remuda.worker.job.PlacementPolicy;
import io.remuda.worker.job.ResourceRequest;
import io.remuda.worker.job.TaskId;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.OptionalLong;
import java.util.Random;
import java.util.Set;
import net.jqwik.api.ForAll;
import net.jqwik.api.Property;

/** Whatever speeds are known and whatever is promised. */
class SharePromisePropertyTest {

  private static final List<JobType> TYPES =
      List.of("a", "b", "c", "d").stream().map(name -> new JobType("ann", name)).toList();

  private static final int[] PROMISES = {0, 0, 70, 85, 95};

  private static NodeOffer node(List<DeviceOffer> devices) {
    return new NodeOffer(
        "n1",
        "n1",
        NodeOffer.Presence.READY,
        Map.of(),
        new NodeOffer.Amount(0, 0),
        new NodeOffer.Amount(0, 0),
        devices,
        OptionalLong.empty());
  }

  private static DeviceOffer free(String id) {
    return new DeviceOffer(new DeviceId(id), "H200", 100, 100, DeviceOffer.Standing.FREE);
  }

  private static DeviceOffer shared(String id, JobType type) {
    return new DeviceOffer(
        new DeviceId(id),
        "H200",
        100,
        50,
        DeviceOffer.Standing.SHARED,
        new DeviceOffer.Load(1, 2, 0, Set.of(type)),
        Map.of());
  }

  private record Sample(SharePromises promises, List<TaskClass> waiting) {}

  private static Sample sample(Random random) {
    Map<JobType, Map<JobType, Integer>> speeds = new HashMap<>();
    for (JobType one : TYPES) {
      Map<JobType, Integer> beside = new HashMap<>();
      TYPES.stream()
          .filter(other -> random.nextInt(3) > 0)
          .forEach(other -> beside.put(other, 50 + random.nextInt(51)));
      speeds.put(one, beside);
    }
    List<TaskClass> waiting = new ArrayList<>();
    for (int job = 1; job <= 8; job++) {
      ResourceRequest needs =
          new ResourceRequest(0, 1, 0, 10, null, Map.of(), 2, 0)
              .withShareIf(PROMISES[random.nextInt(PROMISES.length)]);
      PlacementPolicy[] policies = PlacementPolicy.values();
      TaskClass.SchedulingKey key =
          new TaskClass.SchedulingKey(
              0,
              "ann",
              needs,
              policies[random.nextInt(policies.length)],
              0,
              null,
              TYPES.get(random.nextInt(TYPES.size())),
              false,
              null,
              job);
      waiting.add(
          new TaskClass(
              key,
              TaskSet.of(List.of(new TaskId(new JobId(job), 0))),
              1,
              TaskClass.Overtaking.ALLOWED));
    }
    return new Sample(new SharePromises(speeds, Map.of()), waiting);
  }

  private static Plan plan(Sample sample) {
    NodeOffer node = node(List.of(free("A"), free("B"), free("C")));
    return Scheduler.plan(
        new Snapshot(List.of(node), Map.of(), Map.of(), Map.of(), Map.of(), Map.of(), 0)
            .with(sample.promises()),
        sample.waiting());
  }

  @Property(tries = 500)
  void nothing_is_placed_where_a_promise_is_known_to_break(@ForAll Random random) {
    Sample sample = sample(random);
    Map<TaskId, TaskClass.SchedulingKey> keys = new HashMap<>();
    sample.waiting().forEach(one -> one.tasks().forEach(task -> keys.put(task, one.key())));
    Map<DeviceId, List<TaskClass.SchedulingKey>> on = new HashMap<>();
    for (Plan.Placement placement : plan(sample).placements()) {
      on.computeIfAbsent(placement.devices().get(0), id -> new ArrayList<>())
          .add(keys.get(placement.task()));
    }
    for (List<TaskClass.SchedulingKey> together : on.values()) {
      assertTrue(together.size() <= 2);
      if (together.size() == 2) {
        assertKept(sample, together.get(0), together.get(1));
        assertKept(sample, together.get(1), together.get(0));
      }
    }
  }

  private static void assertKept(
      Sample sample, TaskClass.SchedulingKey one, TaskClass.SchedulingKey other) {
    int speed = sample.promises().speeds().get(one.type()).getOrDefault(other.type(), 100);
    assertTrue(speed >= one.needs().shareIf(), () -> one + " beside " + other + ": " + speed);
  }

  @Property(tries = 100)
  void the_same_input_gives_the_same_plan(@ForAll Random random) {
    Sample sample = sample(random);
    assertEquals(plan(sample), plan(sample));
  }

  @Property(tries = 200)
  void a_pair_that_is_known_goes_before_one_that_has_to_be_tried(@ForAll Random random) {
    JobType mine = TYPES.get(0);
    Map<JobType, Map<JobType, Integer>> speeds =
        Map.of(mine, Map.of(TYPES.get(2), 90), TYPES.get(2), Map.of(mine, 80 + random.nextInt(20)));
    TaskClass.SchedulingKey key =
        new TaskClass.SchedulingKey(
            0,
            "ann",
            new ResourceRequest(0, 1, 0, 10, null, Map.of(), 2, 0).withShareIf(85),
            PlacementPolicy.PACK,
            0,
            null,
            mine,
            false,
            null);
    TaskId task = new TaskId(new JobId(1), 0);
    NodeOffer node = node(List.of(shared("A", TYPES.get(1)), shared("B", TYPES.get(2))));
    Plan plan =
        Scheduler.plan(
            new Snapshot(List.of(node), Map.of(), Map.of(), Map.of(), Map.of(), Map.of(), 0)
                .with(new SharePromises(speeds, Map.of())),
            List.of(
                new TaskClass(key, TaskSet.of(List.of(task)), 1, TaskClass.Overtaking.ALLOWED)));
    assertEquals(List.of(new DeviceId("B")), plan.placements().get(0).devices());
  }
}
