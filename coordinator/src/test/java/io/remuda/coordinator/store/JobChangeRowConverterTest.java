package io.remuda.coordinator.store;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.remuda.coordinator.lifecycle.TaskState;
import io.remuda.coordinator.lifecycle.TaskTrigger;
import io.remuda.coordinator.registry.TaskRegistry;
import io.remuda.coordinator.registry.policy.RetryPolicy;
import io.remuda.coordinator.registry.task.ImmediateOrHeldStart;
import io.remuda.coordinator.registry.task.TaskChange;
import io.remuda.coordinator.store.row.EventLogEntry;
import io.remuda.coordinator.store.row.JobRow;
import io.remuda.coordinator.store.row.StoreChange;
import io.remuda.coordinator.store.row.TaskRow;
import io.remuda.telemetry.model.DeviceId;
import io.remuda.worker.job.AttemptId;
import io.remuda.worker.job.CommandWorkload;
import io.remuda.worker.job.JobDependency;
import io.remuda.worker.job.JobId;
import io.remuda.worker.job.JobSpec;
import io.remuda.worker.job.JobTerms;
import io.remuda.worker.job.ResourceRequest;
import io.remuda.worker.job.TaskId;
import java.time.Clock;
import java.time.Duration;
import java.time.Instant;
import java.time.ZoneOffset;
import java.util.Collections;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.UUID;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;

class JobChangeRowConverterTest {
  private static final StoreState EMPTY =
      new StoreState(
          1, 1, 1, List.of(), Map.of(), Map.of(), List.of(), Map.of(), Map.of(), List.of());

  private final TaskRegistry tasks =
      new TaskRegistry(new RetryPolicy(1, 1, Duration.ZERO, Duration.ZERO, Duration.ofSeconds(10)));
  private final JobChangeRowConverter jobRows =
      new JobChangeRowConverter(EMPTY, Clock.fixed(Instant.ofEpochMilli(5000), ZoneOffset.UTC));

  private JobId submit(String... after) {
    return submit(1, after);
  }

  private JobId submit(int count, String... after) {
    JobId id = jobRows.newId(1);
    List<JobDependency> open = List.of(after).stream().map(JobDependency::parse).toList();
    JobSpec spec =
        new JobSpec(
            id,
            new UUID(0, id.value()),
            "job",
            "ann",
            false,
            new ResourceRequest(1, 0),
            1,
            JobTerms.USUAL,
            Collections.nCopies(count, new CommandWorkload(List.of("true"), Map.of(), "/", 022)));
    tasks.submit(spec, Set.copyOf(open), ImmediateOrHeldStart.AT_ONCE, 0);
    jobRows.added(spec, tasks.stateOf(id).orElseThrow(), open, null);
    return id;
  }

  private static JobRow row(List<StoreChange> entries, JobId id) {
    return entries.stream()
        .filter(StoreChange.JobMoved.class::isInstance)
        .map(entry -> ((StoreChange.JobMoved) entry).row())
        .filter(row -> row.id().equals(id))
        .reduce((first, second) -> second)
        .orElseThrow();
  }

  @Test
  void jobs_are_numbered_from_where_the_store_ended() {
    assertEquals(new JobId(1), submit());
    assertEquals(new JobId(2), submit());
  }

  @Test
  void an_array_whose_tasks_are_numbered_takes_theirs_too() {
    assertEquals(new JobId(1), jobRows.newId(1 + 3));
    assertEquals(new JobId(5), submit());
  }

  @Test
  void an_end_makes_rows_of_the_task_and_of_the_job() {
    JobId id = submit();
    List<StoreChange> entries = jobRows.changed(tasks.requests().cancel(id, "by ann", 0), tasks);
    JobRow row = row(entries, id);
    assertEquals(TaskState.CANCELLED, row.state());
    assertEquals("by ann", row.reason());
    assertEquals(5000, row.ended());
    assertTrue(jobRows.row(id).isEmpty(), "it is live no more");
    assertTrue(entries.stream().anyMatch(StoreChange.TaskMoved.class::isInstance));
  }

  @Test
  void what_a_task_had_of_a_node_is_still_known_when_it_is_over() {
    JobId id = submit();
    TaskChange placed = change(id, TaskTrigger.PLACED, TaskState.STARTING);
    jobRows.changed(List.of(placed), tasks);
    List<StoreChange> entries = jobRows.changed(tasks.requests().cancel(id, "by ann", 0), tasks);
    TaskRow row =
        entries.stream()
            .filter(StoreChange.TaskMoved.class::isInstance)
            .map(entry -> ((StoreChange.TaskMoved) entry).row())
            .findFirst()
            .orElseThrow();
    assertEquals("n1", row.node());
    assertEquals(placed.devices(), row.devices());
  }

  private static TaskChange change(JobId id, TaskTrigger trigger, TaskState to) {
    return new TaskChange(
        new AttemptId(new TaskId(id, 0), 1),
        TaskState.WAITING,
        trigger,
        to,
        "n1",
        List.of(new DeviceId("GPU-1")),
        null);
  }

  /** Otherwise it would wait for it again after a restart, for ever. */
  @Test
  void a_job_that_waits_for_one_less_has_a_new_row() {
    JobId first = submit();
    JobId second = submit();
    JobId last = submit(first + ":any", second + ":any");
    List<StoreChange> entries =
        jobRows.changed(tasks.requests().cancel(first, "cancelled", 0), tasks);
    assertEquals(List.of(JobDependency.parse(second + ":any")), row(entries, last).open());
    assertEquals(TaskState.SUBMITTED, row(entries, last).state());
  }

  @Test
  void what_was_never_placed_is_on_hold_after_a_restart_too() {
    JobId id = submit();
    assertEquals(
        TaskState.HELD, row(jobRows.changed(tasks.requests().hold(id, 0), tasks), id).first());
    assertEquals(
        TaskState.WAITING,
        row(jobRows.changed(tasks.requests().release(id, 0), tasks), id).first());
  }

  /** Attack H2: each of a million tasks had two rows, and the server died of them. */
  @Test
  @Tag("attack")
  @Tag("attack-bad-request")
  void what_is_done_to_a_million_tasks_is_a_row_of_the_job_and_an_event() {
    JobId id = submit(1_000_000);
    List<StoreChange> held = jobRows.changed(tasks.requests().hold(id, 0), tasks);
    assertEquals(TaskState.HELD, row(held, id).first());
    assertEquals(2, held.size(), held.toString());
    assertEquals(3, jobRows.changed(tasks.requests().release(id, 0), tasks).size());
    List<StoreChange> cancelled = jobRows.changed(tasks.requests().cancel(id, "by ann", 0), tasks);
    assertEquals(3, cancelled.size(), cancelled.toString()); // two events and the job
    assertEquals(TaskState.CANCELLED, row(cancelled, id).state());
    assertEquals("by ann", row(cancelled, id).reason());
    EventLogEntry summary = ((StoreChange.Happened) cancelled.get(0)).event();
    assertEquals("tasks-cancelled", summary.what());
    assertEquals(-1, summary.task());
    assertEquals("{\"tasks\":1000000,\"from\":\"waiting\",\"cause\":\"by ann\"}", summary.detail());
  }

  /** Otherwise what runs on would not end after a restart. */
  @Test
  void a_job_that_is_being_ended_says_so_and_why_in_its_row() {
    JobId id = submit(5000);
    List<StoreChange> entries = jobRows.changed(tasks.requests().cancel(id, "by ann", 0), tasks);
    assertEquals(TaskState.CANCELLED, row(entries, id).first());
  }
}
