package io.remuda.coordinator.schedule;

import static io.remuda.coordinator.schedule.ScheduleSamples.PID;
import static io.remuda.coordinator.schedule.ScheduleSamples.device;
import static io.remuda.coordinator.schedule.ScheduleSamples.ids;
import static io.remuda.coordinator.schedule.ScheduleSamples.needs;
import static io.remuda.coordinator.schedule.ScheduleSamples.node;
import static io.remuda.coordinator.schedule.ScheduleSamples.tasks;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertInstanceOf;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.remuda.coordinator.schedule.model.FailedPlaces;
import io.remuda.coordinator.schedule.model.GpuRest;
import io.remuda.coordinator.schedule.model.NodeOffer;
import io.remuda.coordinator.schedule.model.TaskClass;
import io.remuda.coordinator.schedule.model.WaitReason;
import io.remuda.telemetry.model.DeviceId;
import io.remuda.worker.job.PlacementPolicy;
import io.remuda.worker.job.TaskId;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;
import org.junit.jupiter.params.provider.ValueSource;

/** A GPU is what it really has: strangers, slices, rests, and where a task has failed. */
class WholeGpuTest {
  private static final String SLICE = "NVIDIA H100 80GB HBM3 MIG 1g.10gb";

  private static Plan plan(
      Map<TaskId, FailedPlaces> failed, List<NodeOffer> nodes, TaskClass... lines) {
    return Scheduler.plan(
        new Snapshot(
            nodes, Map.of(), Map.of(), Map.of(), Map.of(), Map.of(), Map.of(), Map.of(), failed, 0),
        List.of(lines));
  }

  private static Plan plan(TaskClass line, NodeBuilder... nodes) {
    return plan(Map.of(), Stream.of(nodes).map(NodeBuilder::offer).toList(), line);
  }

  /** Returns the places, as {@code n1[A]}. */
  private static List<String> places(Plan plan) {
    return plan.placements().stream().map(one -> one.node() + one.devices()).toList();
  }

  private static WaitReason reason(Plan plan) {
    return plan.waiting().values().iterator().next().get(0);
  }

  private static LineBuilder whole(int tasks, int gpus) {
    return tasks(1, tasks).need(needs().gpus(gpus));
  }

  @ParameterizedTest
  @EnumSource(PlacementPolicy.class)
  void an_idle_gpu_comes_before_one_with_a_tolerated_stranger_by_every_policy(
      PlacementPolicy policy) {
    Plan plan =
        plan(whole(2, 1).by(policy).line(), node("n1", device("A").strangers(5), device("B")));
    assertEquals(List.of("n1[B]", "n1[A]"), places(plan));
  }

  @ParameterizedTest
  @EnumSource(PlacementPolicy.class)
  void a_node_with_idle_gpus_comes_before_one_whose_gpus_strangers_use(PlacementPolicy policy) {
    Plan plan =
        plan(
            whole(1, 1).by(policy).line(),
            node("n1", device("A").strangers(5), device("B").taken()),
            node("n2", device("C"), device("D")));
    assertEquals("n2", plan.placements().get(0).node());
  }

  @ParameterizedTest
  @EnumSource(PlacementPolicy.class)
  void a_part_goes_to_a_gpu_that_no_stranger_uses_if_there_is_room(PlacementPolicy policy) {
    Plan plan =
        plan(
            tasks(1, 1).need(needs().gpus(1).gpuMemory(20)).by(policy).line(),
            node("n1", device("A").strangers(50), device("B")));
    assertEquals(List.of("n1[B]"), places(plan));
  }

  @Test
  void a_gpu_with_more_of_strangers_than_is_tolerated_is_not_lent_whole_but_its_rest_in_parts() {
    NodeBuilder busy = node("n1", device("A").strangers(6));
    assertEquals(
        new WaitReason.TooFewFreeGpus("n1", 1, 0, 1), reason(plan(whole(1, 1).line(), busy)));
    TaskClass part = tasks(1, 1).need(needs().gpus(1).gpuMemory(20)).line();
    assertEquals(List.of("n1[A]"), places(plan(part, busy)));
  }

  @Test
  void a_gang_takes_no_gpu_of_strangers_and_prefers_those_that_nobody_uses() {
    NodeBuilder busy = node("n1", device("A").strangers(6), device("B").strangers(2), device("C"));
    assertTrue(plan(whole(3, 1).gang().line(), busy).placements().isEmpty());
    assertEquals(List.of("n1[C]", "n1[B]"), places(plan(whole(2, 1).gang().line(), busy)));
    NodeBuilder idle = node("n2", device("D"), device("E"), device("F"), device("G"));
    assertEquals(List.of("n2[D]", "n2[E]"), places(plan(whole(2, 1).gang().line(), busy, idle)));
  }

  @Test
  void the_process_that_asks_for_a_lease_of_its_own_gpu_is_no_stranger_there() {
    DeviceBuilder own = device("A").own(50).strangers(50);
    TaskClass lease = tasks(1, 1).need(needs().bound("A")).line();
    assertEquals(List.of("n1[A]"), places(plan(lease, node("n1", own))));
    assertTrue(plan(lease, node("n1", device("A").strangers(50))).placements().isEmpty());
    assertEquals(PID, own.offer().strangers().processes().get(0).pid());
  }

  private static NodeBuilder mixed() {
    return node(
        "n1",
        device("M1").model(SLICE).memory(10, 10).slice(),
        device("M2").model(SLICE).memory(10, 10).slice(),
        device("A").model("NVIDIA H100 80GB HBM3").memory(80, 80),
        device("B").model("NVIDIA H100 80GB HBM3").memory(80, 80));
  }

