package io.remuda.coordinator.store;

import static io.remuda.coordinator.store.StoreSamples.row;
import static io.remuda.coordinator.store.StoreSamples.spec;
import static io.remuda.coordinator.store.StoreSamples.succeeded;
import static io.remuda.coordinator.store.StoreSamples.task;
import static io.remuda.coordinator.store.StoreSamples.write;
import static org.junit.jupiter.api.Assertions.assertArrayEquals;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertNull;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.remuda.agent.protocol.TaskEnd;
import io.remuda.coordinator.lifecycle.DependencyRule;
import io.remuda.coordinator.lifecycle.TaskState;
import io.remuda.coordinator.registry.policy.FailureLimitText;
import io.remuda.coordinator.store.query.AttemptHistory;
import io.remuda.coordinator.store.query.DependentJobs;
import io.remuda.coordinator.store.query.EarlierAttempt;
import io.remuda.coordinator.store.query.EndedJobNodes;
import io.remuda.coordinator.store.query.FailedTasks;
import io.remuda.coordinator.store.query.JobQuery;
import io.remuda.coordinator.store.query.JobQuery.JobFilter;
import io.remuda.coordinator.store.query.OnlyTaskEnds;
import io.remuda.coordinator.store.query.PeakMemory;
import io.remuda.coordinator.store.query.TaskCounts;
import io.remuda.coordinator.store.query.TaskQuery;
import io.remuda.coordinator.store.row.EventLogEntry;
import io.remuda.coordinator.store.row.JobRow;
import io.remuda.coordinator.store.row.StoreChange;
import io.remuda.coordinator.store.row.TaskRow;
import io.remuda.worker.job.JobDependency;
import io.remuda.worker.job.JobId;
import io.remuda.worker.job.JobSpec;
import io.remuda.worker.job.ResourceRequest;
import io.remuda.worker.job.TaskId;
import java.io.IOException;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.stream.IntStream;
import org.junit.jupiter.api.Test;

/** What readers find in every store, whatever database it is in. */
abstract class StoreQueryContract {

  /** Opens the store of this test. */
  abstract StoreOpener.Opened open() throws Exception;

  @Test
  void readers_see_what_is_over_too() throws Exception {
    StoreOpener.Opened opened = open();
    JobSpec over = spec(2, 1);
    write(
        opened.journal(),
        new StoreChange.JobAdded(over, row(over, TaskState.FAILED, 3000)),
        new StoreChange.TaskMoved(task(2, 0, TaskState.FAILED)),
        new StoreChange.Happened(new EventLogEntry(1, 5, 2, 0, "task-failed", "{}")));
    try (StoreReader reader = opened.store().reader()) {
      assertEquals(row(over, TaskState.FAILED, 3000), reader.job(over.id()).orElseThrow());
      assertEquals(List.of(over), reader.specs(List.of(new JobId(99), over.id())));
      assertEquals(
          task(2, 0, TaskState.FAILED), reader.task(new TaskId(over.id(), 0)).orElseThrow());
      assertEquals(over.id(), reader.byKey("ann", "key2").orElseThrow().id());
      assertEquals(List.of(), JobQuery.newest(JobFilter.LIVE, null, 10).ask(reader).rows());
      assertEquals(1, reader.events(over.id(), 0, 10).size());
      assertTrue(reader.job(new JobId(99)).isEmpty());
    }
    opened.journal().close();
  }

  private static StoreChange added(long id, TaskState state) {
    JobSpec spec = spec(id, 1);
    return new StoreChange.JobAdded(spec, row(spec, state, state.isFinal() ? 3000 : 0));
  }

  private static List<Long> ids(List<JobRow> jobs) {
    return jobs.stream().map(job -> job.id().value()).toList();
  }

