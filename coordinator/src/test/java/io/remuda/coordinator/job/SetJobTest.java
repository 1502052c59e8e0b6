package io.remuda.coordinator.job;

import static java.nio.charset.StandardCharsets.UTF_8;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertInstanceOf;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.remuda.agent.protocol.TaskPhase;
import io.remuda.agent.protocol.TaskReport;
import io.remuda.coordinator.actor.MemoryLog;
import io.remuda.coordinator.api.CoordinatorCommand;
import io.remuda.coordinator.api.ReferencedStoredJobs;
import io.remuda.coordinator.api.Rejection;
import io.remuda.coordinator.api.Reply;
import io.remuda.coordinator.commit.CoordinatorPersistence;
import io.remuda.coordinator.commit.Decision;
import io.remuda.coordinator.commit.Effect;
import io.remuda.coordinator.lifecycle.TaskState;
import io.remuda.coordinator.registry.NodeRegistry;
import io.remuda.coordinator.registry.TaskRegistry;
import io.remuda.coordinator.registry.policy.LiveJobLimits;
import io.remuda.coordinator.registry.policy.RetryPolicy;
import io.remuda.coordinator.rest.request.ChangeFields;
import io.remuda.coordinator.rest.request.SubmissionReader;
import io.remuda.coordinator.settings.NoticeSettings;
import io.remuda.coordinator.store.row.StoreChange;
import io.remuda.coordinator.testkit.SeenOrders;
import io.remuda.telemetry.model.HostInfo;
import io.remuda.worker.job.AttemptId;
import io.remuda.worker.job.JobDependency;
import io.remuda.worker.job.JobId;
import io.remuda.worker.job.PreemptionTerms;
import io.remuda.worker.job.TaskId;
import java.time.Duration;
import java.util.List;
import org.apache.pekko.actor.testkit.typed.javadsl.TestInbox;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

/** A user changes a job that has not ended. */
class SetJobTest {
  private static final JobId ONE = new JobId(1);
  private static final CoordinatorCommand.Caller ANN = new CoordinatorCommand.Caller("ann", false);
  private static final CoordinatorCommand.Caller BOB = new CoordinatorCommand.Caller("bob", false);
  private static final long SECOND = 1_000_000_000L;

  private final NodeRegistry nodes = new NodeRegistry();
  private final TaskRegistry tasks =
      new TaskRegistry(new RetryPolicy(1, 1, Duration.ZERO, Duration.ZERO, Duration.ofSeconds(10)));
  private final MemoryLog log = new MemoryLog();
  private final CoordinatorPersistence durable = log.durable();
  private final LiveJobLimiter load = new LiveJobLimiter(LiveJobLimits.NONE);
  private final JobAdmission admission =
      new JobAdmission(
          tasks,
          nodes,
          durable.jobRows(),
          log,
          load,
          new EndedJobEviction(tasks, load),
          0,
          NoticeSettings.USUAL);
  private final JobControl control = new JobControl(tasks, durable.jobRows(), admission);
  private final TestInbox<Reply<CoordinatorCommand.JobSet>> answers = TestInbox.create();

  @BeforeEach
  void a_node_of_four_cores() {
    nodes.joined("n1", new HostInfo("n1", "a CPU", 4, 4, 1L << 33, 1L << 33), List.of(), "test");
  }

  private void submit(String user, String fields) {
    String body = "{\"argv\": [\"true\"], \"workdir\": \"/\", \"env\": {}" + fields + "}";
    admission.admit(
        new SubmissionReader(false).read(body.getBytes(UTF_8), user),
        ReferencedStoredJobs.NONE,
        new CoordinatorCommand.Caller(user, false),
        1);
  }

  private Decision set(long job, String fields, CoordinatorCommand.Caller caller, long now) {
    return control.set(
        new CoordinatorCommand.SetJob(
            new JobId(job),
            ChangeFields.read(fields.getBytes(UTF_8), "ann"),
            ReferencedStoredJobs.NONE,
            caller,
            answers.getRef()),
        now);
  }

