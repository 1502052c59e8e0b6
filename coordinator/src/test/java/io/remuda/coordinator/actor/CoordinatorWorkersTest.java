package io.remuda.coordinator.actor;

import static org.junit.jupiter.api.Assertions.assertEquals;

import io.remuda.agent.protocol.TaskPhase;
import io.remuda.agent.protocol.TaskReport;
import io.remuda.agent.protocol.TaskReport.TaskProgress;
import io.remuda.coordinator.api.ClusterEvent;
import io.remuda.coordinator.api.CoordinatorCommand;
import io.remuda.worker.job.AttemptId;
import io.remuda.worker.protocol.ToWorker;
import io.remuda.worker.protocol.WorkerEvent;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.Test;

/** What built-in workers and their follower tell each other through the coordinator. */
class CoordinatorWorkersTest extends WithCoordinator {

  @Test
  void events_are_acknowledged_once_more_when_they_are_repeated_and_told_on_once() {
    Agent agent = new Agent("n1").joins("boot");
    submit(job(1, 0));
    agent.news();
    follower.getAllReceived();
    agent.tells(1, new WorkerEvent.Said("hello")).tells(1, new WorkerEvent.Said("hello"));
    assertEquals(
        List.of(new ToWorker.Acknowledged(1), new ToWorker.Acknowledged(1)), agent.toFirst());
    assertEquals(
        List.of(new ClusterEvent.WorkerTold(FIRST, 1, new WorkerEvent.Said("hello"))),
        follower.getAllReceived());
  }

  @Test
  void an_event_after_a_gap_is_not_acknowledged() {
    Agent agent = new Agent("n1").joins("boot");
    submit(job(1, 0));
    agent.news();
    agent.tells(2, new WorkerEvent.Said("hello"));
    assertEquals(List.of(), agent.toFirst());
  }

  @Test
  void a_grant_is_repeated_each_tick_until_the_next_is_asked_for() {
    Agent agent = new Agent("n1").joins("boot");
    submit(job(1, 0));
    agent.tells(1, new WorkerEvent.ItemsWanted());
    agent.news();
    ToWorker granted = new ToWorker.ItemsGranted(1, 0, 8);
    run(new CoordinatorCommand.Answer(FIRST, granted));
    assertEquals(List.of(granted), agent.toFirst());
    tick();
    assertEquals(List.of(granted), agent.toFirst());
    agent.tells(2, new WorkerEvent.ItemsWanted());
    agent.news();
    tick();
    assertEquals(List.of(), agent.toFirst());
  }

  @Test
  void a_grant_ends_with_its_attempt() {
    Agent agent = new Agent("n1").joins("boot");
    submit(job(1, 0));
    agent.tells(1, new WorkerEvent.ItemsWanted());
    run(new CoordinatorCommand.Answer(FIRST, new ToWorker.ItemsGranted(1, 0, 8)));
    agent.reports(false, running()).reports(false, ended(null, 9));
    clock.advance(Duration.ofSeconds(1));
    tick();
    agent.news();
    tick();
    assertEquals(List.of(), agent.toFirst());
  }

  @Test
  void how_far_a_task_is_reaches_the_follower() {
    Agent agent = new Agent("n1").joins("boot");
    submit(job(2, 0));
    AttemptId second = AttemptId.parse("1.1.1");
    TaskProgress half = new TaskProgress(5, 10, "epoch 1/2");
    TaskProgress most = new TaskProgress(9, 10, "epoch 1/2");
    agent.reports(false, progressing(FIRST, half), progressing(second, most));
    assertEquals(
        List.of(new ClusterEvent.Progressed(Map.of(FIRST, half, second, most))), progress());
  }

  @Test
  void a_report_without_progress_tells_the_follower_of_none() {
    Agent agent = new Agent("n1").joins("boot");
    submit(job(1, 0));
    agent.reports(false, running());
    assertEquals(List.of(), progress());
  }

  @Test
  void progress_of_a_task_that_is_not_placed_does_not_reach_the_follower() {
    Agent agent = new Agent("n1").joins("boot");
    submit(job(1, 0));
    agent.reports(false, running()).reports(false, ended(null, 9));
    clock.advance(Duration.ofSeconds(1));
    tick();
    assertEquals(List.of("1.0.2"), agent.orders());
    TaskProgress half = new TaskProgress(5, 10, "epoch 1/2");
    AttemptId again = AttemptId.parse("1.0.2");
    AttemptId unknown = AttemptId.parse("7.0.1");
    agent.reports(
        false, progressing(FIRST, half), progressing(unknown, half), progressing(again, half));
    assertEquals(List.of(new ClusterEvent.Progressed(Map.of(again, half))), progress());
    agent.reports(
        false, progressing(unknown, half), new TaskReport(again, TaskPhase.RUNNING, 1, null, null));
    assertEquals(List.of(), progress());
  }

  private static TaskReport progressing(AttemptId attempt, TaskProgress progress) {
    return new TaskReport(attempt, TaskPhase.RUNNING, 4711, progress, null);
  }

  private List<ClusterEvent.Progressed> progress() {
    return follower.getAllReceived().stream()
        .filter(ClusterEvent.Progressed.class::isInstance)
        .map(ClusterEvent.Progressed.class::cast)
        .toList();
  }
}