  @Test
  void live_jobs_that_have_a_place_come_first_and_the_oldest_of_each() throws Exception {
    StoreOpener.Opened opened = open();
    write(
        opened.journal(),
        added(1, TaskState.SUCCEEDED),
        added(2, TaskState.WAITING),
        added(3, TaskState.UNKNOWN),
        added(4, TaskState.HELD),
        added(5, TaskState.WAITING),
        added(6, TaskState.RUNNING),
        added(7, TaskState.ENDING),
        added(8, TaskState.STARTING));
    try (StoreReader reader = opened.store().reader()) {
      assertEquals(List.of(3L, 6L, 7L, 8L, 2L, 4L, 5L), ids(reader.liveJobs(100)));
      assertEquals(List.of(3L, 6L), ids(reader.liveJobs(2)));
      assertEquals(
          Map.of(
              TaskState.WAITING, 2,
              TaskState.HELD, 1,
              TaskState.STARTING, 1,
              TaskState.RUNNING, 1,
              TaskState.UNKNOWN, 1,
              TaskState.ENDING, 1),
          reader.liveCounts());
    }
    opened.journal().close();
  }

  private static StoreChange cancelled(long id, String why) {
    JobSpec spec = spec(id, 1);
    return new StoreChange.JobAdded(spec, row(spec, TaskState.CANCELLED, 3000).because(why, null));
  }

  @Test
  void jobs_that_were_cancelled_because_of_another_or_of_several_are_found() throws Exception {
    StoreOpener.Opened opened = open();
    write(
        opened.journal(),
        cancelled(1, "job 2 failed"), // it is older
        added(2, TaskState.FAILED),
        cancelled(3, "job 2 failed"),
        cancelled(4, "cancelled by ann"),
        cancelled(5, DependencyRule.noneMet(List.of(JobDependency.parse("2")))));
    try (StoreReader reader = opened.store().reader()) {
      JobRow failed = reader.job(new JobId(2)).orElseThrow();
      assertEquals(List.of(3L, 5L), ids(reader.cancelledAfter(failed)));
    }
    opened.journal().close();
  }

  @Test
  void jobs_are_found_by_what_they_are() throws Exception {
    StoreOpener.Opened opened = open();
    for (long id = 1; id <= 4; id++) {
      JobSpec spec = spec(id, 1);
      Map<String, String> labels = Map.of("zone", id == 2 ? "b\"%_\\ü" : "a");
      ResourceRequest needs = spec.request();
      JobSpec labelled =
          spec.withRequest(new ResourceRequest(needs.cpus(), 0, needs.memory(), 0, null, labels));
      JobRow row = row(spec, id == 3 ? TaskState.FAILED : TaskState.WAITING, id == 3 ? 3000 : 0);
      write(opened.journal(), new StoreChange.JobAdded(labelled, row));
    }
    JobQuery all = JobQuery.newest(JobFilter.ALL, null, 10);
    try (StoreReader reader = opened.store().reader()) {
      assertEquals(List.of(3L, 2L), ids(all.between(2, 3).ask(reader).rows()));
      assertEquals(List.of(4L), ids(all.first(1).ask(reader).rows()));
      assertEquals(List.of(), ids(all.named("no").ask(reader).rows()));
      assertEquals(List.of(2L), ids(all.named("job2").ask(reader).rows()));
      assertEquals(
          List.of(3L), ids(with(all, Set.of(TaskState.FAILED), Map.of()).ask(reader).rows()));
      assertEquals(
          List.of(2L), ids(with(all, Set.of(), Map.of("zone", "b\"%_\\ü")).ask(reader).rows()));
      assertEquals(List.of(), ids(with(all, Set.of(), Map.of("zone", "b")).ask(reader).rows()));
      assertEquals(List.of(3L), ids(endedSince(all, 3000).ask(reader).rows()));
      assertEquals(List.of(), ids(endedSince(all, 3001).between(1, 4).ask(reader).rows()));
    }
    opened.journal().close();
  }

  private static JobQuery endedSince(JobQuery all, long millis) {
    return new JobQuery(
        all.which(), null, 0, 0, List.of(), Set.of(), Map.of(), 0, millis, all.limit());
  }

