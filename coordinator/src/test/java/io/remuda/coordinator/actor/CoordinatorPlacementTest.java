package io.remuda.coordinator.actor;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertNull;

import io.remuda.agent.protocol.CoordinatorMessage.Desired;
import io.remuda.agent.protocol.TaskUse;
import io.remuda.coordinator.api.ClusterEvent;
import io.remuda.coordinator.api.CoordinatorQuestion;
import io.remuda.coordinator.api.Explanation;
import io.remuda.coordinator.api.LiveJobProgress;
import io.remuda.coordinator.api.NewJob;
import io.remuda.coordinator.api.Reply;
import io.remuda.coordinator.lifecycle.TaskState;
import io.remuda.coordinator.schedule.model.WaitReason;
import io.remuda.worker.job.JobId;
import io.remuda.worker.protocol.WorkerEvent;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.stream.LongStream;
import org.apache.pekko.actor.testkit.typed.javadsl.TestInbox;
import org.junit.jupiter.api.Test;

/** When tasks are placed, and placed again. */
class CoordinatorPlacementTest extends WithCoordinator {

  @Test
  void tasks_wait_for_a_node_and_start_when_it_joins() {
    submit(job(2, 1));
    Agent first = new Agent("n1").joins("boot");
    assertEquals(List.of("1.0.1"), first.orders());
    Agent second = new Agent("n2").joins("boot");
    assertEquals(List.of("1.1.1"), second.orders());
  }

  @Test
  void a_device_that_is_given_back_goes_to_the_next_task_at_once() {
    Agent agent = new Agent("n1").joins("boot");
    submit(job(2, 1));
    agent.reports(false, running()).tells(1, new WorkerEvent.PoolDone(0));
    agent.reports(false, ended(0, null));
    assertEquals(List.of("1.1.1"), agent.orders());
  }

  @Test
  void what_has_ended_is_left_out_of_the_next_order_and_is_no_reason_for_one() {
    Agent agent = new Agent("n1").joins("boot");
    submit(job(1, 1));
    agent.news();
    agent.reports(false, running()).tells(1, new WorkerEvent.PoolDone(0));
    agent.reports(false, ended(0, null));
    assertEquals(List.of(), agent.news().stream().filter(Desired.class::isInstance).toList());
    submit(job(1, 1));
    Desired next = agent.desired();
    assertEquals(1, next.tasks().size() + next.kept().size(), next::toString);
  }

  @Test
  void an_interrupted_task_is_ordered_again_after_its_pause() {
    Agent agent = new Agent("n1").joins("boot");
    submit(job(1, 1));
    agent.reports(false, running()).reports(false, ended(null, 9));
    assertEquals(List.of(), agent.orders());
    clock.advance(Duration.ofMillis(150));
    tick();
    assertEquals(List.of("1.0.2"), agent.orders());
    assertEquals(
        List.of("1.0.1 STARTING", "1.0.1 RUNNING", "1.0.1 WAITING", "1.0.2 STARTING"), moves());
  }

  @Test
  void a_node_that_falls_silent_keeps_its_tasks_until_the_contact_deadline_has_passed() {
    Agent agent = new Agent("n1").joins("boot");
    new Agent("n2").joins("boot");
    submit(job(1, 1));
    agent.reports(false, running());
    agent.goes();
    clock.advance(Duration.ofSeconds(10));
    tick();
    assertEquals(List.of("1.0.1 STARTING", "1.0.1 RUNNING", "1.0.1 UNKNOWN"), moves());
    clock.advance(Duration.ofSeconds(1));
    tick();
    clock.advance(Duration.ofSeconds(1));
    tick();
    assertEquals(List.of("1.0.1 WAITING", "1.0.2 STARTING"), moves());
  }

  @Test
  void a_look_at_jobs_names_the_nodes_where_their_tasks_are() {
    new Agent("n2").joins("boot");
    new Agent("n1").joins("boot");
    submit(job(3, 1));
    submit(job(1, 1));
    JobId first = new JobId(1);
    JobId waiting = new JobId(2);
    TestInbox<Map<JobId, LiveJobProgress>> views = TestInbox.create();
    run(new CoordinatorQuestion.LookAtJobs(List.of(first, waiting), views.getRef()));
    Map<JobId, LiveJobProgress> seen = views.receiveMessage();
    assertEquals(List.of("n1", "n2"), List.copyOf(seen.get(first).nodes()));
    assertEquals(Set.of(), seen.get(waiting).nodes());
  }

