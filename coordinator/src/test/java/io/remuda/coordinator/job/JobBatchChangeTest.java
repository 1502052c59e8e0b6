package io.remuda.coordinator.job;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.remuda.agent.protocol.CoordinatorMessage;
import io.remuda.coordinator.actor.MemoryLog;
import io.remuda.coordinator.api.CoordinatorCommand;
import io.remuda.coordinator.api.CoordinatorCommand.Action;
import io.remuda.coordinator.api.JobNumbers;
import io.remuda.coordinator.api.JobsChanged;
import io.remuda.coordinator.api.NewJob;
import io.remuda.coordinator.api.Reply;
import io.remuda.coordinator.commit.CoordinatorPersistence;
import io.remuda.coordinator.commit.Decision;
import io.remuda.coordinator.commit.Effect;
import io.remuda.coordinator.lifecycle.TaskState;
import io.remuda.coordinator.registry.NodeRegistry;
import io.remuda.coordinator.registry.TaskRegistry;
import io.remuda.coordinator.registry.policy.LiveJobLimits;
import io.remuda.coordinator.registry.policy.RetryPolicy;
import io.remuda.coordinator.registry.task.ImmediateOrHeldStart;
import io.remuda.coordinator.settings.NoticeSettings;
import io.remuda.coordinator.testkit.SeenOrders;
import io.remuda.telemetry.model.HostInfo;
import io.remuda.worker.job.CommandWorkload;
import io.remuda.worker.job.JobDependency;
import io.remuda.worker.job.JobId;
import io.remuda.worker.job.JobSpec;
import io.remuda.worker.job.JobTerms;
import io.remuda.worker.job.PlacementPolicy;
import io.remuda.worker.job.ResourceRequest;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.stream.IntStream;
import org.apache.pekko.actor.testkit.typed.javadsl.TestInbox;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

/** Many jobs and tasks that change in one step. */
class JobBatchChangeTest {

  private static final CoordinatorCommand.Caller ANN = new CoordinatorCommand.Caller("ann", false);

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
  private final TestInbox<Reply<JobsChanged>> answers = TestInbox.create();
  private Decision decision;

  @BeforeEach
  void node() {
    nodes.joined("n1", new HostInfo("n1", "a CPU", 4, 4, 1L << 33, 1L << 33), List.of(), "test");
  }

  private void submit(long id, String user, int count) {
    submit(id, user, count, List.of());
  }

  private void submit(long id, String user, int count, List<JobDependency> after) {
    submit(id, user, count, after, new ResourceRequest(1, 0));
  }

  private void submit(
      long id, String user, int count, List<JobDependency> after, ResourceRequest needs) {
    NewJob job =
        new NewJob(
            "job",
            user,
            needs,
            JobTerms.placed(PlacementPolicy.PACK),
            new CommandWorkload(List.of("/bin/true"), Map.of(), "/", 022),
            count,
            false,
            null,
            List.of());
    JobSpec numbered = job.numbered(new JobId(id), List.of());
    tasks.submit(
        numbered.withTerms(numbered.terms().withAfter(after)),
        Set.copyOf(after),
        ImmediateOrHeldStart.AT_ONCE,
        1);
  }

  private JobsChanged change(String jobs, Action action) {
    decision =
        control.changeAll(
            new CoordinatorCommand.ChangeJobs(
                JobNumbers.of(jobs), action, null, ANN, answers.getRef()),
            1);
    return decision.committed().stream()
        .filter(Effect.Tell.class::isInstance)
        .map(effect -> ((Effect.Tell<?>) effect).message())
        .filter(Reply.Yes.class::isInstance)
        .map(reply -> (JobsChanged) ((Reply.Yes<?>) reply).value())
        .findFirst()
        .orElseThrow();
  }