  @Test
  void tasks_are_counted_and_found_by_state() throws Exception {
    StoreOpener.Opened opened = open();
    JobSpec spec = spec(1, 6);
    JobRow job = row(spec, TaskState.RUNNING, 0);
    write(
        opened.journal(),
        new StoreChange.JobAdded(spec, job),
        new StoreChange.TaskMoved(task(1, 0, TaskState.SUCCEEDED)),
        new StoreChange.TaskMoved(task(1, 1, TaskState.FAILED)),
        new StoreChange.TaskMoved(task(1, 2, TaskState.RUNNING)),
        new StoreChange.TaskMoved(task(1, 4, TaskState.FAILED)));
    try (StoreReader reader = opened.store().reader()) {
      assertEquals(
          Map.of(
              TaskState.SUCCEEDED,
              1,
              TaskState.FAILED,
              2,
              TaskState.RUNNING,
              1,
              TaskState.WAITING,
              2), // two have no row
          TaskCounts.of(job, reader));
      assertEquals(List.of(1, 4), indexes(0, 0, Set.of(TaskState.FAILED), reader));
      assertEquals(List.of(1), indexes(0, 4, Set.of(TaskState.FAILED), reader));
      assertEquals(List.of(1, 2), indexes(1, 4, Set.of(), reader));
    }
    opened.journal().close();
  }

  @Test
  void of_jobs_that_have_ended_the_nodes_of_their_last_tasks_are_known() throws Exception {
    StoreOpener.Opened opened = open();
    JobSpec long_ = spec(1, 100);
    JobSpec cancelled = spec(2, 100);
    JobSpec never = spec(3, 1);
    List<JobRow> jobs = new ArrayList<>();
    for (JobSpec job : List.of(long_, cancelled, never)) {
      jobs.add(row(job, TaskState.CANCELLED, 3000));
      write(opened.journal(), new StoreChange.JobAdded(job, jobs.get(jobs.size() - 1)));
    }
    for (int index = 0; index < 100; index++) {
      write(
          opened.journal(),
          new StoreChange.TaskMoved(succeeded(index < 60 ? "old" : "n" + index % 2, 1, index)));
    }
    write(
        opened.journal(),
        new StoreChange.TaskMoved(succeeded("n7", 2, 3))); // the others never started
    try (StoreReader reader = opened.store().reader()) {
      assertEquals(
          Map.of(
              long_.id(), Set.of("n0", "n1"), cancelled.id(), Set.of("n7"), never.id(), Set.of()),
          EndedJobNodes.of(jobs, reader));
      assertEquals(Map.of(), EndedJobNodes.of(List.of(), reader));
    }
    opened.journal().close();
  }

  private static StoreChange used(long job, int index, TaskState state, Long peak) {
    TaskEnd end = new TaskEnd(TaskEnd.Kind.BY_ITSELF, 0, null, "exit code 0", peak, 6L, 7L);
    return new StoreChange.TaskMoved(task(job, index, state, end));
  }

  @Test
  void the_peak_of_a_job_is_the_highest_of_attempts_that_are_over() throws Exception {
    StoreOpener.Opened opened = open();
    JobId many = new JobId(1);
    write(
        opened.journal(),
        new StoreChange.JobAdded(spec(1, 3000), row(spec(1, 3000), TaskState.RUNNING, 0)),
        used(1, 0, TaskState.SUCCEEDED, 30L),
        used(1, 1, TaskState.WAITING, 40L),
        used(1, 2, TaskState.RUNNING, 90L), // of the attempt before the one that runs
        used(1, 3, TaskState.FAILED, null),
        new StoreChange.TaskMoved(succeeded("n1", 1, 4)),
        new StoreChange.JobAdded(spec(2, 1), row(spec(2, 1), TaskState.WAITING, 0)));
    try (StoreReader reader = opened.store().reader()) {
      assertEquals(40L, PeakMemory.of(many, reader));
      assertEquals(30L, PeakMemory.of(new TaskId(many, 0), reader));
      assertNull(PeakMemory.of(new TaskId(many, 2), reader));
      assertNull(PeakMemory.of(new TaskId(many, 3), reader));
      assertNull(PeakMemory.of(new JobId(2), reader));
    }
    write(
        opened.journal(),
        IntStream.range(5, 3000)
            .mapToObj(index -> used(1, index, TaskState.SUCCEEDED, (long) index))
            .toArray(StoreChange[]::new));
    try (StoreReader reader = opened.store().reader()) {
      assertEquals(2999L, PeakMemory.of(many, reader));
    }
    opened.journal().close();
  }

