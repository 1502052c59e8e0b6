package io.remuda.coordinator.job;

import static org.junit.jupiter.api.Assertions.assertEquals;

import io.remuda.coordinator.api.LeaseView;
import io.remuda.coordinator.api.Reply;
import io.remuda.coordinator.lifecycle.EndReason;
import io.remuda.coordinator.lifecycle.TaskState;
import io.remuda.coordinator.registry.task.AttemptStage;
import io.remuda.coordinator.registry.task.MemoryFloor;
import io.remuda.coordinator.registry.task.Place;
import io.remuda.coordinator.registry.task.PlacedTask;
import io.remuda.coordinator.registry.task.TaskAttemptSummary;
import io.remuda.coordinator.registry.task.TaskRecord;
import io.remuda.worker.job.JobId;
import io.remuda.worker.job.TaskId;
import java.time.Duration;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import org.apache.pekko.actor.testkit.typed.javadsl.TestInbox;
import org.junit.jupiter.api.Test;

class LeaseWaitsTest {
  private static final JobId LEASE = new JobId(7);

  private final Map<JobId, TaskRecord> tasks = new HashMap<>();
  private final List<String> answers = new ArrayList<>();
  private final Map<LeaseWaits.Waiter, String> clients = new HashMap<>();
  private final LeaseWaits waits = new LeaseWaits();
  private long now;

  private LeaseWaitsTest is(TaskState state, int attempt) {
    TaskAttemptSummary history =
        new TaskAttemptSummary(attempt, 0, 0, null, null, MemoryFloor.NONE, 0, 0, null, 0);
    tasks.put(
        LEASE,
        state.holdsPlace()
            ? new PlacedTask(
                new TaskId(LEASE, 0),
                state,
                history,
                new Place("n1", List.of(), 1, 0, ""),
                AttemptStage.restored(1, 0, 0, EndReason.ON_REQUEST, 0),
                0)
            : TaskRecord.unplaced(new TaskId(LEASE, 0), state, history, 0));
    note(waits.served(LEASE, tasks.get(LEASE)));
    return this;
  }

  private LeaseWaitsTest after(long seconds) {
    now += Duration.ofSeconds(seconds).toNanos();
    return this;
  }

  private void note(List<LeaseWaits.Waiter> answered) {
    TaskRecord task = tasks.get(LEASE);
    answered.forEach(
        waiter ->
            answers.add(clients.get(waiter) + " " + task.state().label() + " " + task.attempt()));
  }

  private void asks(String client, int attempt, long patienceSeconds) {
    LeaseWaits.Waiter waiter =
        new LeaseWaits.Waiter(
            TestInbox.<Reply<LeaseView>>create(client).getRef(),
            attempt,
            now + Duration.ofSeconds(patienceSeconds).toNanos());
    clients.put(waiter, client);
    waits.asked(LEASE, now);
    waits.add(LEASE, waiter);
    note(waits.served(LEASE, tasks.get(LEASE)));
    note(waits.late(LEASE, now));
  }

  /** Moves the clock by a tick; returns the leases without a request for too long. */
  private List<JobId> ticks() {
    waits.stillAsked(now);
    note(waits.late(LEASE, now));
    return waits.abandoned(tasks, now);
  }

  @Test
  void who_waits_for_a_lease_hears_of_it_once_when_it_is_granted() {
    is(TaskState.WAITING, 0).asks("one", 0, 20);
    is(TaskState.STARTING, 1).asks("two", 0, 20);
    assertEquals(List.of(), answers);
    is(TaskState.RUNNING, 1).is(TaskState.SUCCEEDED, 1);
    assertEquals(List.of("one running 1", "two running 1"), answers);
  }

  @Test
  void what_is_there_already_is_told_at_once_and_so_it_is_without_patience() {
    is(TaskState.RUNNING, 1).asks("one", 0, 20);
    is(TaskState.WAITING, 0).asks("two", 0, 0);
    assertEquals(List.of("one running 1", "two waiting 0"), answers);
  }

  @Test
  void who_gives_back_waits_for_the_end_of_that_attempt_alone() {
    is(TaskState.RUNNING, 1).asks("one", 1, 20);
    is(TaskState.ENDING, 1).is(TaskState.UNKNOWN, 1);
    assertEquals(List.of(), answers);
    is(TaskState.WAITING, 1);
    assertEquals(List.of("one waiting 1"), answers);
    is(TaskState.RUNNING, 2).asks("late", 1, 20);
    assertEquals("late running 2", answers.get(1));
  }

  @Test
  void nobody_is_kept_waiting_beyond_his_patience() {
    is(TaskState.WAITING, 0).asks("one", 0, 20);
    after(19).ticks();
    assertEquals(List.of(), answers);
    after(1).ticks();
    assertEquals(List.of("one waiting 0"), answers);
  }

  @Test
  void what_waits_is_forgotten_half_a_minute_after_the_last_question() {
    is(TaskState.WAITING, 0).asks("one", 0, 20);
    assertEquals(List.of(), after(20).ticks());
    assertEquals(List.of(), after(30).ticks());
    assertEquals(List.of(LEASE), after(1).ticks());
    assertEquals(List.of(), after(60).ticks(), "it is named once");
  }

  @Test
  void as_long_as_somebody_waits_it_is_not_forgotten() {
    is(TaskState.WAITING, 0).asks("one", 0, 100);
    assertEquals(List.of(), after(99).ticks());
    assertEquals(List.of(), after(20).ticks(), "the answer was a moment ago");
  }

  @Test
  void what_is_granted_is_never_forgotten() {
    is(TaskState.WAITING, 0).asks("one", 0, 20);
    is(TaskState.RUNNING, 1);
    assertEquals(List.of(), after(1000).ticks());
  }

  @Test
  void a_lease_of_before_a_restart_has_its_time_again() {
    is(TaskState.WAITING, 0);
    waits.asked(LEASE, now);
    assertEquals(List.of(), after(30).ticks());
    assertEquals(List.of(LEASE), after(1).ticks());
  }
}
