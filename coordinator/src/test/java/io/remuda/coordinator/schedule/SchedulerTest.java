package io.remuda.coordinator.schedule;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.remuda.coordinator.schedule.model.Gang;
import io.remuda.coordinator.schedule.model.NodeOffer;
import io.remuda.coordinator.schedule.model.TaskClass;
import io.remuda.coordinator.schedule.model.WaitReason;
import io.remuda.worker.job.JobId;
import io.remuda.worker.job.PlacementPolicy;
import io.remuda.worker.job.ResourceRequest;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.Test;

class SchedulerTest {
  private final Picture picture = new Picture().by(PlacementPolicy.PACK);

  @Test
  void a_higher_priority_goes_first_whoever_came_first() {
    picture.cores("n1", 1, 1).wantsCores("1.0", 1).priority(5).wantsCores("2.0", 1);
    assertEquals(List.of("2.0 on n1[]"), picture.placed());
    assertEquals(
        List.of(new WaitReason.TooFewFreeCpus("n1", 1000, 0, 1000)),
        picture.priority(0).reasons("1.0"));
  }

  @Test
  void a_node_gets_no_more_tasks_than_it_may_have_though_they_need_nothing() {
    picture.node("n1");
    for (int i = 0; i <= NodeOffer.MOST_TASKS; i++) {
      picture.wantsCores("1." + i, 0);
    }
    assertEquals(NodeOffer.MOST_TASKS, picture.placed().size());
    assertEquals(
        List.of(new WaitReason.TooManyTasks("n1", NodeOffer.MOST_TASKS)),
        picture.reasons("1." + NodeOffer.MOST_TASKS));
  }

  @Test
  void all_nodes_together_get_no_more_tasks_than_the_server_can_keep() {
    for (int node = 0; node < 11; node++) {
      picture.node("n" + node);
    }
    for (int i = 0; i <= Scheduler.MOST_PLACED; i++) {
      picture.wantsCores("1." + i, 0);
    }
    assertEquals(Scheduler.MOST_PLACED, picture.placed().size());
    assertEquals(
        List.of(new WaitReason.TooManyPlaced(Scheduler.MOST_PLACED)),
        picture.reasons("1." + Scheduler.MOST_PLACED));
  }

  @Test
  void tasks_placed_before_count_too_and_a_gang_counts_with_all_its_tasks() {
    List<NodeOffer> nodes = new ArrayList<>();
    for (int node = 1; node <= 10; node++) {
      nodes.add(ScheduleSamples.node("n" + node).slotsInUse(node < 10 ? 4000 : 3998).offer());
    }
    nodes.add(ScheduleSamples.node("n11").offer());
    Snapshot snapshot = new Snapshot(nodes, Map.of(), Map.of(), Map.of(), Map.of(), Map.of(), 0);
    TaskClass gang = ScheduleSamples.tasks(1, 3).gang().line();
    TaskClass others = ScheduleSamples.tasks(2, 3).line();
    Plan plan = Scheduler.plan(snapshot, List.of(gang, others));
    assertEquals(2, plan.placements().size());
    List<WaitReason> tooMany = List.of(new WaitReason.TooManyPlaced(Scheduler.MOST_PLACED));
    assertEquals(Map.of(gang.key(), tooMany, others.key(), tooMany), plan.waiting());
  }

  @Test
  void of_two_users_the_one_who_has_used_less_goes_first() {
    picture.cores("n1", 1, 1).used("ann", 100);
    picture.of("ann").wantsCores("1.0", 1).of("bob").wantsCores("2.0", 1);
    assertEquals(List.of("2.0 on n1[]"), picture.placed());
  }

  @Test
  void users_with_shares_of_three_to_one_get_three_tasks_to_one() {
    picture.cores("n1", 8, 8).share("ann", 3);
    for (int i = 0; i < 20; i++) {
      picture.of("ann").wantsCores("1." + i, 1).of("bob").wantsCores("2." + i, 1);
    }
    long anns = picture.placed().stream().filter(one -> one.startsWith("1.")).count();
    assertEquals(6, anns, picture.placed().toString());
  }

  @Test
  void packing_fills_one_node_before_the_next_and_spreading_does_not() {
    picture.cores("n1", 4, 4).cores("n2", 3, 4).wantsCores("1.0", 1).wantsCores("1.1", 1);
    assertEquals(List.of("1.0 on n2[]", "1.1 on n2[]"), picture.placed());
    Picture spread = new Picture().by(PlacementPolicy.SPREAD);
    spread.cores("n1", 4, 4).cores("n2", 4, 4).wantsCores("1.0", 1).wantsCores("1.1", 1);
    assertEquals(List.of("1.0 on n1[]", "1.1 on n2[]"), spread.placed());
  }

  @Test
  void a_task_without_gpus_leaves_nodes_with_gpus_to_others() {
    picture.node("n1", "A").cores("n2", 64, 64).wantsCores("1.0", 1);
    assertEquals(List.of("1.0 on n2[]"), picture.placed());
  }

  @Test
  void fractions_of_cores_add_up_exactly() {
    picture.cores("n1", 1, 1);
    for (int i = 0; i < 11; i++) {
      picture.wantsCores("1." + i, 0.1);
    }
    assertEquals(10, picture.placed().size());
  }

  @Test
  void parts_of_a_device_are_lent_up_to_its_memory() {
    picture.sharedNode("n1", "A", 80);
    picture.wantsGpuMemory("1.0", 1, 30).wantsGpuMemory("1.1", 1, 30).wantsGpuMemory("1.2", 1, 30);
    assertEquals(List.of("1.0 on n1[A]", "1.1 on n1[A]"), picture.placed());
    assertEquals(
        List.of(new WaitReason.TooLittleGpuMemory("n1", 30, 1, 0, 20, 80)), picture.reasons("1.2"));
  }