  private static Rejection refusal(Decision decision) {
    Object answer = ((Effect.Tell<?>) decision.atOnce().get(0)).message();
    return assertInstanceOf(Reply.No.class, answer).rejection();
  }

  private static CoordinatorCommand.JobSet done(Decision decision) {
    Object answer = ((Effect.Tell<?>) decision.committed().get(0)).message();
    return (CoordinatorCommand.JobSet) assertInstanceOf(Reply.Yes.class, answer).value();
  }

  private void schedule() {
    SeenOrders.schedule(tasks, nodes, SECOND);
  }

  @Test
  void a_change_is_durable_before_it_is_acknowledged() {
    submit("ann", "");
    Decision decision = set(1, "{\"priority\": 5, \"name\": \"urgent\"}", ANN, 2);
    assertEquals(new CoordinatorCommand.JobSet(ONE, 0), done(decision));
    StoreChange.JobChanged stored = (StoreChange.JobChanged) decision.rows().get(0);
    assertEquals(5, stored.spec().terms().priority());
    assertEquals("urgent", stored.row().name());
    assertEquals(stored.spec(), tasks.job(ONE).orElseThrow());
  }

  @Test
  void what_waits_starts_by_its_new_terms() {
    submit("ann", ", \"cpus\": 4");
    submit("ann", ", \"cpus\": 4");
    set(2, "{\"priority\": 1}", ANN, 2);
    schedule();
    assertEquals(new TaskId(new JobId(2), 0), tasks.placed().get(0).id());
  }

  @Test
  void the_job_put_first_last_is_before_its_users_others_and_not_before_other_users() {
    submit("bob", ", \"cpus\": 4");
    submit("ann", ", \"cpus\": 4");
    submit("ann", ", \"cpus\": 4, \"first\": true");
    submit("ann", ", \"cpus\": 4");
    done(set(4, "{\"first\": true}", ANN, 2));
    assertEquals(1, tasks.job(new JobId(3)).orElseThrow().terms().array().first());
    assertEquals(2, tasks.job(new JobId(4)).orElseThrow().terms().array().first());
    schedule();
    assertEquals(ONE, tasks.placed().get(0).id().job());
  }

  @Test
  void a_job_is_first_until_a_time_to_come() {
    submit("ann", "");
    Decision later = set(1, "{\"first\": true, \"firstUntil\": \"2999-01-01T00:00:00Z\"}", ANN, 2);
    assertEquals(32_472_144_000_000L, stored(later).spec().terms().array().firstUntilMillis());
    assertEquals(1, stored(later).spec().terms().array().first());
    assertEquals(List.of(), control.begin(3).rows()); // that time has not come
    assertEquals(
        "firstUntil must be a time to come, got 2026-01-01T00:00:00Z",
        refusal(set(1, "{\"first\": true, \"firstUntil\": \"2026-01-01T00:00:00Z\"}", ANN, 4))
            .message());
    Decision good = set(1, "{\"first\": true}", ANN, 5);
    assertEquals(0, stored(good).spec().terms().array().firstUntilMillis());
  }

  @Test
  void a_test_keeps_to_the_bounds_of_tests() {
    submit("ann", ", \"qos\": \"test\"");
    assertEquals(600_000, tasks.job(ONE).orElseThrow().terms().timeLimitMillis());
    Rejection longer = refusal(set(1, "{\"timeLimit\": \"1h\"}", ANN, 2));
    assertTrue(longer.message().contains("at most 10 min here, got 1 h"), longer.message());
    assertEquals(
        "a job with qos test has at most 1 GPU here, got 2",
        refusal(set(1, "{\"gpus\": 2}", ANN, 2)).message());
    assertEquals(
        "priority and qos exclude each other, got 5 and test",
        refusal(set(1, "{\"priority\": 5}", ANN, 2)).message());
    done(set(1, "{\"timeLimit\": \"5m\"}", ANN, 2));
  }