  @Test
  void a_look_at_a_job_that_runs_says_why_its_other_tasks_wait_and_whose_turn_it_is() {
    new Agent("n1").joins("boot");
    submit(job(3, 1));
    submit(job(1, 1));
    submit(capped(5));
    Map<JobId, LiveJobProgress> seen = look(1, 2, 3);
    LiveJobProgress first = seen.get(new JobId(1));
    assertEquals(Map.of(TaskState.STARTING, 1, TaskState.WAITING, 2), first.counts());
    assertEquals(1, first.reasons().size());
    assertEquals(1, first.forecast().turn());
    assertEquals(2, seen.get(new JobId(2)).forecast().turn());
    LiveJobProgress capped = seen.get(new JobId(3));
    assertEquals(Map.of(TaskState.STARTING, 2, TaskState.WAITING, 3), capped.counts());
    assertEquals(List.of(new WaitReason.EnoughRunning(2)), capped.reasons());
    assertNull(capped.forecast());
  }

  @Test
  void a_look_at_jobs_that_run_and_of_which_no_task_waits_has_no_reasons() {
    new Agent("n1").joins("boot");
    submit(job(1, 1));
    LiveJobProgress seen = look(1).get(new JobId(1));
    assertEquals(List.of(), seen.reasons());
    assertNull(seen.forecast());
  }

  @Test
  void of_the_jobs_on_a_node_those_are_named_that_hold_what_is_short_there() {
    new Agent("n1").joins("boot");
    submit(job(1, 0));
    submit(job(1, 1));
    submit(job(1, 1));
    TestInbox<Reply<Explanation>> why = TestInbox.create();
    run(new CoordinatorQuestion.Explain(new JobId(3), why.getRef()));
    Explanation explained = ((Reply.Yes<Explanation>) why.receiveMessage()).value();
    assertEquals(List.of(new WaitReason.TooFewFreeGpus("n1", 1, 0, 1)), explained.reasons());
    assertEquals(
        List.of(new JobId(2)), explained.holders().stream().map(Explanation.Holder::job).toList());
  }

  @Test
  void how_long_a_job_has_run_is_by_the_monotonic_clock_unless_its_keeper_knows_better() {
    Agent agent = new Agent("n1").joins("boot");
    submit(job(1, 1));
    assertNull(look(1).get(new JobId(1)).ranMillis());
    agent.reports(false, running());
    clock.advance(Duration.ofSeconds(30));
    assertEquals(30_000L, look(1).get(new JobId(1)).ranMillis());
    agent.reports(false, running().with(ran(22_000)));
    assertEquals(30_000L, look(1).get(new JobId(1)).ranMillis());
    agent.reports(false, running().with(ran(3_630_000)));
    assertEquals(3_630_000L, look(1).get(new JobId(1)).ranMillis());
  }

  private static TaskUse ran(long millis) {
    return new TaskUse(millis, null, null, null, null, null);
  }

  private Map<JobId, LiveJobProgress> look(long... jobs) {
    TestInbox<Map<JobId, LiveJobProgress>> views = TestInbox.create();
    List<JobId> ids = LongStream.of(jobs).mapToObj(JobId::new).toList();
    run(new CoordinatorQuestion.LookAtJobs(ids, views.getRef()));
    return views.receiveMessage();
  }

  /** A job without GPUs of which at most two tasks run at once. */
  private static NewJob capped(int size) {
    NewJob usual = job(size, 0);
    return new NewJob(
        usual.name(),
        usual.user(),
        usual.request(),
        usual.terms().with(draft -> draft.maxRunning = 2),
        usual.tasks(),
        1,
        true,
        false,
        null,
        List.of());
  }

  private List<String> moves() {
    return follower.getAllReceived().stream()
        .filter(ClusterEvent.TaskMoved.class::isInstance)
        .map(event -> ((ClusterEvent.TaskMoved) event).change())
        .map(change -> change.attempt() + " " + change.to())
        .toList();
  }
}