  @Test
  void a_device_in_parts_is_not_lent_whole() {
    picture.sharedNode("n1", "A", 50).wants("1.0", 1);
    assertEquals(List.of(new WaitReason.TooFewFreeGpus("n1", 1, 0, 1)), picture.reasons("1.0"));
  }

  @Test
  void parts_go_to_the_fullest_device_that_fits() {
    picture.sharedNode("n1", "A", 80).sharedNode("n2", "B", 40).wantsGpuMemory("1.0", 1, 30);
    assertEquals(List.of("1.0 on n2[B]"), picture.placed());
  }

  @Test
  void a_gang_starts_whole_or_says_how_many_would_have_a_place() {
    picture.gangs().cores("n1", 2, 4).cores("n2", 1, 4);
    for (int i = 0; i < 4; i++) {
      picture.wantsCores("1." + i, 1);
    }
    assertEquals(List.of(), picture.placed());
    assertEquals(new WaitReason.GangIncomplete(4, 3), picture.reasons("1.3").get(0));
    assertEquals(3, picture.reasons("1.3").size());
  }

  @Test
  void what_a_gang_tried_is_given_back() {
    picture.cores("n1", 2, 2).gangs().priority(1);
    picture.wantsCores("1.0", 1).wantsCores("1.1", 1).wantsCores("1.2", 1);
    Picture both = picture.priority(0);
    both.wantsCores("2.0", 2);
    assertEquals(List.of("2.0 on n1[]"), both.placed());
  }

  @Test
  void smaller_tasks_pass_a_large_one_that_is_still_patient() {
    picture.cores("n1", 2, 4).wantsCores("1.0", 4).wantsCores("2.0", 1);
    assertEquals(List.of("2.0 on n1[]"), picture.placed());
  }

  @Test
  void room_is_kept_for_a_large_task_whose_patience_is_exhausted() {
    picture.cores("n1", 2, 4).wantsCores("1.0", 4).impatient("1.0").wantsCores("2.0", 1);
    assertEquals(List.of(), picture.placed());
    assertEquals(List.of(new WaitReason.HeldForOther("n1", new JobId(1))), picture.reasons("2.0"));
  }

  @Test
  void room_is_kept_on_no_more_nodes_than_are_needed() {
    picture.cores("n1", 2, 4).cores("n2", 1, 4).wantsCores("1.0", 4).impatient("1.0");
    picture.wantsCores("2.0", 1);
    assertEquals(List.of("2.0 on n2[]"), picture.placed());
  }

  @Test
  void a_task_that_ends_before_the_kept_room_is_all_free_may_use_it() {
    picture.cores("n1", 2, 4).clearsIn(60_000).wantsCores("1.0", 4).impatient("1.0");
    picture.limited(50_000).wantsCores("2.0", 1);
    assertEquals(List.of("2.0 on n1[]"), picture.placed());
    Picture longer = new Picture().by(PlacementPolicy.PACK);
    longer.cores("n1", 2, 4).clearsIn(60_000).wantsCores("1.0", 4).impatient("1.0");
    longer.limited(70_000).wantsCores("2.0", 1);
    assertEquals(List.of(), longer.placed());
  }

  @Test
  void tasks_that_want_nothing_of_what_is_kept_pass() {
    picture.fullNode("n1", "A", "B").wants("1.0", 2).impatient("1.0").wantsCores("2.0", 1);
    assertEquals(List.of("2.0 on n1[]"), picture.placed());
  }

  @Test
  void a_node_that_is_drained_or_lacks_what_is_wanted_says_so() {
    picture.drainedNode("n1").wantsCores("1.0", 1);
    assertEquals(List.of(new WaitReason.NodeDraining("n1", null)), picture.reasons("1.0"));
    Picture labels = new Picture().node("n1");
    labels.wants("1.0", new ResourceRequest(0, 0, 0, 0, null, Map.of("zone", "a")));
    assertEquals(
        List.of(new WaitReason.LacksLabel("n1", "zone", "a", null)), labels.reasons("1.0"));
    Picture models = new Picture().node("n1", "A");
    models.wants("1.0", new ResourceRequest(0, 1, 0, 0, "h100", Map.of()));
    assertEquals(
        List.of(new WaitReason.LacksModel("n1", "h100", List.of("NVIDIA H200"))),
        models.reasons("1.0"));
    models.wants("2.0", new ResourceRequest(0, 1, 0, 0, "h200", Map.of()));
    assertEquals(List.of("2.0 on n1[A]"), models.placed());
  }

  @Test
  void what_can_never_run_is_told_from_what_only_waits() {
    List<NodeOffer> nodes =
        List.of(
            Picture.offer(
                "n1",
                "n1",
                NodeOffer.Presence.SILENT,
                Picture.devices("A", "B"),
                List.of(),
                new NodeOffer.Amount(0, 1000)));
    assertEquals(List.of(), FitCheck.everRefused(nodes, new ResourceRequest(0, 2)));
    assertEquals(
        List.of(new WaitReason.TooFewFreeGpus("n1", 3, 2, 2)),
        FitCheck.everRefused(nodes, new ResourceRequest(0, 3)));
    assertTrue(
        FitCheck.everRefused(
                nodes,
                new Gang(new JobId(1), false, List.of()),
                new ResourceRequest(0, 1),
                3,
                PlacementPolicy.PACK)
            .contains(new WaitReason.GangIncomplete(3, 2)));
  }
}
