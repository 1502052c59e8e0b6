package io.remuda.coordinator.schedule.filter;

import static io.remuda.coordinator.schedule.ScheduleSamples.needs;
import static io.remuda.coordinator.schedule.ScheduleSamples.node;
import static io.remuda.coordinator.schedule.ScheduleSamples.text;
import static org.junit.jupiter.api.Assertions.assertEquals;

import io.remuda.coordinator.schedule.NodeBuilder;
import io.remuda.coordinator.schedule.model.WaitReason;
import io.remuda.worker.job.TaskId;
import java.util.List;
import java.util.Optional;
import org.junit.jupiter.api.Test;

class CountedResourceFilterTest {

  private static Optional<WaitReason> refusal(NodeBuilder node, String resource, long wanted) {
    return new CountedResourceFilter()
        .refusal(node.capacity(), needs().counted(resource, wanted).request());
  }

  @Test
  void what_is_free_of_the_node_is_enough() {
    NodeBuilder node = node("n1").counted("scratch", 2, 4);
    assertEquals(Optional.empty(), refusal(node, "scratch", 2));
    assertEquals(
        Optional.of(new WaitReason.TooFewCounted("n1", "scratch", 3, 2, 4)),
        refusal(node, "scratch", 3));
  }

  @Test
  void what_is_free_of_the_cluster_is_enough() {
    NodeBuilder node = node("n1").ofCluster("lic", 1, 4);
    assertEquals(Optional.empty(), refusal(node, "lic", 1));
    assertEquals(
        Optional.of(new WaitReason.TooFewInCluster("lic", 2, 1, 4)), refusal(node, "lic", 2));
  }

  @Test
  void a_name_that_the_cluster_counts_is_not_counted_by_a_node() {
    NodeBuilder node = node("n1").counted("lic", 9, 9).ofCluster("lic", 1, 4);
    assertEquals(
        Optional.of(new WaitReason.TooFewInCluster("lic", 2, 1, 4)), refusal(node, "lic", 2));
  }

  @Test
  void what_nobody_has_is_lacking() {
    assertEquals(
        Optional.of(new WaitReason.TooFewCounted("n1", "fpga", 1, 0, 0)),
        refusal(node("n1"), "fpga", 1));
  }

  @Test
  void a_user_reads_what_is_missing_and_who_holds_it() {
    assertEquals(
        "n1: 1 of 4 scratch free, wanted 2",
        text(new WaitReason.TooFewCounted("n1", "scratch", 2, 1, 4)));
    assertEquals(
        "n1: has 4 scratch, wanted 5",
        text(new WaitReason.TooFewCounted("n1", "scratch", 5, 1, 4)));
    assertEquals(
        "n1: has no fpga, wanted 1", text(new WaitReason.TooFewCounted("n1", "fpga", 1, 0, 0)));
    assertEquals(
        "the cluster has 1 of 4 lic free, wanted 2",
        text(new WaitReason.TooFewInCluster("lic", 2, 1, 4)));
    assertEquals(
        "the cluster has 4 lic, wanted 5", text(new WaitReason.TooFewInCluster("lic", 5, 4, 4)));
    assertEquals(
        "lic is held by 3.0, 3.1",
        text(
            new WaitReason.CountedHeldBy(
                "lic", List.of(TaskId.parse("3.0"), TaskId.parse("3.1")))));
  }
}
