package io.remuda.coordinator.schedule;

import static io.remuda.coordinator.schedule.ScheduleSamples.device;
import static io.remuda.coordinator.schedule.ScheduleSamples.needs;
import static io.remuda.coordinator.schedule.ScheduleSamples.node;
import static io.remuda.coordinator.schedule.ScheduleSamples.tasks;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertNull;

import io.remuda.coordinator.schedule.model.NodeOffer;
import io.remuda.coordinator.schedule.model.NodeOffer.Amount;
import io.remuda.coordinator.schedule.model.NodeOffer.Presence;
import io.remuda.coordinator.schedule.model.TaskClass;
import io.remuda.coordinator.schedule.model.WaitReason;
import io.remuda.worker.job.JobId;
import io.remuda.worker.job.PlacementPolicy;
import io.remuda.worker.job.ResourceRequest;
import io.remuda.worker.job.TaskId;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.OptionalLong;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;

/** Small jobs that pass a large one that waits. A node has 4 cores. */
class BackfillTest {
  private final List<NodeOffer> nodes = new ArrayList<>();

  private BackfillTest with(NodeBuilder... more) {
    Stream.of(more).map(NodeBuilder::offer).forEach(nodes::add);
    return this;
  }

  private Plan plan(LineBuilder... lines) {
    List<TaskClass> classes = Stream.of(lines).map(LineBuilder::line).toList();
    return Scheduler.plan(
        new Snapshot(nodes, Map.of(), Map.of(), Map.of(), Map.of(), Map.of(), 0), classes);
  }

  private static List<String> placed(Plan plan) {
    return plan.placements().stream()
        .map(placement -> placement.task() + " on " + placement.node() + placement.devices())
        .toList();
  }

  private static LineBuilder cores(long job, int count, double cores) {
    return tasks(job, count).need(needs().cpus(cores));
  }

  private static List<WaitReason> held(String... names) {
    return Stream.of(names)
        .<WaitReason>map(name -> new WaitReason.HeldForOther(name, new JobId(1)))
        .toList();
  }

  @Test
  void a_patient_job_is_passed_by_all_that_fit_and_an_impatient_one_by_none_that_delay_it() {
    with(node("n1").cpus(2000, 4000));
    assertEquals(
        List.of("2.0 on n1[]", "2.1 on n1[]"), placed(plan(cores(1, 1, 4), cores(2, 3, 1))));
    Plan kept = plan(cores(1, 1, 4).impatient(), cores(2, 3, 1));
    assertEquals(List.of(), placed(kept));
    assertEquals(held("n1"), kept.waiting().get(cores(2, 3, 1).key()));
  }

  @Test
  void the_impatient_job_itself_hears_what_is_lacking() {
    with(node("n1").cpus(2000, 4000));
    assertEquals(
        List.of(new WaitReason.TooFewFreeCpus("n1", 4000, 2000, 4000)),
        plan(cores(1, 1, 4).impatient()).waiting().get(cores(1, 1, 4).key()));
  }

  @Test
  void tasks_ahead_of_the_impatient_job_are_not_held_back() {
    with(node("n1").cpus(2000, 4000));
    assertEquals(
        List.of("5.0 on n1[]"),
        placed(plan(cores(1, 1, 4).impatient(), cores(5, 1, 1).priority(1))));
  }

  @Test
  void what_the_job_leaves_over_is_given_to_others_and_no_more() {
    with(node("n1").cpus(4000, 6000).memory(0, 1000));
    Plan plan = plan(tasks(1, 1).need(needs().cpus(3).memory(2)).impatient(), cores(2, 3, 1));
    assertEquals(List.of("2.0 on n1[]"), placed(plan), "3 of 4 cores are kept");
    assertEquals(held("n1"), plan.waiting().get(cores(2, 3, 1).key()));
  }

  @Test
  void only_the_first_job_that_cannot_start_has_capacity_kept() {
    with(node("n1").cpus(2000, 4000), node("n2").cpus(1000, 4000));
    Plan plan = plan(cores(1, 1, 4).impatient(), cores(2, 1, 3.5).impatient(), cores(3, 1, 1));
    assertEquals(List.of("3.0 on n2[]"), placed(plan), "n1 is kept, n2 is not");
  }

  @Test
  void a_patient_first_job_does_not_keep_a_second_from_its_reservation() {
    with(node("n1").cpus(2000, 4000));
    Plan plan =
        plan(cores(1, 1, 3).by(PlacementPolicy.SPREAD), cores(2, 1, 4).impatient(), cores(3, 1, 1));
    assertEquals(List.of(), placed(plan));
    assertEquals(
        List.of(new WaitReason.HeldForOther("n1", new JobId(2))),
        plan.waiting().get(cores(3, 1, 1).key()));
    assertEquals(cores(1, 1, 3).by(PlacementPolicy.SPREAD).key(), plan.next());
  }

