package io.remuda.coordinator.schedule;

import static io.remuda.coordinator.schedule.ScheduleSamples.device;
import static io.remuda.coordinator.schedule.ScheduleSamples.node;
import static io.remuda.coordinator.schedule.ScheduleSamples.tasks;
import static io.remuda.coordinator.schedule.ScheduleSamples.type;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;

import io.remuda.coordinator.profile.JobType;
import io.remuda.coordinator.schedule.model.NodeOffer;
import io.remuda.worker.job.JobId;
import io.remuda.worker.job.TaskId;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.Test;

class SnapshotTest {
  private static final JobType TRAIN = type("train");
  private static final JobType EVAL = type("eval");

  /** Train is slow beside eval and beside itself, eval beside train. */
  private static final Snapshot SNAPSHOT =
      new Snapshot(
          List.of(),
          Map.of(),
          Map.of(),
          Map.of(),
          Map.of(),
          Map.of(TRAIN, Map.of(TRAIN, 90, EVAL, 80), EVAL, Map.of(TRAIN, 80)),
          0);

  @Test
  void a_task_is_slow_with_the_types_that_are_known_for_its_own() {
    assertEquals(
        Map.of(TRAIN, 90, EVAL, 80),
        SNAPSHOT.slowWith(tasks(1, 1).type(TRAIN).key(), SharePromises.NONE));
    assertEquals(
        Map.of(TRAIN, 80), SNAPSHOT.slowWith(tasks(1, 1).type(EVAL).key(), SharePromises.NONE));
  }

  @Test
  void a_task_without_a_type_or_of_an_unknown_one_is_slow_with_none() {
    assertEquals(Map.of(), SNAPSHOT.slowWith(tasks(1, 1).key(), SharePromises.NONE));
    assertEquals(
        Map.of(), SNAPSHOT.slowWith(tasks(1, 1).type(type("new")).key(), SharePromises.NONE));
    assertEquals(
        Map.of(),
        SNAPSHOT.slowWith(tasks(1, 1).type(new JobType("bob", "train")).key(), SharePromises.NONE));
  }

  @Test
  void a_gang_may_share_devices_with_itself_but_not_with_others() {
    assertEquals(
        Map.of(EVAL, 80),
        SNAPSHOT.slowWith(tasks(1, 2).type(TRAIN).gang().key(), SharePromises.NONE));
    assertEquals(
        Map.of(TRAIN, 80),
        SNAPSHOT.slowWith(tasks(1, 2).type(EVAL).gang().key(), SharePromises.NONE));
  }

  @Test
  void what_it_was_made_of_may_change_later() {
    List<NodeOffer> nodes = new ArrayList<>(List.of(node("n1", device("A")).offer()));
    Map<JobId, String> lastNode = new HashMap<>(Map.of(new JobId(1), "n1"));
    Map<String, Double> use = new HashMap<>(Map.of("ann", 1.0));
    Map<String, Double> shares = new HashMap<>(Map.of("ann", 2.0));
    Map<JobType, TaskId> measuring = new HashMap<>(Map.of(TRAIN, TaskId.parse("1.0")));
    Map<JobType, Map<JobType, Integer>> slow = new HashMap<>(Map.of(TRAIN, Map.of(EVAL, 80)));
    Snapshot snapshot = new Snapshot(nodes, lastNode, use, shares, measuring, slow, 5);
    Snapshot same =
        new Snapshot(
            List.copyOf(nodes),
            Map.copyOf(lastNode),
            Map.copyOf(use),
            Map.copyOf(shares),
            Map.copyOf(measuring),
            Map.copyOf(slow),
            5);
    nodes.clear();
    List.of(lastNode, use, shares, measuring, slow).forEach(Map::clear);
    assertEquals(same, snapshot);
    assertEquals(1, snapshot.nodes().size());
    assertThrows(UnsupportedOperationException.class, () -> snapshot.nodes().clear());
  }

  @Test
  void a_plan_keeps_what_it_was_made_of() {
    List<Plan.Placement> placements = new ArrayList<>();
    placements.add(
        new Plan.Placement(TaskId.parse("1.0"), "n1", new ArrayList<>(ScheduleSamples.ids("A"))));
    Map<JobId, String> lastNode = new HashMap<>(Map.of(new JobId(1), "n1"));
    Plan plan = new Plan(placements, new HashMap<>(), lastNode, null);
    placements.clear();
    lastNode.clear();
    assertEquals(
        new Plan(
            List.of(new Plan.Placement(TaskId.parse("1.0"), "n1", ScheduleSamples.ids("A"))),
            Map.of(),
            Map.of(new JobId(1), "n1"),
            null),
        plan);
    assertThrows(
        UnsupportedOperationException.class, () -> plan.placements().get(0).devices().clear());
  }
}
