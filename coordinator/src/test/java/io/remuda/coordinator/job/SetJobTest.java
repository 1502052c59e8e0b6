package io.remuda.coordinator.job;

import static java.nio.charset.StandardCharsets.UTF_8;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertInstanceOf;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.remuda.agent.protocol.TaskPhase;
import io.remuda.agent.protocol.TaskReport;
import io.remuda.coordinator.actor.Coordinator;
import io.remuda.coordinator.actor.MemoryLog;
import io.remuda.coordinator.api.CoordinatorCommand;
import io.remuda.coordinator.api.Rejection;
import io.remuda.coordinator.api.Reply;
import io.remuda.coordinator.api.StoredJobs;
import io.remuda.coordinator.commit.Decision;
import io.remuda.coordinator.commit.Effect;
import io.remuda.coordinator.lifecycle.TaskState;
import io.remuda.coordinator.registry.NodeRegistry;
import io.remuda.coordinator.registry.TaskRegistry;
import io.remuda.coordinator.registry.policy.LiveLimits;
import io.remuda.coordinator.registry.policy.RetryPolicy;
import io.remuda.coordinator.rest.request.ChangeFields;
import io.remuda.coordinator.rest.request.SubmissionReader;
import io.remuda.coordinator.store.row.LogEntry;
import io.remuda.telemetry.model.HostInfo;
import io.remuda.worker.job.AttemptId;
import io.remuda.worker.job.JobId;
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
  private final Coordinator.Durable durable = log.durable();
  private final LiveLoad load = new LiveLoad(LiveLimits.NONE);
  private final JobAdmission admission =
      new JobAdmission(tasks, nodes, durable.jobRows(), log, load, new EndedJobs(tasks, load), 0);
  private final JobControl control = new JobControl(tasks, durable.jobRows(), admission);
  private final TestInbox<Reply<CoordinatorCommand.JobSet>> answers = TestInbox.create();

  @BeforeEach
  void a_node_of_four_cores() {
    nodes.joined("n1", new HostInfo("n1", "a CPU", 4, 4, 1L << 33, 1L << 33), List.of(), "test");
  }

  private void submit(String user, String fields) {
    String body = "{\"argv\": [\"true\"], \"workdir\": \"/\", \"env\": {}" + fields + "}";
    admission.admit(
        new SubmissionReader(false, true).read(body.getBytes(UTF_8), user), StoredJobs.NONE, 1);
  }

  private Decision set(long job, String fields, CoordinatorCommand.Caller caller, long now) {
    return control.set(
        new CoordinatorCommand.SetJob(
            new JobId(job),
            ChangeFields.read(fields.getBytes(UTF_8), "ann"),
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
    tasks.schedule(nodes.all(), node -> 1L, SECOND);
  }

  @Test
  void a_change_is_durable_before_it_is_acknowledged() {
    submit("ann", "");
    Decision decision = set(1, "{\"priority\": 5, \"name\": \"urgent\"}", ANN, 2);
    assertEquals(new CoordinatorCommand.JobSet(ONE, 0), done(decision));
    LogEntry.JobChanged stored = (LogEntry.JobChanged) decision.rows().get(0);
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
}
