package io.remuda.coordinator.job;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertInstanceOf;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.remuda.agent.protocol.CoordinatorMessage;
import io.remuda.agent.protocol.TaskEnd;
import io.remuda.agent.protocol.TaskPhase;
import io.remuda.agent.protocol.TaskReport;
import io.remuda.coordinator.actor.MemoryLog;
import io.remuda.coordinator.api.CoordinatorCommand;
import io.remuda.coordinator.api.NewJob;
import io.remuda.coordinator.api.Rejection;
import io.remuda.coordinator.api.Reply;
import io.remuda.coordinator.commit.CoordinatorPersistence;
import io.remuda.coordinator.commit.Decision;
import io.remuda.coordinator.commit.Effect;
import io.remuda.coordinator.lifecycle.TaskState;
import io.remuda.coordinator.lifecycle.TaskTrigger;
import io.remuda.coordinator.registry.NodeRegistry;
import io.remuda.coordinator.registry.TaskRegistry;
import io.remuda.coordinator.registry.policy.LiveJobLimits;
import io.remuda.coordinator.registry.policy.RetryPolicy;
import io.remuda.coordinator.registry.task.TaskChange;
import io.remuda.coordinator.registry.task.TaskRecord;
import io.remuda.coordinator.settings.NoticeSettings;
import io.remuda.coordinator.testkit.SeenOrders;
import io.remuda.telemetry.model.HostInfo;
import io.remuda.worker.job.AttemptId;
import io.remuda.worker.job.CommandWorkload;
import io.remuda.worker.job.JobId;
import io.remuda.worker.job.JobTerms;
import io.remuda.worker.job.PlacementPolicy;
import io.remuda.worker.job.ResourceRequest;
import io.remuda.worker.job.TaskId;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.Set;
import org.apache.pekko.actor.testkit.typed.javadsl.TestInbox;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

class JobControlTest {

  private static final JobId ONE = new JobId(1);
  private static final CoordinatorCommand.Caller ANN = new CoordinatorCommand.Caller("ann", false);
  private static final CoordinatorCommand.Caller BOB = new CoordinatorCommand.Caller("bob", false);

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
  private final TestInbox<Reply<JobId>> answers = TestInbox.create();

  @BeforeEach
  void one() {
    nodes.joined("n1", new HostInfo("n1", "a CPU", 4, 4, 1L << 33, 1L << 33), List.of(), "test");
    submit(1);
  }

  private void submit(int count) {
    NewJob job =
        new NewJob(
            "job",
            "ann",
            new ResourceRequest(1, 0),
            JobTerms.placed(PlacementPolicy.PACK),
            new CommandWorkload(List.of("/bin/true"), Map.of(), "/", 022),
            count,
            false,
            null,
            List.of());
    tasks.submit(job.numbered(ONE, List.of()), 1);
  }

  private AttemptId runs() {
    SeenOrders.schedule(tasks, nodes, 1);
    AttemptId attempt = tasks.placed().get(0).attemptId();
    tasks.reported("n1", List.of(new TaskReport(attempt, TaskPhase.RUNNING, 7, null, null)), 1, 1);
    return attempt;
  }

  private Decision change(CoordinatorCommand.Action action, CoordinatorCommand.Caller caller) {
    return control.change(
        new CoordinatorCommand.ChangeJob(ONE, null, action, caller, answers.getRef()), 1);
  }

  private static Rejection refusal(Decision decision) {
    Object answer = ((Effect.Tell<?>) decision.atOnce().get(0)).message();
    return assertInstanceOf(Reply.No.class, answer).rejection();
  }

  @Test
  void the_reason_of_a_cancel_becomes_the_cause_of_the_tasks() {
    Decision decision =
        control.change(
            new CoordinatorCommand.ChangeJob(
                ONE, null, CoordinatorCommand.Action.CANCEL, "wrong data", ANN, answers.getRef()),
            1);
    assertTrue(decision.toString().contains("cancelled by ann: wrong data"), decision.toString());
  }

  @Test
  void a_cancel_of_a_waiting_job_is_its_change_and_then_the_answer() {
    assertEquals(
        Decision.of(
                List.of(
                    new TaskChange(
                        AttemptId.parse("1.0.1"),
                        TaskState.WAITING,
                        TaskTrigger.CANCEL,
                        TaskState.CANCELLED,
                        null,
                        List.of(),
                        "cancelled by ann")))
            .thenAnswer(answers.getRef(), Reply.of(ONE))
            .placing(),
        change(CoordinatorCommand.Action.CANCEL, ANN));
  }

