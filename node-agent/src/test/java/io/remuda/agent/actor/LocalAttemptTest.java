package io.remuda.agent.actor;

import static org.junit.jupiter.api.Assertions.assertEquals;

import io.remuda.agent.attempt.TaskFolder;
import io.remuda.agent.attempt.UninterpretedAttemptEnd;
import io.remuda.agent.keeper.EndingSignal;
import io.remuda.agent.keeper.ExitRecord;
import io.remuda.agent.keeper.ExitStatus;
import io.remuda.agent.keeper.ReachedProcesses;
import io.remuda.agent.keeper.RefusalCode;
import io.remuda.agent.keeper.SpawnAnswer;
import io.remuda.agent.keeper.TaskView;
import io.remuda.agent.keeper.ending.WayOut;
import io.remuda.agent.protocol.TaskEnd;
import io.remuda.agent.protocol.TaskReport;
import io.remuda.worker.job.AttemptId;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class LocalAttemptTest {
  private static final AttemptId ID = AttemptId.parse("1.0.1");
  private static final SpawnAnswer STARTED = new SpawnAnswer.Started(4711, 1);
  private static final ExitRecord KILLED = exit(new ExitStatus.Signal(9, false));

  @TempDir private Path folder;
  private final List<String> happened = new ArrayList<>();

  private LocalAttempt attempt() {
    LocalAttempt.Effects effects =
        new LocalAttempt.Effects() {
          @Override
          public void end(AttemptId attempt, WayOut way, EndingSignal chosen) {
            happened.add(
                "kill "
                    + attempt
                    + (way == WayOut.UNWANTED ? "" : " " + way)
                    + (chosen == null ? "" : " by " + chosen.number() + " " + chosen.reach()));
          }

          @Override
          public void changed(TaskReport report) {
            String end = report.end() == null ? "" : ": " + report.end().cause();
            happened.add(report.phase() + " " + report.pid() + end);
          }

          @Override
          public Optional<TaskEnd> readEnd(AttemptId attempt, UninterpretedAttemptEnd unread) {
            return Optional.of(unread.read(new TaskFolder(folder)));
          }
        };
    return new LocalAttempt(ID, effects);
  }

  private static ExitRecord exit(ExitStatus status) {
    return new ExitRecord("r1/n1/1.0.1", 4711, 1, status, 500, 30, 12, 1L << 20, false, false, 0);
  }

  private static TaskView view(TaskView.State state) {
    return new TaskView(
        "r1/n1/1.0.1", 99, 1, state, state == TaskView.State.EXITED ? KILLED : null);
  }

  private void assertHappened(String... all) {
    assertEquals(List.of(all), happened);
  }

  @Test
  void without_its_grace_it_is_killed_at_once_also_if_it_is_to_end_only_later() {
    LocalAttempt running = attempt();
    running.answered(STARTED);
    running.killNow();
    running.end("no longer wanted");
    assertHappened("RUNNING 4711", "kill 1.0.1 AT_ONCE", "ENDING 4711");
    happened.clear();
    LocalAttempt ending = attempt();
    ending.answered(STARTED);
    ending.end("no longer wanted");
    ending.killNow();
    assertHappened("RUNNING 4711", "kill 1.0.1", "ENDING 4711", "kill 1.0.1 AT_ONCE");
  }

  @Test
  void a_started_process_runs_until_nothing_is_left_of_it() {
    LocalAttempt attempt = attempt();
    attempt.answered(STARTED);
    attempt.exited(exit(new ExitStatus.Code(0)));
    assertHappened("RUNNING 4711", "ENDED 4711: exit code 0");
  }

  @Test
  void an_end_may_be_heard_of_before_the_start_and_counts_once() {
    LocalAttempt attempt = attempt();
    attempt.exited(KILLED);
    attempt.answered(STARTED);
    attempt.exited(exit(new ExitStatus.Code(0)));
    attempt.keeperGone("killed");
    assertHappened("ENDED 0: signal 9");
  }

  @Test
  void a_refusal_is_the_end() {
    attempt().answered(new SpawnAnswer.Refused(RefusalCode.DEVICE_BUSY, "GPU-a is held"));
    assertHappened("REFUSED 0: GPU-a is held");
  }

  @Test
  void one_that_the_keeper_knows_is_what_the_keeper_says() {
    attempt().answered(new SpawnAnswer.Known(view(TaskView.State.RUNNING)));
    attempt().known(view(TaskView.State.ENDING));
    attempt().known(view(TaskView.State.EXITED));
    assertHappened("RUNNING 99", "ENDING 99", "ENDED 99: signal 9");
  }

  @Test
  void an_unwanted_one_is_killed_once_and_its_end_says_why() {
    LocalAttempt attempt = attempt();
    attempt.answered(STARTED);
    attempt.end("no longer wanted");
    attempt.end("twice");
    attempt.exited(KILLED);
    assertHappened("RUNNING 4711", "kill 1.0.1", "ENDING 4711", "ENDED 4711: no longer wanted");
  }

  @Test
  void one_that_is_unwanted_before_it_has_begun_is_killed_as_soon_as_it_has() {
    LocalAttempt attempt = attempt();
    attempt.end("no longer wanted");
    assertHappened();
    attempt.answered(STARTED);
    assertHappened("kill 1.0.1", "ENDING 4711");
  }

  @Test
  void so_is_one_that_the_keeper_had_already() {
    LocalAttempt attempt = attempt();
    attempt.end("no longer wanted");
    attempt.answered(new SpawnAnswer.Known(view(TaskView.State.RUNNING)));
    assertHappened("RUNNING 99", "kill 1.0.1", "ENDING 99");
  }

  @Test
  void a_keeper_that_is_gone_has_ended_it() {
    LocalAttempt attempt = attempt();
    attempt.answered(STARTED);
    attempt.keeperGone("closed");
    assertHappened("RUNNING 4711", "ENDED 4711: keeper lost: closed");
  }

  @Test
  void one_that_is_to_leave_is_asked_by_its_own_signal_also_after_a_reconnect() {
    LocalAttempt attempt = attempt();
    attempt.answered(STARTED);
    attempt.end("it leaves its place", WayOut.LEAVE, new EndingSignal(10, ReachedProcesses.ALL));
    attempt.rejoined(new TaskView("r1/n1/1.0.1", 4711, 1, TaskView.State.ENDING, null));
    attempt.killNow();
    assertEquals(
        List.of(
            "RUNNING 4711",
            "kill 1.0.1 LEAVE by 10 ALL",
            "ENDING 4711",
            "kill 1.0.1 LEAVE by 10 ALL",
            "kill 1.0.1 AT_ONCE"),
        happened);
  }
}
