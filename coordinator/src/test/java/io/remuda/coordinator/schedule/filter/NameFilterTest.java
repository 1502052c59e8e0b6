package io.remuda.coordinator.schedule.filter;

import static io.remuda.coordinator.schedule.ScheduleSamples.needs;
import static io.remuda.coordinator.schedule.ScheduleSamples.node;
import static io.remuda.coordinator.schedule.ScheduleSamples.text;
import static org.junit.jupiter.api.Assertions.assertEquals;

import io.remuda.coordinator.schedule.NeedsBuilder;
import io.remuda.coordinator.schedule.model.WaitReason;
import java.util.List;
import java.util.Optional;
import org.junit.jupiter.api.Test;

class NameFilterTest {

  private static Optional<WaitReason> refusal(NeedsBuilder needs) {
    return new NameFilter().refusal(node("n1").capacity(), needs.request());
  }

  @Test
  void a_task_that_names_no_node_may_run_on_any() {
    assertEquals(Optional.empty(), refusal(needs()));
  }

  @Test
  void only_the_named_nodes_will_do() {
    assertEquals(Optional.empty(), refusal(needs().only("n1", "n2")));
    assertEquals(
        Optional.of(new WaitReason.NotNamed("n1", List.of("n2", "n3"))),
        refusal(needs().only("n2", "n3")));
  }

  @Test
  void an_excluded_node_will_not_do() {
    assertEquals(Optional.empty(), refusal(needs().except("n2")));
    assertEquals(Optional.of(new WaitReason.Excluded("n1")), refusal(needs().except("n1")));
  }

  @Test
  void a_user_reads_which_option_keeps_the_task_from_the_node() {
    assertEquals(
        "n1: is not one of --node n2,n3", text(new WaitReason.NotNamed("n1", List.of("n2", "n3"))));
    assertEquals("n1: is excluded by --exclude", text(new WaitReason.Excluded("n1")));
  }
}