  /** A job whose tasks have ended, each by SIGTERM if {@code signal} says so. */
  private static List<StoreChange> ended(long id, int tasks, TaskState state, Integer signal) {
    TaskEnd end = new TaskEnd(TaskEnd.Kind.ON_REQUEST, null, signal, "ended", 5L, 6L, 7L);
    List<StoreChange> entries = new ArrayList<>();
    entries.add(
        new StoreChange.JobAdded(
            spec(id, tasks), row(spec(id, tasks), state, 3000).because("ended", null)));
    for (int index = 0; index < tasks; index++) {
      entries.add(new StoreChange.TaskMoved(task(id, index, state, end)));
    }
    return entries;
  }

  @Test
  void the_signal_that_ended_the_only_task_of_a_job_is_known() throws Exception {
    StoreOpener.Opened opened = open();
    List<StoreChange> entries = new ArrayList<>(ended(1, 1, TaskState.CANCELLED, 15));
    entries.addAll(ended(2, 2, TaskState.CANCELLED, 15));
    entries.addAll(ended(3, 1, TaskState.FAILED, null));
    entries.addAll(ended(4, 1, TaskState.RUNNING, 9)); // of the attempt before the one that runs
    entries.addAll(ended(5, 1, TaskState.FAILED, 9));
    write(opened.journal(), entries.toArray(StoreChange[]::new));
    try (StoreReader reader = opened.store().reader()) {
      List<JobRow> jobs = reader.jobs("SELECT * FROM jobs", 10).rows();
      Map<JobId, OnlyTaskEnds.End> ends = OnlyTaskEnds.of(jobs, reader);
      assertEquals(new OnlyTaskEnds.End(15, null), ends.get(new JobId(1))); // of two attempts
      assertEquals(new OnlyTaskEnds.End(9, null), ends.get(new JobId(5)));
      assertEquals(Map.of(), OnlyTaskEnds.of(List.of(), reader));
    }
    opened.journal().close();
  }

  @Test
  void the_jobs_that_wait_for_one_are_known() throws Exception {
    StoreOpener.Opened opened = open();
    JobRow first = row(spec(1, 1), TaskState.RUNNING, 0);
    List<JobDependency> after = List.of(JobDependency.parse("1:ok"), JobDependency.parse("11"));
    for (long id = 2; id <= 5; id++) {
      JobSpec spec = spec(id, 1);
      JobRow waits =
          JobRow.submitted(
              spec, TaskState.SUBMITTED, id == 3 ? after.subList(1, 2) : after, null, 5);
      write(
          opened.journal(),
          new StoreChange.JobAdded(
              spec,
              id == 4 ? waits.moved(TaskState.CANCELLED, TaskState.CANCELLED, after, 6) : waits));
    }
    try (StoreReader reader = opened.store().reader()) {
      assertEquals(List.of(2L, 5L), DependentJobs.of(first, reader)); // 3 is after 11, 4 is over
      assertEquals(List.of(), DependentJobs.of(row(spec(1, 1), TaskState.FAILED, 3000), reader));
    }
    opened.journal().close();
  }

  private static List<Integer> indexes(
      int first, int end, Set<TaskState> states, StoreReader reader) throws IOException {
    return new TaskQuery(new JobId(1), first, end, states, 100)
        .ask(reader).rows().stream().map(task -> task.id().index()).toList();
  }