  @Test
  void a_scavenger_leaves_at_once_whatever_is_set() {
    submit("ann", ", \"qos\": \"scavenger\"");
    assertEquals(
        "qos scavenger is preemptible: leave out preemptible",
        refusal(set(1, "{\"preemptible\": false}", ANN, 2)).message());
    for (String limit : List.of("\"preemptAfter\": \"1h\"", "\"maxPreemptions\": 1")) {
      assertEquals(
          "qos scavenger leaves at once, however often: leave out preemptAfter and maxPreemptions",
          refusal(set(1, "{\"preemptible\": true, " + limit + "}", ANN, 2)).message());
    }
    done(set(1, "{\"preemptible\": true, \"onPreempt\": \"cancel\"}", ANN, 2));
    PreemptionTerms after = tasks.job(ONE).orElseThrow().terms().preemption();
    assertEquals(
        new PreemptionTerms(
            null, PreemptionTerms.Then.CANCEL, 0, PreemptionTerms.MOST_TIMES, after.reach()),
        after);
  }

  @Test
  void needs_change_only_while_all_tasks_wait() {
    submit("ann", ", \"count\": 5");
    schedule();
    assertEquals(
        "job 1 has 4 tasks that have a place", refusal(set(1, "{\"cpus\": 2}", ANN, 2)).message());
    done(set(1, "{\"maxRunning\": 1}", ANN, 2));
  }

  @Test
  void needs_that_no_node_can_ever_meet_are_refused() {
    submit("ann", "");
    assertEquals(Rejection.Code.NEVER_FITS, refusal(set(1, "{\"cpus\": 64}", ANN, SECOND)).code());
    assertEquals(1.0, tasks.job(ONE).orElseThrow().request().cpus());
  }

  @Test
  void a_new_time_limit_counts_from_the_start_and_ends_what_is_beyond_it() {
    submit("ann", ", \"timeLimit\": \"1h\"");
    schedule();
    AttemptId attempt = tasks.placed().get(0).attemptId();
    tasks.reported(
        "n1", List.of(new TaskReport(attempt, TaskPhase.RUNNING, 7, null, null)), 1, SECOND);
    assertEquals(0, done(set(1, "{\"timeLimit\": \"2m\"}", ANN, 61 * SECOND)).ending());
    tasks.tick(62 * SECOND);
    assertEquals(TaskState.RUNNING, tasks.stateOf(ONE).orElseThrow());
    assertEquals(1, done(set(1, "{\"timeLimit\": \"1m\"}", ANN, 62 * SECOND)).ending());
    tasks.tick(62 * SECOND);
    assertEquals(TaskState.ENDING, tasks.stateOf(ONE).orElseThrow());
  }

  @Test
  void a_job_of_another_user_is_left_alone() {
    submit("ann", "");
    assertEquals(Rejection.Code.NOT_YOURS, refusal(set(1, "{\"priority\": 1}", BOB, 2)).code());
    assertEquals(Rejection.Code.NOT_FOUND, refusal(set(9, "{\"priority\": 1}", ANN, 2)).code());
    assertTrue(tasks.job(ONE).orElseThrow().terms().priority() == 0);
  }

  private StoreChange.JobChanged stored(Decision decision) {
    return (StoreChange.JobChanged) decision.rows().get(0);
  }

  private TaskState stateOf(long job) {
    return tasks.stateOf(new JobId(job)).orElseThrow();
  }

  @Test
  void a_job_that_is_to_begin_later_waits_for_that_time_until_it_is_to_begin_now() {
    submit("ann", "");
    Decision later = set(1, "{\"begin\": \"2999-01-01T00:00:00Z\"}", ANN, 2);
    assertEquals(TaskState.SUBMITTED, stored(later).row().state());
    assertEquals(32_472_144_000_000L, stored(later).spec().terms().beginMillis());
    control.begin(3);
    schedule();
    assertEquals(TaskState.SUBMITTED, stateOf(1));
    Decision now = set(1, "{\"begin\": \"2026-01-01T00:00:00Z\"}", ANN, 4);
    assertEquals(TaskState.WAITING, stored(now).row().state());
    assertEquals(0, stored(now).spec().terms().beginMillis());
    schedule();
    assertEquals(TaskState.STARTING, stateOf(1));
  }

