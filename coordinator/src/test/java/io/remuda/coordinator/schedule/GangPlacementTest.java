package io.remuda.coordinator.schedule;

import static io.remuda.coordinator.schedule.ScheduleSamples.node;
import static org.junit.jupiter.api.Assertions.assertEquals;

import io.remuda.coordinator.schedule.model.Gang;
import io.remuda.coordinator.schedule.model.NodeOffer;
import io.remuda.coordinator.schedule.model.TaskClass;
import io.remuda.coordinator.schedule.model.TaskSet;
import io.remuda.coordinator.schedule.model.WaitReason;
import io.remuda.worker.job.GangRoleSpec;
import io.remuda.worker.job.JobId;
import io.remuda.worker.job.PlacementPolicy;
import io.remuda.worker.job.ResourceRequest;
import io.remuda.worker.job.TaskId;
import java.util.List;
import java.util.Map;
import java.util.stream.Collectors;
import java.util.stream.IntStream;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;

/** Where the members of a gang go. */
class GangPlacementTest {
  private static final JobId JOB = new JobId(1);

  private static TaskClass gang(int members, ResourceRequest each, boolean mixed) {
    return gang(members, each, new Gang(JOB, mixed, List.of()));
  }

  private static TaskClass gang(int members, ResourceRequest first, Gang gang) {
    TaskSet tasks = new TaskSet();
    tasks.add(JOB, 0, members);
    TaskClass.SchedulingKey key =
        new TaskClass.SchedulingKey(0, "ann", first, PlacementPolicy.PACK, 0, gang);
    return new TaskClass(key, tasks, 1, TaskClass.Overtaking.ALLOWED);
  }

  private static Plan plan(TaskClass gang, NodeOffer... nodes) {
    return Scheduler.plan(
        new Snapshot(List.of(nodes), Map.of(), Map.of(), Map.of(), Map.of(), Map.of(), 0),
        List.of(gang));
  }

  /** Returns the node of each member by rank. */
  private static String nodes(Plan plan) {
    Map<TaskId, String> byTask =
        plan.placements().stream()
            .collect(Collectors.toMap(Plan.Placement::task, Plan.Placement::node));
    return byTask.keySet().stream().sorted().map(byTask::get).collect(Collectors.joining(" "));
  }

  private static NodeOffer gpus(String name, String model, int count) {
    DeviceBuilder[] devices =
        IntStream.range(0, count)
            .mapToObj(i -> ScheduleSamples.device(name + "-" + i).model(model))
            .toArray(DeviceBuilder[]::new);
    return node(name, devices).cpus(64_000, 64_000).offer();
  }

  private static ResourceRequest oneGpu() {
    return new ResourceRequest(1, 1);
  }

  @Test
  void it_takes_as_few_nodes_as_it_can_and_neighbours_are_side_by_side() {
    Plan plan =
        plan(
            gang(6, oneGpu(), false),
            gpus("n1", "H200", 2),
            gpus("n2", "H200", 4),
            gpus("n3", "H200", 2));
    assertEquals("n2 n2 n2 n2 n1 n1", nodes(plan));
  }

  @Test
  void a_model_whose_name_begins_another_is_not_that_one() {
    Plan apart =
        plan(gang(4, oneGpu(), false), gpus("n1", "NVIDIA L4", 2), gpus("n2", "NVIDIA L40S", 2));
    assertEquals("", nodes(apart));
    Plan mixed =
        plan(gang(4, oneGpu(), true), gpus("n1", "NVIDIA L4", 2), gpus("n2", "NVIDIA L40S", 2));
    assertEquals(4, mixed.placements().size());
  }

  @Test
  void of_nodes_that_take_all_it_takes_the_one_with_the_least_left() {
    Plan plan = plan(gang(2, oneGpu(), false), gpus("n1", "H200", 8), gpus("n2", "H200", 2));
    assertEquals("n2 n2", nodes(plan));
  }

  @Test
  void its_gpus_are_of_one_model_unless_it_may_be_mixed() {
    NodeOffer[] nodes = {gpus("n1", "A100", 3), gpus("n2", "H200", 2), gpus("n3", "H200", 2)};
    assertEquals("n2 n2 n3 n3", nodes(plan(gang(4, oneGpu(), false), nodes)));
    assertEquals("n1 n1 n1 n2", nodes(plan(gang(4, oneGpu(), true), nodes)));
  }

  @Test
  void it_waits_if_no_model_suffices_and_says_how_many_would_fit() {
    Plan plan = plan(gang(4, oneGpu(), false), gpus("n1", "A100", 3), gpus("n2", "H200", 2));
    assertEquals(List.of(), plan.placements());
    assertEquals(
        new WaitReason.GangIncomplete(4, 3), plan.waiting().values().iterator().next().get(0));
  }

  @Test
  void a_role_has_what_it_asks_for() {
    ResourceRequest head = new ResourceRequest(8, 0);
    Gang roles =
        new Gang(
            JOB,
            false,
            List.of(
                new GangRoleSpec("Head", 1, 1, 0, head),
                new GangRoleSpec("Workers", 3, 1, 0, oneGpu())));
    Plan plan = plan(gang(4, head, roles), gpus("n1", "H200", 2), gpus("n2", "H200", 2));
    assertEquals("n1 n1 n1 n2", nodes(plan));
    assertEquals(
        List.of(0, 1, 1, 1), plan.placements().stream().map(one -> one.devices().size()).toList());
  }

  @Test
  void large_members_go_first_if_the_order_of_the_ranks_does_not_fit() {
    ResourceRequest small = new ResourceRequest(1, 0);
    ResourceRequest large = new ResourceRequest(4, 0);
    Gang roles =
        new Gang(
            JOB,
            false,
            List.of(
                new GangRoleSpec("small", 1, 1, 0, small),
                new GangRoleSpec("large", 1, 1, 0, large)));
    NodeOffer[] nodes =
        Stream.of(node("n1").cpus(4000, 4000), node("n2").cpus(1000, 1000))
            .map(NodeBuilder::offer)
            .toArray(NodeOffer[]::new);
    assertEquals("n2 n1", nodes(plan(gang(2, small, roles), nodes)));
  }
}
