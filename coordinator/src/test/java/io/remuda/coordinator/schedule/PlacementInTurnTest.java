package io.remuda.coordinator.schedule;

import static org.junit.jupiter.api.Assertions.assertEquals;

import io.remuda.coordinator.schedule.model.WaitReason;
import io.remuda.worker.job.JobId;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.Test;

class PlacementInTurnTest {
  private final Picture picture = new Picture();

  @Test
  void tasks_go_to_the_nodes_in_turn_by_the_natural_order_of_their_names() {
    picture.node("n10").node("n2").node("n1");
    picture.wants("1.0", 0).wants("1.1", 0).wants("1.2", 0).wants("1.3", 0);
    assertEquals(
        List.of("1.0 on n1[]", "1.1 on n2[]", "1.2 on n10[]", "1.3 on n1[]"), picture.placed());
  }

  @Test
  void each_job_has_a_round_of_its_own() {
    picture.node("n1").node("n2");
    picture.wants("1.0", 0).wants("2.0", 0).wants("1.1", 0).wants("2.1", 0);
    assertEquals(
        List.of("1.0 on n1[]", "1.1 on n2[]", "2.0 on n1[]", "2.1 on n2[]"), picture.placed());
  }

  @Test
  void the_round_goes_on_after_the_node_of_the_plan_before() {
    picture.node("n1").node("n2").node("n3").last(1, "n2").wants("1.5", 0).wants("1.6", 0);
    assertEquals(List.of("1.5 on n3[]", "1.6 on n1[]"), picture.placed());
    assertEquals(Map.of(new JobId(1), "n1"), picture.plan().lastNode());
  }

  @Test
  void the_round_goes_on_where_a_node_was_that_is_gone() {
    picture.node("n1").node("n3").last(1, "n2").wants("1.0", 0);
    assertEquals(List.of("1.0 on n3[]"), picture.placed());
  }

  @Test
  void a_full_node_is_left_out() {
    picture.fullNode("n1", "A").node("n2", "B", "C").wants("1.0", 1).wants("1.1", 1);
    assertEquals(List.of("1.0 on n2[B]", "1.1 on n2[C]"), picture.placed());
  }

  @Test
  void a_task_waits_only_if_no_node_has_a_free_device() {
    picture.node("n1", "A").node("n2", "B");
    picture.wants("1.0", 1).wants("1.1", 1).wants("1.2", 1);
    assertEquals(List.of("1.0 on n1[A]", "1.1 on n2[B]"), picture.placed());
    assertEquals(
        List.of(
            new WaitReason.TooFewFreeGpus("n1", 1, 0, 1),
            new WaitReason.TooFewFreeGpus("n2", 1, 0, 1)),
        picture.reasons("1.2"));
  }

  @Test
  void a_task_without_devices_passes_one_that_waits_for_some() {
    picture.fullNode("n1", "A").wants("1.0", 1).wants("2.0", 0);
    assertEquals(List.of("2.0 on n1[]"), picture.placed());
  }

  @Test
  void one_device_that_two_nodes_see_is_lent_once() {
    picture.node("n1", "A").node("n2", "A").wants("1.0", 1).wants("1.1", 1);
    assertEquals(List.of("1.0 on n1[A]"), picture.placed());
    assertEquals(
        List.of(
            new WaitReason.TooFewFreeGpus("n2", 1, 0, 1),
            new WaitReason.TooFewFreeGpus("n1", 1, 0, 1)),
        picture.reasons("1.1"));
  }

  @Test
  void a_task_gets_all_its_devices_on_one_node_or_none() {
    picture.node("n1", "A").node("n2", "B", "C").wants("1.0", 2).wants("1.1", 2);
    assertEquals(List.of("1.0 on n2[B, C]"), picture.placed());
    assertEquals(
        List.of(
            new WaitReason.TooFewFreeGpus("n1", 2, 1, 1),
            new WaitReason.TooFewFreeGpus("n2", 2, 0, 2)),
        picture.reasons("1.1"));
  }

  @Test
  void a_silent_node_gets_nothing_and_says_so() {
    picture.silentNode("n1", "A").wants("1.0", 1).wants("2.0", 0);
    assertEquals(List.of(), picture.placed());
    assertEquals(List.of(new WaitReason.NodeSilent("n1")), picture.reasons("1.0"));
    assertEquals(List.of(new WaitReason.NodeSilent("n1")), picture.reasons("2.0"));
  }

  @Test
  void without_nodes_everything_waits_for_one() {
    picture.wants("1.0", 0);
    assertEquals(List.of(new WaitReason.NoNodes()), picture.reasons("1.0"));
  }

  @Test
  void a_task_that_waits_does_not_move_the_round() {
    picture.node("n1").node("n2").last(1, "n1").wants("1.0", 1);
    assertEquals(Map.of(new JobId(1), "n1"), picture.plan().lastNode());
  }

  @Test
  void the_nodes_of_a_machine_share_its_memory() {
    picture.nodeOf("m1", "n1", 1000).nodeOf("m1", "n2", 1000);
    picture.wantsMemory("1.0", 600).wantsMemory("1.1", 600).wantsMemory("1.2", 400);
    assertEquals(List.of("1.0 on n1[]", "1.2 on n2[]"), picture.placed());
    assertEquals(
        List.of(
            new WaitReason.TooLittleMemory("n2", 600, 400, 1000),
            new WaitReason.TooLittleMemory("n1", 600, 400, 1000)),
        picture.reasons("1.1"));
  }
}
