package io.remuda.agent.actor;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.Test;

class ReportPaceTest {
  private final ReportPace pace = new ReportPace();

  /** A heartbeat of a node with so many tasks; what is due is done. */
  private boolean beat(int held) {
    boolean due = pace.isDueAtHeartbeat(held);
    if (due) {
      pace.reported();
    }
    return due;
  }

  @Test
  void changes_that_come_together_are_looked_at_once() {
    assertTrue(pace.changed());
    assertFalse(pace.changed());
    assertTrue(pace.isDueAtLook(0));
    assertTrue(pace.changed(), "the next change is looked at again");
  }

  @Test
  void a_change_is_told_at_once_when_nothing_else_waits_for_its_turn() {
    pace.changed();
    assertTrue(pace.isDueAtLook(0));
  }

  @Test
  void that_an_order_is_followed_is_told_with_the_next_change_and_counts_as_none() {
    pace.followed();
    assertTrue(pace.hasUntold());
    pace.changed();
    assertFalse(pace.isDueAtLook(2));
    pace.reported();
    assertFalse(pace.hasUntold());
  }

  @Test
  void with_tasks_that_wait_changes_are_told_once_there_are_as_many() {
    for (int change = 1; change < 3; change++) {
      pace.changed();
      assertFalse(pace.isDueAtLook(3));
    }
    pace.changed();
    assertTrue(pace.isDueAtLook(3));
  }

  @Test
  void what_was_put_off_is_told_when_its_time_has_come_and_not_twice() {
    pace.changed();
    assertFalse(pace.isDueAtLook(20));
    assertTrue(pace.hasUntold());
    pace.reported();
    assertFalse(pace.hasUntold());
  }

  @Test
  void what_a_report_has_told_counts_no_more_among_the_changes() {
    pace.changed();
    pace.changed();
    pace.reported();
    pace.changed();
    assertFalse(pace.isDueAtLook(2));
  }

  @Test
  void a_node_without_samples_reports_with_every_heartbeat() {
    assertTrue(beat(0));
    assertTrue(beat(0));
  }

  @Test
  void an_idle_node_whose_samples_say_that_it_lives_reports_with_every_fourth_heartbeat() {
    List<Boolean> reports = new ArrayList<>();
    for (int second = 0; second < 8; second++) {
      pace.sampled();
      reports.add(beat(0));
    }
    assertEquals(List.of(false, false, false, true, false, false, false, true), reports);
  }

  @Test
  void a_sample_stands_for_one_heartbeat_only() {
    pace.sampled();
    assertFalse(beat(0));
    assertTrue(beat(0));
  }

  @Test
  void a_node_with_tasks_reports_with_every_heartbeat_whatever_its_samples_say() {
    for (int second = 0; second < 5; second++) {
      pace.sampled();
      assertTrue(beat(1));
    }
  }

  @Test
  void a_report_between_heartbeats_begins_the_count_anew() {
    for (int second = 0; second < 3; second++) {
      pace.sampled();
      assertFalse(beat(0));
    }
    pace.reported();
    pace.sampled();
    assertFalse(beat(0));
  }
}