  @Test
  void a_job_that_fits_on_no_node_that_takes_tasks_keeps_nothing() {
    with(node("n1").cpus(2000, 4000), node("n2").cpus(8000, 8000).presence(Presence.SILENT));
    assertEquals(List.of("2.0 on n1[]"), placed(plan(cores(1, 1, 8).impatient(), cores(2, 1, 2))));
  }

  @Test
  void the_roomiest_node_is_kept_by_free_devices_and_then_by_free_cores() {
    with(
        node("n1", device("A").taken(), device("B").taken()),
        node("n2", device("C"), device("D").taken()).cpus(1000, 4000),
        node("n3", device("E"), device("F").taken()).cpus(2000, 4000));
    Plan plan =
        plan(tasks(1, 1).need(needs().gpus(2)).impatient(), tasks(2, 3).need(needs().gpus(1)));
    assertEquals(List.of("2.0 on n2[C]"), placed(plan));
    assertEquals(
        List.of(
            new WaitReason.TooFewFreeGpus("n1", 1, 0, 2),
            new WaitReason.TooFewFreeGpus("n2", 1, 0, 2),
            new WaitReason.HeldForOther("n3", new JobId(1))),
        plan.waiting().get(tasks(2, 3).need(needs().gpus(1)).key()));
  }

  @Test
  void a_gang_keeps_as_many_nodes_as_all_its_tasks_need() {
    with(node("n1").cpus(3000, 4000), node("n2").cpus(2000, 4000), node("n3").cpus(1000, 4000));
    Plan plan = plan(cores(1, 2, 4).gang().impatient(), cores(2, 4, 1));
    assertEquals(List.of("2.0 on n3[]"), placed(plan));
    assertEquals(
        List.of(
            new WaitReason.HeldForOther("n1", new JobId(1)),
            new WaitReason.HeldForOther("n2", new JobId(1)),
            new WaitReason.TooFewFreeCpus("n3", 1000, 0, 4000)),
        plan.waiting().get(cores(2, 4, 1).key()));
  }

  @Test
  void short_tasks_fill_the_time_until_the_node_is_empty() {
    with(node("n1").cpus(2000, 4000).clearsIn(60_000));
    LineBuilder shorter = cores(2, 1, 1).limitMillis(60_000);
    LineBuilder longer = cores(3, 1, 1).limitMillis(60_001);
    Plan plan = plan(cores(1, 1, 4).impatient(), shorter, longer);
    assertEquals(List.of("2.0 on n1[]"), placed(plan));
    assertEquals(held("n1"), plan.waiting().get(longer.key()));
  }

  @Test
  void short_tasks_fill_the_time_until_the_nodes_of_a_gang_are_empty_too() {
    with(
        node("n1").cpus(2000, 4000).clearsIn(60_000), node("n2").cpus(2000, 4000).clearsIn(60_000));
    LineBuilder shorter = cores(2, 1, 1).limitMillis(60_000);
    LineBuilder longer = cores(3, 1, 1).limitMillis(60_001);
    Plan plan = plan(cores(1, 2, 4).gang().impatient(), shorter, longer);
    assertEquals(List.of("2.0 on n1[]"), placed(plan));
    assertEquals(held("n1", "n2"), plan.waiting().get(longer.key()));
  }

  @Test
  void round_robin_and_spreading_pass_by_a_kept_node_too() {
    with(node("n1").cpus(3000, 4000), node("n2").cpus(1000, 4000));
    for (PlacementPolicy policy : PlacementPolicy.values()) {
      assertEquals(
          List.of("2.0 on n2[]"),
          placed(plan(cores(1, 1, 4).impatient(), cores(2, 2, 1).by(policy))),
          policy.toString());
    }
  }

  @Test
  void a_type_that_waits_for_its_measurement_keeps_nothing_and_is_not_the_next_job() {
    with(node("n1", device("A"), device("B")));
    LineBuilder measured =
        tasks(1, 2)
            .need(needs().gpus(1).gpuMemory(ResourceRequest.AUTO))
            .type(ScheduleSamples.type("train"))
            .impatient();
    Plan plan = plan(measured, tasks(2, 1).need(needs().gpus(1)));
    assertEquals(List.of("1.0 on n1[A]", "2.0 on n1[B]"), placed(plan));
    assertEquals(
        List.of(new WaitReason.TypeMeasured("train", measured.line().tasks().first())),
        plan.waiting().get(measured.key()));
    assertNull(plan.next());
  }

