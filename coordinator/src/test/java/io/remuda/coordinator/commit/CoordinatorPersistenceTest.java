package io.remuda.coordinator.commit;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertNotEquals;

import io.remuda.coordinator.lifecycle.TaskState;
import io.remuda.coordinator.registry.task.PlacedTask;
import io.remuda.coordinator.schedule.model.UserLimits;
import io.remuda.coordinator.store.StoreReader;
import io.remuda.coordinator.store.row.StoreChange;
import io.remuda.coordinator.store.row.UserRow;
import io.remuda.worker.job.JobId;
import io.remuda.worker.job.JobTerms;
import io.remuda.worker.job.PlacementPolicy;
import io.remuda.worker.job.TaskId;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import org.junit.jupiter.api.Test;

/** What a coordinator makes durable, and what the next one goes on from. */
class CoordinatorPersistenceTest extends WithStoredRegistry {

  private static JobTerms limited(Duration limit, int retries) {
    return new JobTerms(false, PlacementPolicy.PACK, 0, List.of(), limit.toMillis(), retries, null);
  }

  private PlacedTask placed(String task) {
    return (PlacedTask) tasks.find(TaskId.parse(task)).orElseThrow();
  }

  @Test
  void what_is_said_to_be_durable_can_be_read_by_others_at_once() throws Exception {
    try (StoreReader reader = store.store().reader()) {
      for (int user = 1; user <= 20; user++) {
        commit(List.of(new StoreChange.UserSet(new UserRow("u" + user, 1, "00"))));
        assertEquals(user, reader.users().size());
      }
    }
    assertEquals(Optional.empty(), durable.durableLog().trouble());
  }

  @Test
  void rows_become_durable_in_the_order_in_which_they_were_given() throws Exception {
    StringBuffer order = new StringBuffer();
    for (int user = 1; user <= 9; user++) {
      int number = user;
      durable
          .durableLog()
          .append(
              List.of(new StoreChange.UserSet(new UserRow("u" + user, 1, "00"))),
              () -> order.append(number));
    }
    commit(List.of());
    assertEquals("123456789", order.toString());
  }

  @Test
  void a_new_state_has_nothing_to_go_on_from() throws Exception {
    assertEquals(List.of(), tasks.jobs());
    assertEquals(new JobId(1), durable.jobRows().newId(1));
    assertEquals(wallMillis(), durable.wallMillis());
    assertEquals(wallMillis(), durable.jobRows().wallMillis());
  }

  @Test
  void the_next_one_has_the_jobs_that_live_and_numbers_on_behind_those_that_do_not()
      throws Exception {
    submit(1, JobTerms.USUAL);
    submit(2, JobTerms.USUAL);
    submit(1, JobTerms.USUAL);
    schedule();
    report("1.0 runs", "2.0 runs", "2.1 runs", "3.0 0");
    report("1.0 runs", "2.0 3", "2.1 runs");
    restart();
    assertEquals(List.of("1", "2"), tasks.jobs().stream().map(job -> job.id() + "").toList());
    assertEquals(Map.of(TaskState.RUNNING, 1, TaskState.FAILED, 1), tasks.counts(new JobId(2)));
    assertEquals(new JobId(4), durable.jobRows().newId(1));
  }

  @Test
  void what_runs_keeps_its_place_and_counts_as_silent_until_its_node_reports_it() throws Exception {
    submit(1, JobTerms.USUAL);
    schedule();
    report("1.0 runs");
    PlacedTask before = placed("1.0");
    restart();
    PlacedTask after = placed("1.0");
    assertEquals(before.attemptId(), after.attemptId());
    assertEquals(before.place().node(), after.place().node());
    assertEquals(now(), after.progress().silentSince());
    report("1.0 runs");
    assertEquals(0, placed("1.0").progress().silentSince());
    assertEquals(TaskState.RUNNING, state("1.0"));
  }

  @Test
  void the_time_without_a_server_counts_for_what_ran_meanwhile() throws Exception {
    submit(1, limited(Duration.ofMinutes(1), 0));
    schedule();
    report("1.0 runs");
    after(Duration.ofSeconds(40));
    restart();
    report("1.0 runs");
    after(Duration.ofSeconds(20));
    tick();
    assertEquals(TaskState.RUNNING, state("1.0"), "not longer than its limit");
    after(Duration.ofMillis(1));
    tick();
    assertEquals(TaskState.ENDING, state("1.0"));
  }

  @Test
  void how_often_a_task_was_tried_is_not_forgotten() throws Exception {
    submit(1, limited(Duration.ZERO, 1));
    schedule();
    report("1.0 3");
    restart();
    assertEquals(1, tasks.find(TaskId.parse("1.0")).orElseThrow().interruptions());
    schedule();
    assertEquals(2, placed("1.0").attempt());
    report("1.0 3");
    assertEquals(TaskState.FAILED, state("1.0"), "there was one retry");
  }

  @Test
  void users_keep_their_shares_and_limits_and_what_they_have_used() throws Exception {
    UserLimits one = new UserLimits(null, null, 1L, null);
    commit(
        List.of(
            new StoreChange.UserSet(new UserRow("ann", 3, "00", one)),
            new StoreChange.UseNoted("ann", 360.0)));
    restart();
    assertEquals(3.0, tasks.shares().shares().get("ann"));
    assertEquals(360.0, tasks.shares().use(now()).get("ann"), 1.0);
    submit(2, JobTerms.USUAL);
    schedule();
    assertEquals(TaskState.STARTING, state("1.0"));
    assertEquals(TaskState.WAITING, state("1.1"), "one at once");
  }

  @Test
  void later_attempts_have_the_tag_of_the_same_state_as_earlier_ones() throws Exception {
    submit(1, limited(Duration.ZERO, 1));
    schedule();
    String tag = placed("1.0").place().tag();
    assertNotEquals("", tag);
    restart();
    report("1.0 3");
    schedule();
    assertEquals("1.0.2-" + tag, placed("1.0").attemptId().toString());
  }
}