  @ParameterizedTest
  @EnumSource(PlacementPolicy.class)
  void a_gpu_is_a_whole_gpu_whatever_slices_are_free(PlacementPolicy policy) {
    Set<DeviceId> both = Set.copyOf(ids("A", "B"));
    Plan plan = plan(whole(3, 1).by(policy).line(), mixed());
    assertEquals(2, plan.placements().size());
    plan.placements().forEach(one -> assertTrue(both.containsAll(one.devices())));
    assertEquals(both, Set.copyOf(plan(whole(1, 2).line(), mixed()).placements().get(0).devices()));
    assertTrue(plan(whole(1, 3).line(), mixed()).placements().isEmpty());
    assertTrue(plan(whole(3, 1).gang().line(), mixed()).placements().isEmpty());
  }

  @ParameterizedTest
  @ValueSource(strings = {"MIG", "mig", "1g.10gb", "H100 80GB HBM3 MIG 1g", "=" + SLICE})
  void a_slice_is_lent_to_a_task_whose_model_asks_for_one(String model) {
    Plan plan = plan(tasks(1, 3).need(needs().gpus(1).model(model)).line(), mixed());
    assertEquals(List.of("n1[M1]", "n1[M2]"), places(plan));
    Plan two = plan(tasks(1, 1).need(needs().gpus(2).model(model)).line(), mixed());
    assertTrue(two.placements().isEmpty(), "a CUDA process sees one slice only");
  }

  @Test
  void the_model_of_the_gpu_does_not_ask_for_its_slices() {
    assertEquals(
        2,
        plan(tasks(1, 4).need(needs().gpus(1).model("h100")).line(), mixed()).placements().size());
  }

  @Test
  void a_slice_is_lent_to_a_task_that_asks_for_no_more_than_memory_that_fits() {
    Plan small = plan(tasks(1, 1).need(needs().gpus(1).gpuMemory(8)).line(), mixed());
    assertEquals(List.of("n1[M1]"), places(small));
    Plan large = plan(tasks(1, 1).need(needs().gpus(1).gpuMemory(20)).line(), mixed());
    assertEquals(List.of("n1[A]"), places(large));
    Plan two = plan(tasks(1, 1).need(needs().gpus(2).gpuMemory(8)).line(), mixed());
    assertEquals(ids("A", "B"), two.placements().get(0).devices());
  }

  @Test
  void where_there_are_only_slices_the_reason_says_how_to_ask_for_one() {
    NodeBuilder slices = node("n1", device("M1").model(SLICE).memory(10, 10).slice());
    assertEquals(
        new WaitReason.OnlySlices("n1", 1, 0, List.of(SLICE)),
        reason(plan(whole(1, 1).line(), slices)));
  }

  private static Map<TaskId, FailedPlaces> failed(String node, String device) {
    return Map.of(TaskId.parse("1.0"), new FailedPlaces(Set.of(node), Set.copyOf(ids(device))));
  }

  @ParameterizedTest
  @EnumSource(PlacementPolicy.class)
  void a_retry_prefers_another_node_then_another_gpu_and_takes_what_there_is(
      PlacementPolicy policy) {
    NodeOffer one = node("n1", device("A"), device("B")).offer();
    NodeOffer other = node("n2", device("C")).offer();
    NodeOffer alone = node("n1", device("A"), device("B").taken()).offer();
    TaskClass line = whole(1, 1).by(policy).line();
    assertEquals(List.of("n2[C]"), places(plan(failed("n1", "A"), List.of(one, other), line)));
    assertEquals(List.of("n1[B]"), places(plan(failed("n1", "A"), List.of(one), line)));
    assertEquals(List.of("n1[A]"), places(plan(failed("n1", "A"), List.of(alone), line)));
  }

  @Test
  void a_gang_whose_member_failed_prefers_other_gpus() {
    NodeOffer one = node("n1", device("A"), device("B"), device("C")).offer();
    NodeOffer other = node("n2", device("D"), device("E")).offer();
    TaskClass gang = whole(2, 1).gang().line();
    assertEquals(List.of("n1[B]", "n1[C]"), places(plan(failed("n1", "A"), List.of(one), gang)));
    assertEquals(
        List.of("n2[D]", "n2[E]"), places(plan(failed("n1", "A"), List.of(one, other), gang)));
  }

  @ParameterizedTest
  @EnumSource(PlacementPolicy.class)
  void a_gang_that_cannot_start_keeps_no_gpu_on_which_it_has_failed_from_others(
      PlacementPolicy policy) {
    NodeOffer node = node("n1", device("A"), device("B")).offer();
    TaskClass gang = whole(3, 1).by(policy).gang().line();
    TaskClass behind = tasks(2, 1).need(needs().gpus(2)).by(policy).line();
    assertEquals(List.of("n1[A, B]"), places(plan(failed("n1", "B"), List.of(node), gang, behind)));
  }

  @Test
  void a_gpu_that_rests_is_lent_neither_whole_nor_in_parts() {
    NodeOffer offer = node("n1", device("A")).offer();
    NodeOffer resting =
        offer.withDevices(
            offer.devices().stream().map(one -> one.resting(new GpuRest(3, 1, "it"))).toList());
    Plan plan = plan(Map.of(), List.of(resting), whole(1, 1).line());
    assertInstanceOf(WaitReason.TooFewFreeGpus.class, reason(plan));
    TaskClass part = tasks(1, 1).need(needs().gpus(1).gpuMemory(2)).line();
    assertTrue(plan(Map.of(), List.of(resting), part).placements().isEmpty());
  }
}