  @Test
  void two_thousand_tasks_of_an_array_end_in_one_decision_and_no_other_does() {
    submit(1, "ann", 4000);
    SeenOrders.schedule(tasks, nodes, 1); // four of them
    assertEquals(
        new JobsChanged(0, 2000, 0, List.of(), 0, List.of()), change("1.1000-2999", Action.CANCEL));
    assertEquals(2000, decision.changes().size());
    assertEquals(
        Map.of(TaskState.STARTING, 4, TaskState.CANCELLED, 2000, TaskState.WAITING, 1996),
        tasks.counts(new JobId(1)));
  }

  @Test
  void what_has_ended_is_counted_and_what_belongs_to_others_is_said() {
    IntStream.rangeClosed(1, 30).forEach(id -> submit(id, id <= 20 ? "ann" : "bob", 1));
    change("1-5", Action.CANCEL);
    JobsChanged all = change("1-31", Action.CANCEL);
    assertEquals(15, all.jobs());
    assertEquals(5, all.over());
    assertEquals(10, all.refused());
    assertEquals(List.of(new JobId(31)), all.gone());
    assertEquals("job 21 belongs to bob", all.refusals().get(0).message());
    assertEquals(Map.of(TaskState.WAITING, 1), tasks.counts(new JobId(21)));
  }

  @Test
  void ended_tasks_of_a_range_are_counted() {
    submit(1, "ann", 20);
    change("1.0-4", Action.CANCEL);
    assertEquals(
        new JobsChanged(0, 15, 5, List.of(), 0, List.of()), change("1.0-19", Action.CANCEL));
  }

  @Test
  void one_that_is_named_twice_is_changed_once() {
    submit(1, "ann", 3);
    submit(2, "ann", 1);
    assertEquals(
        new JobsChanged(1, 2, 0, List.of(), 0, List.of()),
        change("1.0-1,1.1,2,2-2", Action.CANCEL));
  }

  @Test
  void jobs_are_held_and_released_together() {
    IntStream.rangeClosed(1, 3).forEach(id -> submit(id, "ann", 2));
    assertEquals(3, change("1-3", Action.HOLD).jobs());
    assertEquals(Map.of(TaskState.HELD, 2), tasks.counts(new JobId(2)));
    assertEquals(3, change("1-3", Action.RELEASE).jobs());
    assertEquals(Map.of(TaskState.WAITING, 2), tasks.counts(new JobId(2)));
    assertTrue(decision.mayPlace());
  }

  @Test
  void a_job_without_a_running_task_is_not_requeued() {
    submit(1, "ann", 2);
    JobsChanged no = change("1", Action.REQUEUE);
    assertEquals(1, no.refused());
    assertTrue(no.refusals().get(0).message().contains("has no running task"), no.toString());
  }

  @Test
  void those_that_the_end_of_a_named_job_cancels_are_changed_with_it() {
    submit(1, "ann", 1);
    IntStream.rangeClosed(2, 20).forEach(id -> submit(id, "ann", 2, after(id - 1)));
    assertEquals(
        new JobsChanged(19, 2, 0, List.of(), 0, List.of()),
        change("1-19,20.0-1,3,20.1", Action.CANCEL));
    assertEquals(Map.of(TaskState.CANCELLED, 2), tasks.counts(new JobId(20)));
    assertEquals(
        new JobsChanged(0, 0, 20, List.of(), 0, List.of()), change("1-20", Action.CANCEL_NOW));
  }

  private static List<JobDependency> after(long id) {
    return List.of(new JobDependency(new JobId(id), JobDependency.When.OK));
  }

  @Test
  void the_work_of_one_change_is_bounded_however_many_tasks_its_jobs_have() {
    IntStream.rangeClosed(1, 100).forEach(id -> submit(id, "ann", 1000));
    submit(101, "ann", 1000, after(1));
    submit(102, "bob", 1000, after(101));
    assertEquals(100, change("1-100", Action.HOLD).jobs());
    assertBounded();
    assertEquals(Map.of(TaskState.HELD, 1000), tasks.counts(new JobId(100)));
    assertEquals(100, change("1-100", Action.RELEASE).jobs());
    assertBounded();
    assertEquals(Map.of(TaskState.WAITING, 1000), tasks.counts(new JobId(100)));
    assertEquals(101, change("1-101", Action.CANCEL).jobs());
    assertBounded();
    for (JobId job : List.of(new JobId(1), new JobId(100), new JobId(101), new JobId(102))) {
      assertEquals(Map.of(TaskState.CANCELLED, 1000), tasks.counts(job), job.toString());
    }
    assertFalse(tasks.isUnsettled(), "there is nothing to end");
  }

