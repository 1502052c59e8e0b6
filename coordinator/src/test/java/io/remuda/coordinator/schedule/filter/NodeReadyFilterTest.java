package io.remuda.coordinator.schedule.filter;

import static io.remuda.coordinator.schedule.ScheduleSamples.needs;
import static io.remuda.coordinator.schedule.ScheduleSamples.node;
import static io.remuda.coordinator.schedule.ScheduleSamples.text;
import static org.junit.jupiter.api.Assertions.assertEquals;

import io.remuda.coordinator.schedule.model.NodeOffer;
import io.remuda.coordinator.schedule.model.NodeOffer.Presence;
import io.remuda.coordinator.schedule.model.NodePause;
import io.remuda.coordinator.schedule.model.RemainingNodeCapacity;
import io.remuda.coordinator.schedule.model.WaitReason;
import java.time.Instant;
import java.time.LocalTime;
import java.time.ZoneId;
import java.util.Optional;
import org.junit.jupiter.api.Test;

class NodeReadyFilterTest {
  private static final Instant NOON = Instant.parse("2026-11-22T12:00:05Z");

  private final NodeReadyFilter filter = new NodeReadyFilter();

  private Optional<WaitReason> refusal(NodeOffer offer) {
    return filter.refusal(RemainingNodeCapacity.of(offer), needs().request());
  }

  @Test
  void a_ready_node_takes_tasks() {
    assertEquals(Optional.empty(), refusal(node("n1").offer()));
  }

  @Test
  void a_silent_node_takes_none() {
    Optional<WaitReason> reason = refusal(node("n1").presence(Presence.SILENT).offer());
    assertEquals(Optional.of(new WaitReason.NodeSilent("n1")), reason);
    assertEquals("n1: does not answer", text(reason.orElseThrow()));
  }

  @Test
  void a_drained_node_takes_none() {
    Optional<WaitReason> reason = refusal(node("n1").presence(Presence.DRAINING).offer());
    assertEquals(Optional.of(new WaitReason.NodeDraining("n1", null)), reason);
    assertEquals("n1: is draining and gets no more tasks", text(reason.orElseThrow()));
  }

  @Test
  void a_node_that_was_drained_for_a_reason_says_which() {
    NodeOffer drained =
        node("n1").paused(new NodePause.Drained("a new disk")).presence(Presence.DRAINING).offer();
    assertEquals(Optional.of(new WaitReason.NodeDraining("n1", "a new disk")), refusal(drained));
  }

  @Test
  void a_node_whose_disk_stands_still_says_since_when() {
    NodePause still = new NodePause.Standstill("the disk of /n1", NOON.toEpochMilli());
    Optional<WaitReason> reason = refusal(node("n1").paused(still).offer());
    assertEquals(
        Optional.of(new WaitReason.NodeStandsStill("n1", "the disk of /n1", NOON.toEpochMilli())),
        reason);
    assertEquals(
        "n1: the disk of /n1 stands still since "
            + LocalTime.ofInstant(NOON, ZoneId.systemDefault()),
        text(reason.orElseThrow()));
  }

  @Test
  void a_node_on_which_tasks_fail_to_begin_says_how_many_and_why() {
    NodePause failures = new NodePause.Failures(5, "no more processes", 10_000);
    Optional<WaitReason> reason = refusal(node("n1").paused(failures).offer());
    assertEquals(
        Optional.of(new WaitReason.NodeAvoided("n1", 5, "no more processes", 10_000)), reason);
    assertEquals(
        "n1: 5 tasks in a row could not begin (no more processes): it is avoided for 10 s, then one"
            + " is tried",
        text(reason.orElseThrow()));
  }

  @Test
  void a_node_that_would_answer_and_be_empty_takes_tasks() {
    NodePause failures = new NodePause.Failures(5, "no more processes", 10_000);
    assertEquals(Optional.empty(), refusal(node("n1").paused(failures).offer().emptied()));
    for (Presence presence : Presence.values()) {
      NodeOffer emptied = node("n1").presence(presence).offer().emptied();
      assertEquals(Optional.empty(), refusal(emptied), presence.name());
    }
  }
}