  @Test
  void the_next_job_is_the_first_that_had_to_wait_for_capacity() {
    with(node("n1").cpus(1000, 4000));
    Plan plan = plan(cores(1, 1, 1), cores(2, 1, 2), cores(3, 1, 3));
    assertEquals(List.of("1.0 on n1[]"), placed(plan));
    assertEquals(cores(2, 1, 2).key(), plan.next());
    assertNull(plan(cores(1, 1, 1)).next());
  }

  @Test
  void another_node_of_the_kept_machine_does_not_give_its_cores_away() {
    with(
        node("n1").machine("m1").cpus(2000, 4000),
        node("n2").machine("m1").cpus(2000, 4000),
        node("n3").cpus(1000, 4000));
    Plan plan = plan(cores(1, 1, 4).impatient(), cores(2, 2, 1));
    assertEquals(List.of("2.0 on n3[]"), placed(plan));
    assertEquals(
        List.of(
            new WaitReason.HeldForOther("n1", new JobId(1)),
            new WaitReason.HeldForOther("n2", new JobId(1)),
            new WaitReason.TooFewFreeCpus("n3", 1000, 0, 4000)),
        plan.waiting().get(cores(2, 2, 1).key()));
  }

  @Test
  void another_node_of_the_kept_machine_gives_what_the_job_does_not_need() {
    with(node("n1", device("A").taken()).machine("m1"), node("n2", device("B")).machine("m1"));
    LineBuilder large = tasks(1, 1).need(needs().bound("A").cpus(3)).impatient();
    LineBuilder gpu = tasks(2, 2).need(needs().gpus(1).cpus(1));
    assertEquals(List.of("2.0 on n2[B]"), placed(plan(large, gpu)));
  }

  @Test
  void devices_of_the_model_that_the_job_needs_are_kept_and_those_of_another_are_lent() {
    with(
        node("n1", device("A").model("NVIDIA A100"), device("H").model("NVIDIA H100"))
            .cpus(2000, 4000));
    LineBuilder large = tasks(1, 1).need(needs().cpus(4).gpus(1).model("a100")).impatient();
    LineBuilder any = tasks(2, 1).need(needs().gpus(1));
    Plan plan = plan(large, any);
    assertEquals(List.of(), placed(plan), "it might get A");
    assertEquals(held("n1"), plan.waiting().get(any.key()));
    assertEquals(
        List.of("2.0 on n1[H]"),
        placed(plan(large, tasks(2, 1).need(needs().gpus(1).model("h100")))));
    assertEquals(
        List.of("2.0 on n1[H]"), placed(plan(large, tasks(2, 1).need(needs().bound("H")))));
  }

  @Test
  void another_node_of_the_kept_machine_lends_its_own_devices() {
    with(
        node("n1", device("A"), device("B").taken()).machine("m1"),
        node("n2", device("C")).machine("m1"));
    assertEquals(
        List.of("2.0 on n2[C]"),
        placed(
            plan(
                tasks(1, 1).need(needs().gpus(2)).impatient(), tasks(2, 1).need(needs().gpus(1)))));
  }

  @Test
  void another_node_of_the_kept_machine_lends_no_device_that_the_job_needs() {
    with(
        node("n1", device("A"), device("B").taken()).machine("m1"),
        node("n2", device("A"), device("C").taken()).machine("m1"));
    Plan plan =
        plan(tasks(1, 1).need(needs().gpus(2)).impatient(), tasks(2, 1).need(needs().gpus(1)));
    assertEquals(List.of(), placed(plan));
    assertEquals(held("n1", "n2"), plan.waiting().get(tasks(2, 1).need(needs().gpus(1)).key()));
  }

  @Test
  void nodes_with_parts_of_a_machine_of_their_own_do_not_hold_each_other_back() {
    Amount cpus = new Amount(6000, 8000);
    Amount memory = new Amount(1000, 1000);
    with(
        node("n1").machine("m1", cpus, memory).cpus(2000, 4000),
        node("n2").machine("m1", cpus, memory).cpus(4000, 4000));
    Plan plan = plan(cores(1, 1, 4).priority(1), cores(2, 1, 4).impatient(), cores(3, 1, 1));
    assertEquals(List.of("1.0 on n2[]"), placed(plan));
    nodes.clear();
    with(
        node("n1").machine("m1", new Amount(7000, 8000), memory).cpus(2000, 4000),
        node("n2").machine("m1", new Amount(7000, 8000), memory).cpus(3000, 4000));
    Plan other = plan(cores(2, 1, 4).impatient(), cores(3, 1, 1));
    assertEquals(List.of("3.0 on n1[]"), placed(other), "n2 is kept, and the machine has enough");
  }