  @Test
  void jobs_that_start_task_by_task_after_cancelled_ones_do_not_exceed_the_bound() {
    for (int pair = 1; pair <= 100; pair += 2) {
      submit(pair, "ann", 1000);
      submit(
          pair + 1,
          "ann",
          1000,
          List.of(new JobDependency(new JobId(pair), JobDependency.When.EACH)));
    }
    assertEquals(100, change("1-100", Action.CANCEL).jobs());
    assertBounded();
    assertEquals(Map.of(TaskState.CANCELLED, 1000), tasks.counts(new JobId(100)));
  }

  private void assertBounded() {
    int changes = decision.changes().size();
    assertTrue(changes > 10_000 && changes < 12_000, changes + " changes in one step");
  }

  /** Jobs 1 to 150 have 100 tasks each that run. */
  private void running() {
    IntStream.rangeClosed(1, 150)
        .forEach(id -> submit(id, "ann", 100, List.of(), new ResourceRequest(0, 0)));
    for (String node : List.of("n2", "n3", "n4")) { // one has 4,000 at most
      nodes.joined(node, new HostInfo(node, "a CPU", 4, 4, 1L << 33, 1L << 33), List.of(), "test");
    }
    SeenOrders.schedule(tasks, nodes, 1);
    assertEquals(15_000, tasks.placed().size());
  }

  @Test
  void tasks_beyond_the_bound_follow_in_portions_of_many_jobs() {
    running();
    assertEquals(150, change("1-150", Action.CANCEL).jobs());
    int changes = decision.changes().size();
    assertTrue(changes >= 10_000 && changes < 11_000, changes + " changes in one step");
    for (int portions = 0; tasks.isUnsettled(); portions++) {
      decision = control.settle(1);
      assertTrue(decision.changes().size() <= 2000, decision.changes().size() + " changes");
      assertTrue(portions < 10, "a portion has the tasks of several jobs");
    }
    assertEquals(Map.of(TaskState.ENDING, 100), tasks.counts(new JobId(150)));
    assertEquals(0, killed(decision));
  }

  @Test
  void tasks_that_are_to_end_at_once_are_killed_also_if_they_follow_later() {
    running();
    change("1-149", Action.CANCEL_NOW);
    change("150", Action.CANCEL);
    int killed = 0;
    while (tasks.isUnsettled()) {
      killed += killed(control.settle(1));
    }
    assertEquals(Map.of(TaskState.ENDING, 100), tasks.counts(new JobId(149)));
    assertEquals(14_900 - 10_000, killed);
  }

  @Test
  void many_running_tasks_of_one_job_are_all_killed() {
    submit(1, "ann", 2500, List.of(), new ResourceRequest(0, 0));
    SeenOrders.schedule(tasks, nodes, 1);
    Decision one =
        control.change(
            new CoordinatorCommand.ChangeJob(
                new JobId(1), null, Action.CANCEL_NOW, null, ANN, null),
            1);
    int killed = killed(one);
    while (tasks.isUnsettled()) {
      killed += killed(control.settle(1));
    }
    assertEquals(2500, killed);
  }

  private static int killed(Decision decision) {
    return decision.committed().stream()
        .filter(Effect.SendToNode.class::isInstance)
        .map(effect -> ((Effect.SendToNode) effect).message())
        .mapToInt(message -> ((CoordinatorMessage.KillNow) message).attempts().size())
        .sum();
  }
}
