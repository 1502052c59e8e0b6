package io.remuda.agent.recovery;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.remuda.agent.protocol.StateFileLineage;
import io.remuda.agent.protocol.TaskPhase;
import io.remuda.agent.protocol.TaskReport;
import io.remuda.worker.job.AttemptId;
import java.util.List;
import java.util.Set;
import org.junit.jupiter.api.Test;

class ForeignAttemptsTest {
  private static final AttemptId OURS = AttemptId.parse("1.0.1-aaaaaaaa11111111");
  private static final AttemptId FOREIGN = AttemptId.parse("9.0.1-bbbbbbbb22222222");
  private static final TaskReport.Facts KNOWN =
      new TaskReport.Facts("train", "bob", 1000, 0, List.of());

  private final ForeignAttempts foreign = new ForeignAttempts();

  private static TaskReport running(AttemptId attempt) {
    return new TaskReport(attempt, TaskPhase.RUNNING, 17, null, null);
  }

  private static StateFileLineage file(String birth) {
    return new StateFileLineage(List.of(new StateFileLineage.Origin(birth, Long.MAX_VALUE)));
  }

  @Test
  void before_the_first_coordinator_leads_nothing_is_foreign() {
    assertTrue(foreign.isOwn(OURS) && foreign.isOwn(FOREIGN));
    assertEquals(StateFileLineage.ALL, foreign.lineage());
  }

  @Test
  void a_live_one_is_told_with_what_is_known_of_it_and_an_ended_one_is_not() {
    foreign.lead(file("aaaaaaaa"));
    assertFalse(foreign.isOwn(FOREIGN));
    foreign.found(FOREIGN, KNOWN);
    List<TaskReport> all = List.of(running(FOREIGN), running(OURS));
    assertEquals(
        List.of(running(FOREIGN).with(KNOWN), running(OURS)),
        foreign.reports(all, attempt -> false));
    assertEquals(List.of(running(OURS)), foreign.reports(all, attempt -> true));
  }

  @Test
  void another_lineage_begins_with_none() {
    foreign.lead(file("aaaaaaaa"));
    foreign.found(FOREIGN, KNOWN);
    foreign.lead(file("bbbbbbbb"));
    assertEquals(Set.of(), foreign.attempts());
    assertTrue(foreign.isOwn(FOREIGN));
    assertEquals(
        List.of(running(FOREIGN)), foreign.reports(List.of(running(FOREIGN)), attempt -> false));
  }
}