  /** Tasks of these jobs have ended after so many milliseconds in nine of ten cases. */
  private static Plan expecting(
      List<NodeOffer> nodes, Map<Long, Long> likely, LineBuilder... lines) {
    Snapshot snapshot =
        new Snapshot(nodes, Map.of(), Map.of(), Map.of(), Map.of(), Map.of(), 0)
            .expecting(
                job ->
                    likely.containsKey(job.value())
                        ? OptionalLong.of(likely.get(job.value()))
                        : OptionalLong.empty());
    return Scheduler.plan(snapshot, Stream.of(lines).map(LineBuilder::line).toList());
  }

  @Test
  void a_task_without_a_limit_may_pass_if_those_of_its_type_have_ended_in_time() {
    with(node("n1").cpus(2000, 4000).clearsIn(60_000));
    LineBuilder other = tasks(3, 1).need(needs().cpus(1).memory(1));
    Plan plan =
        expecting(
            nodes,
            Map.of(2L, 60_000L, 3L, 60_001L),
            cores(1, 1, 4).impatient(),
            cores(2, 1, 1),
            other);
    assertEquals(List.of("2.0 on n1[]"), placed(plan));
    assertEquals(held("n1"), plan.waiting().get(other.key()));
    assertEquals(
        Map.of(new TaskId(new JobId(2), 0), new Plan.Pass(new JobId(1), 60_000)), plan.passes());
  }

  @Test
  void the_shorter_of_limit_and_likely_end_counts_and_only_the_latter_is_a_condition() {
    with(node("n1").cpus(2000, 4000).clearsIn(60_000));
    LineBuilder limited = cores(2, 1, 1).limitMillis(50_000);
    Plan plan = expecting(nodes, Map.of(2L, 90_000L), cores(1, 1, 4).impatient(), limited);
    assertEquals(List.of("2.0 on n1[]"), placed(plan));
    assertEquals(Map.of(), plan.passes());
    LineBuilder long_ = cores(2, 1, 1).limitMillis(90_000);
    Plan other = expecting(nodes, Map.of(2L, 50_000L), cores(1, 1, 4).impatient(), long_);
    assertEquals(1, other.passes().size());
  }

  @Test
  void a_task_that_passes_nobody_has_no_condition() {
    with(node("n1").cpus(2000, 4000), node("n2"));
    Plan plan = expecting(nodes, Map.of(2L, 50_000L), cores(1, 1, 3), cores(2, 1, 1));
    assertEquals(2, plan.placements().size());
    assertEquals(Map.of(), plan.passes());
  }

  @Test
  void behind_a_task_that_is_held_back_a_shorter_one_of_the_same_needs_is_found() {
    with(node("n1").cpus(2000, 4000).clearsIn(60_000));
    TaskClass alike = cores(2, 2, 1).line();
    alike.tasks().add(new JobId(3), 0, 1);
    alike.tasks().add(new JobId(4), 0, 1);
    alike.tasks().add(new JobId(5), 0, 1);
    Snapshot snapshot =
        new Snapshot(nodes, Map.of(), Map.of(), Map.of(), Map.of(), Map.of(), 0)
            .expecting(
                job ->
                    job.value() == 3
                        ? OptionalLong.of(70_000)
                        : job.value() == 5 ? OptionalLong.of(20_000) : OptionalLong.empty());
    Plan plan = Scheduler.plan(snapshot, List.of(cores(1, 1, 4).impatient().line(), alike));
    assertEquals(List.of("5.0 on n1[]"), placed(plan));
    assertEquals(held("n1"), plan.waiting().get(alike.key()));
  }

  @Test
  void each_further_user_has_a_reservation_in_a_cluster_that_is_large_enough() {
    for (int i = 1; i <= 8; i++) {
      with(node("n" + i).cpus(2000, 4000));
    }
    Plan plan =
        plan(
            cores(1, 1, 4).impatient(),
            cores(2, 1, 3.5).impatient(),
            cores(3, 1, 3).of("bob").impatient(),
            cores(4, 20, 2).of("eve"));
    assertEquals(6, plan.placements().size(), "a node is kept for ann, and one for bob");
    assertEquals(
        List.of(new JobId(1), new JobId(3)),
        plan.waiting().get(cores(4, 20, 2).of("eve").key()).stream()
            .filter(WaitReason.HeldForOther.class::isInstance)
            .map(one -> ((WaitReason.HeldForOther) one).job())
            .sorted()
            .toList());
  }

  @Test
  void what_is_kept_for_two_users_on_one_node_is_kept_for_both() {
    for (int i = 1; i <= 8; i++) {
      with(node("n" + i).cpus(i == 1 ? 0 : 4000, i == 1 ? 8000 : 4000));
    }
    Plan plan =
        plan(
            cores(1, 1, 5).impatient(),
            cores(2, 1, 4.5).of("bob").impatient(),
            cores(3, 8, 4).of("eve"));
    assertEquals(7, plan.placements().size(), "there is no room for a reservation of bob's");
  }
}