  @Test
  void a_cancel_now_also_kills_what_has_its_grace_once_that_is_durable() {
    AttemptId attempt = runs();
    change(CoordinatorCommand.Action.CANCEL, ANN);
    assertEquals(
        Decision.NONE
            .then(new Effect.SendToNode("n1", new CoordinatorMessage.KillNow(List.of(attempt))))
            .thenAnswer(answers.getRef(), Reply.of(ONE))
            .placing(),
        change(CoordinatorCommand.Action.CANCEL_NOW, ANN));
  }

  @Test
  void a_job_of_another_user_is_left_alone() {
    assertEquals(
        Rejection.Code.NOT_YOURS, refusal(change(CoordinatorCommand.Action.CANCEL, BOB)).code());
    assertEquals(TaskState.WAITING, tasks.stateOf(ONE).orElseThrow());
  }

  @Test
  void what_is_over_is_not_cancelled_even_before_its_end_is_durable() {
    change(CoordinatorCommand.Action.CANCEL, ANN);
    Rejection no = refusal(change(CoordinatorCommand.Action.CANCEL, ANN));
    assertEquals(Rejection.Code.WRONG_STATE, no.code());
    assertEquals("job 1 is over: cancelled", no.message());
  }

  @Test
  void a_stop_cancels_what_runs_and_says_how_long_that_may_take() {
    AttemptId attempt = runs();
    TestInbox<CoordinatorCommand.Stopped> stopped = TestInbox.create();
    Decision decision =
        control.stop(
            new CoordinatorCommand.StopAll(
                CoordinatorCommand.Fate.CANCELLED,
                CoordinatorCommand.Urgency.IN_GRACE,
                stopped.getRef()),
            1);
    assertEquals(attempt, decision.changes().get(0).attempt());
    assertEquals(
        List.of(new Effect.Tell<>(stopped.getRef(), new CoordinatorCommand.Stopped(1, 30_000))),
        decision.committed());
    assertEquals(true, admission.isClosed());
  }

  private Decision takenAway() {
    return control.stop(
        new CoordinatorCommand.StopAll(
            CoordinatorCommand.Fate.WAITS_AGAIN,
            CoordinatorCommand.Urgency.IN_GRACE,
            TestInbox.<CoordinatorCommand.Stopped>create().getRef()),
        1);
  }

  private TaskReport endedBy(AttemptId attempt, TaskEnd.Kind kind) {
    return new TaskReport(attempt, TaskPhase.ENDED, 7, null, TaskEnd.because(kind, "SIGTERM"));
  }

  @Test
  void what_runs_when_the_machines_are_taken_away_waits_again_and_has_not_failed() {
    AttemptId attempt = runs();
    takenAway();
    assertEquals(TaskState.STOPPING, tasks.find(attempt.task()).orElseThrow().state());
    tasks.reported("n1", List.of(endedBy(attempt, TaskEnd.Kind.ON_REQUEST)), 2, 2);
    assertEquals(TaskState.WAITING, tasks.find(attempt.task()).orElseThrow().state());
    assertEquals(true, admission.isClosed());
  }

  @Test
  void a_task_that_did_not_report_its_end_in_time_waits_again_when_its_node_is_gone() {
    AttemptId attempt = runs();
    takenAway();
    tasks.silent("n1", 3);
    tasks.nodeTakenAway("n1", "the Slurm job 17 of the server has ended", 4);
    assertEquals(TaskState.WAITING, tasks.find(attempt.task()).orElseThrow().state());
  }

  @Test
  void without_any_notice_a_task_waits_again_and_says_why() {
    AttemptId attempt = runs();
    tasks.silent("n1", 3);
    assertEquals(TaskState.UNKNOWN, tasks.find(attempt.task()).orElseThrow().state());
    tasks.nodeTakenAway("n1", "the Slurm job 17 of the server has ended", 4);
    TaskRecord task = tasks.find(attempt.task()).orElseThrow();
    assertEquals(TaskState.WAITING, task.state());
    assertEquals("the Slurm job 17 of the server has ended", task.cause());
  }

  @Test
  void what_was_cancelled_before_its_node_was_taken_away_is_cancelled() {
    AttemptId attempt = runs();
    change(CoordinatorCommand.Action.CANCEL, ANN);
    tasks.nodeTakenAway("n1", "gone", 4);
    assertEquals(TaskState.CANCELLED, tasks.stateOf(ONE).orElseThrow());
  }

  @Test
  void a_job_without_a_running_task_is_not_requeued() {
    for (CoordinatorCommand.Action action :
        List.of(CoordinatorCommand.Action.REQUEUE, CoordinatorCommand.Action.REQUEUE_ON_HOLD)) {
      change(CoordinatorCommand.Action.HOLD, ANN);
      Decision decision = change(action, ANN);
      assertFalse(decision.waitsForCommit());
      Reply.No<?> no =
          assertInstanceOf(Reply.No.class, ((Effect.Tell<?>) decision.atOnce().get(0)).message());
      assertEquals("job 1 has no running task: it is held", no.rejection().message());
    }
  }