  @Test
  void other_jobs_replace_those_that_a_job_waits_for() {
    submit("ann", "");
    submit("ann", "");
    submit("ann", ", \"after\": [\"1\"]");
    Decision other = set(3, "{\"after\": [\"2:any\"]}", ANN, 2);
    assertEquals(List.of(JobDependency.parse("2:any")), stored(other).row().open());
    assertEquals(List.of(JobDependency.parse("2:any")), stored(other).spec().terms().after());
    tasks.requests().cancel(ONE, "", 3);
    assertEquals(TaskState.SUBMITTED, stateOf(3));
    tasks.requests().cancel(new JobId(2), "", 4);
    assertEquals(TaskState.WAITING, stateOf(3));
  }

  @Test
  void a_job_that_waits_for_all_may_wait_for_one_of_them_and_the_other_way_round() {
    submit("ann", "");
    submit("ann", "");
    submit("ann", ", \"after\": [\"1\", \"2\"]");
    submit("ann", ", \"afterOneOf\": [\"1\", \"2\"]");
    Decision one = set(3, "{\"afterOneOf\": [\"1:any\", \"2:any\"]}", ANN, 2);
    assertTrue(stored(one).spec().terms().afterOne());
    Decision all = set(4, "{\"after\": [\"1:any\", \"2\"]}", ANN, 2);
    assertFalse(stored(all).spec().terms().afterOne());
    assertEquals(
        "after 3:ok: that job itself waits for job 1",
        refusal(set(1, "{\"afterOneOf\": [\"3\", \"2\"]}", ANN, 2)).message());
    tasks.requests().cancel(ONE, "", 3);
    assertEquals(TaskState.WAITING, stateOf(3));
    assertEquals(TaskState.SUBMITTED, stateOf(4));
  }

  @Test
  void a_job_after_none_starts_as_soon_as_there_is_room_but_not_before_its_time() {
    submit("ann", "");
    submit("ann", ", \"after\": [\"1\"]");
    submit("ann", ", \"after\": [\"1\"], \"begin\": \"2999-01-01T00:00:00Z\"");
    submit("ann", ", \"after\": [\"1\"], \"hold\": true");
    for (long job : List.of(2L, 3L, 4L)) {
      assertEquals(List.of(), stored(set(job, "{\"after\": []}", ANN, 2)).row().open());
    }
    assertEquals(TaskState.WAITING, stateOf(2));
    assertEquals(TaskState.SUBMITTED, stateOf(3));
    assertEquals(TaskState.HELD, stateOf(4));
    tasks.requests().release(new JobId(4), 3);
    assertEquals(TaskState.WAITING, stateOf(4));
  }

  @Test
  void jobs_that_would_never_start_are_refused_and_nothing_changes() {
    submit("ann", "");
    submit("ann", ", \"after\": [\"1\"]");
    submit("ann", ", \"after\": [\"2\"]");
    assertEquals(
        "after 3:ok: that job itself waits for job 1",
        refusal(set(1, "{\"after\": [\"3\"]}", ANN, 2)).message());
    assertEquals(
        "after 1:ok: a job cannot wait for its own end",
        refusal(set(1, "{\"after\": [\"1\"]}", ANN, 2)).message());
    assertEquals(
        "after 9:any: there is no such job",
        refusal(set(3, "{\"after\": [\"9:any\"]}", ANN, 2)).message());
    assertEquals(TaskState.WAITING, stateOf(1));
    assertEquals(
        List.of(JobDependency.parse("2")), tasks.job(new JobId(3)).orElseThrow().terms().after());
  }

  @Test
  void the_start_of_a_job_that_has_begun_stays_as_it_is() {
    submit("ann", "");
    schedule();
    for (String fields : List.of("{\"after\": []}", "{\"begin\": \"2999-01-01T00:00:00Z\"}")) {
      assertEquals(Rejection.Code.WRONG_STATE, refusal(set(1, fields, ANN, 2)).code());
    }
    assertEquals(TaskState.STARTING, stateOf(1));
  }
}