  @Test
  void the_attempts_before_the_newest_are_known_by_their_events() throws Exception {
    StoreOpener.Opened opened = open();
    JobSpec spec = spec(1, 2);
    write(
        opened.journal(),
        new StoreChange.JobAdded(spec, row(spec, TaskState.RUNNING, 0)),
        new StoreChange.TaskMoved(task(1, 1, TaskState.RUNNING)),
        happened(1, "task-starting", "{\"attempt\":1,\"from\":\"waiting\",\"node\":\"n7\"}"),
        happened(2, "task-running", "{\"attempt\":1,\"from\":\"starting\"}"),
        happened(
            3, "task-waiting", "{\"attempt\":1,\"from\":\"running\",\"cause\":\"exit code 3\"}"),
        happened(4, "task-starting", "{\"attempt\":2,\"from\":\"waiting\",\"node\":\"n1\"}"));
    try (StoreReader reader = opened.store().reader()) {
      List<TaskRow> tasks = reader.tasks(new JobId(1), 0, 10).rows();
      assertEquals(
          Map.of(1, List.of(new EarlierAttempt(1, 1, "n7", 200, 300, "exit code 3"))),
          AttemptHistory.of(new JobId(1), tasks, reader));
    }
    opened.journal().close();
  }

  private static StoreChange happened(long number, String what, String detail) {
    return new StoreChange.Happened(new EventLogEntry(number, 100 * number, 1, 1, what, detail));
  }

  private static JobQuery with(JobQuery all, Set<TaskState> states, Map<String, String> labels) {
    return new JobQuery(all.which(), null, 0, 0, List.of(), states, labels, 0, 0, all.limit());
  }

  @Test
  void a_page_ends_where_its_text_is_enough() throws Exception {
    StoreOpener.Opened opened = open();
    for (long id = 1; id <= 3; id++) {
      JobSpec spec = spec(id, 1);
      JobRow row = row(spec, TaskState.FAILED, 3000).because("x".repeat(600_000), 1);
      write(opened.journal(), new StoreChange.JobAdded(spec, row));
    }
    try (StoreReader reader = opened.store().reader()) {
      JobQuery.Part first = JobQuery.newest(JobFilter.ALL, null, 10).ask(reader);
      assertEquals(List.of(3L, 2L), ids(first.rows()));
      assertEquals(2L, first.next());
      JobQuery.Part second = JobQuery.newest(JobFilter.ALL, null, 10).before(2).ask(reader);
      assertEquals(List.of(1L), ids(second.rows()));
      assertNull(second.next());
    }
    opened.journal().close();
  }

  @Test
  void tasks_that_failed_are_found_with_or_without_those_that_were_cancelled() throws Exception {
    JobSpec job = spec(1, 2000);
    String why = FailureLimitText.why(1);
    StoreOpener.Opened opened = open();
    JobRow over = row(job, TaskState.FAILED, 3000);
    JobRow gaveUp =
        over.moved(TaskState.FAILED, TaskState.CANCELLED, List.of(), 3000)
            .because(FailureLimitText.reason("1.0: exit code 3", why), 3);
    write(
        opened.journal(),
        new StoreChange.JobAdded(job, row(job, TaskState.RUNNING, 0)),
        new StoreChange.TaskMoved(task(1, 0, TaskState.FAILED)),
        new StoreChange.TaskMoved(task(1, 1, TaskState.SUCCEEDED)),
        new StoreChange.TaskMoved(StoreSamples.cancelled(1, 2, "cancelled")),
        new StoreChange.TaskMoved(StoreSamples.cancelled(1, 3, why)));
    try (StoreReader reader = opened.store().reader()) {
      assertArrayEquals(new int[] {0}, FailedTasks.failed(over, reader));
      assertArrayEquals(new int[] {0}, FailedTasks.failed(gaveUp, reader));
      assertArrayEquals(new int[] {0, 2, 3}, FailedTasks.unsuccessful(over, reader));
      int[] all = FailedTasks.unsuccessful(gaveUp, reader);
      assertEquals(1999, all.length, "all but the one that succeeded");
      assertArrayEquals(new int[] {0, 2, 3, 4}, Arrays.copyOf(all, 4));
    }
    opened.journal().close();
  }
}