  @Test
  void a_running_job_is_requeued() {
    runs();
    assertTrue(change(CoordinatorCommand.Action.REQUEUE, ANN).waitsForCommit());
    assertEquals(TaskState.STOPPING, tasks.stateOf(ONE).orElseThrow());
  }

  private Decision changeTask(int task, CoordinatorCommand.Action action) {
    return control.change(
        new CoordinatorCommand.ChangeJob(ONE, task, action, ANN, answers.getRef()), 1);
  }

  private TaskState state(int task) {
    return tasks.find(new TaskId(ONE, task)).orElseThrow().state();
  }

  @Test
  void one_task_is_cancelled_and_the_others_stay() {
    tasks.drop(ONE);
    submit(3);
    changeTask(1, CoordinatorCommand.Action.CANCEL);
    assertEquals(
        List.of(TaskState.WAITING, TaskState.CANCELLED, TaskState.WAITING),
        List.of(state(0), state(1), state(2)));
    assertEquals(
        "task 1.1 has ended: cancelled",
        refusal(changeTask(1, CoordinatorCommand.Action.CANCEL)).message());
    SeenOrders.schedule(tasks, nodes, 1);
    assertEquals(
        List.of(TaskState.STARTING, TaskState.CANCELLED, TaskState.STARTING),
        List.of(state(0), state(1), state(2)));
    changeTask(2, CoordinatorCommand.Action.REQUEUE);
    assertEquals(List.of(TaskState.STARTING, TaskState.STOPPING), List.of(state(0), state(2)));
  }

  @Test
  void a_task_that_is_not_there_or_does_not_run_is_not_changed() {
    assertEquals(
        Rejection.Code.NOT_FOUND, refusal(changeTask(1, CoordinatorCommand.Action.CANCEL)).code());
    assertEquals(
        "task 1.0 does not run: it is waiting",
        refusal(changeTask(0, CoordinatorCommand.Action.REQUEUE)).message());
    assertEquals(
        Rejection.Code.INVALID, refusal(changeTask(0, CoordinatorCommand.Action.HOLD)).code());
  }

  private final TestInbox<Reply<CoordinatorCommand.WaitingCancelled>> cancelled =
      TestInbox.create();

  private Decision cancelWaiting(Set<TaskState> states, int first, int end) {
    return control.cancelWaiting(
        new CoordinatorCommand.CancelWaiting(
            ONE,
            new CoordinatorCommand.WaitingTasks(states, first, end),
            null,
            ANN,
            cancelled.getRef()),
        1);
  }

  private Decision answered(Decision decision, int count, int left, Integer next) {
    Reply<CoordinatorCommand.WaitingCancelled> answer =
        Reply.of(new CoordinatorCommand.WaitingCancelled(ONE, count, left, next));
    assertTrue(decision.toString().contains(answer.toString()), decision.toString());
    return decision;
  }

  @Test
  void only_tasks_that_wait_are_cancelled_of_a_job_that_runs() {
    tasks.drop(ONE);
    submit(7); // on four CPUs
    SeenOrders.schedule(tasks, nodes, 1);
    answered(cancelWaiting(Set.of(TaskState.HELD), 0, 0), 0, 7, null);
    answered(cancelWaiting(Set.of(TaskState.WAITING), 0, 5), 1, 6, null);
    answered(cancelWaiting(Set.of(TaskState.WAITING), 0, 0), 2, 4, null);
    assertEquals(Map.of(TaskState.STARTING, 4, TaskState.CANCELLED, 3), tasks.counts(ONE));
    answered(cancelWaiting(Set.of(TaskState.WAITING), 0, 0), 0, 4, null);
  }

  @Test
  void a_job_that_has_not_started_is_cancelled_as_a_whole() {
    tasks.drop(ONE);
    submit(5000);
    answered(cancelWaiting(Set.of(TaskState.WAITING, TaskState.HELD), 0, 0), 5000, 0, null);
    assertEquals(Map.of(TaskState.CANCELLED, 5000), tasks.counts(ONE));
  }

  @Test
  void many_tasks_that_wait_are_cancelled_in_portions() {
    tasks.drop(ONE);
    submit(1500);
    SeenOrders.schedule(tasks, nodes, 1);
    answered(cancelWaiting(Set.of(TaskState.WAITING), 0, 0), 1000, 500, 1004);
    answered(cancelWaiting(Set.of(TaskState.WAITING), 1004, 0), 496, 4, null);
    assertEquals(1496, tasks.counts(ONE).get(TaskState.CANCELLED));
  }
}
