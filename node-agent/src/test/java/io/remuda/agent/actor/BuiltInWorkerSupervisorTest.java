package io.remuda.agent.actor;

import static org.awaitility.Awaitility.await;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.remuda.agent.attempt.TaskFolder;
import io.remuda.agent.attempt.WorkerLaunchCommand;
import io.remuda.agent.keeper.ExitRecord;
import io.remuda.agent.keeper.ExitStatus;
import io.remuda.agent.keeper.RefusalCode;
import io.remuda.agent.keeper.SpawnAnswer;
import io.remuda.agent.keeper.SpawnRequest;
import io.remuda.agent.keeper.TaskView;
import io.remuda.agent.protocol.TaskReport;
import io.remuda.agent.settings.AgentSettings;
import io.remuda.agent.settings.Distribution;
import io.remuda.agent.testkit.Messages;
import io.remuda.agent.testkit.TestAgents;
import io.remuda.telemetry.testkit.ManualTicker;
import io.remuda.worker.job.AttemptId;
import io.remuda.worker.job.EndingTerms;
import io.remuda.worker.protocol.FromWorker;
import io.remuda.worker.protocol.ToWorker;
import io.remuda.worker.protocol.WorkerEvent;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.Comparator;
import java.util.List;
import java.util.stream.Stream;
import org.apache.pekko.actor.testkit.typed.javadsl.BehaviorTestKit;
import org.apache.pekko.actor.testkit.typed.javadsl.TestInbox;
import org.apache.pekko.actor.typed.Behavior;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

@Timeout(120)
class BuiltInWorkerSupervisorTest {
  private static final AttemptId ATTEMPT = AttemptId.parse("1.0.1");
  private static final String KEY = "r1/n1/1.0.1";
  private static final ExitRecord KILLED = exit(new ExitStatus.Signal(9, false));

  private final ManualTicker clock = new ManualTicker();
  private final TestInbox<NodeAgentCommand> agent = TestInbox.create();
  private final TestInbox<KeeperConnectionActor.Command> keeper = TestInbox.create();
  private Path root;
  private BehaviorTestKit<BuiltInWorkerSupervisor.Command> supervisor;

  @BeforeEach
  void makeFolder() throws IOException {
    root = Files.createTempDirectory(Path.of("/tmp"), "rj"); // a socket's path is short
  }

  @AfterEach
  void removeFolder() throws IOException {
    try (Stream<Path> tree = Files.walk(root)) {
      for (Path path : tree.sorted(Comparator.reverseOrder()).toList()) {
        Files.delete(path);
      }
    }
  }

  private static ExitRecord exit(ExitStatus status) {
    return new ExitRecord(KEY, 4711, 1, status, 500, 30, 12, 1L << 20, false, false, 0);
  }

  private Path folder() {
    return root.resolve("tasks/1.0.1");
  }

  private BuiltInWorkerSupervisor.Surroundings around() {
    return new BuiltInWorkerSupervisor.Surroundings(
        TestAgents.settings(root), agent.getRef(), keeper.getRef(), clock);
  }

  private KeeperConnectionActor.Spawn start() {
    AgentSettings settings = TestAgents.settings(root);
    SpawnRequest request =
        WorkerLaunchCommand.of(
            TestAgents.order("1.0.1"),
            TaskFolder.of(settings, ATTEMPT),
            settings,
            new Distribution(Path.of("/dist")),
            List.of(),
            6000);
    supervisor =
        BehaviorTestKit.create(BuiltInWorkerSupervisor.start(ATTEMPT, 1, request, around()));
    return (KeeperConnectionActor.Spawn) keeper.receiveMessage();
  }

  private void adopt(TaskView.State state) {
    ExitRecord exit = state == TaskView.State.EXITED ? KILLED : null;
    supervisor =
        BehaviorTestKit.create(
            BuiltInWorkerSupervisor.adopt(
                ATTEMPT, new TaskView(KEY, 4711, 1, state, exit), around()));
  }

  private void startRunning() {
    answer(start(), new SpawnAnswer.Started(4711, 1));
    agent.getAllReceived();
  }

  private void answer(KeeperConnectionActor.Spawn spawn, SpawnAnswer answer) {
    supervisor.run(new BuiltInWorkerSupervisor.Answered(answer));
  }

  private void check() {
    supervisor.run(Messages.only(BuiltInWorkerSupervisor.Command.class, "Check"));
  }

  /** Waits for a frame from the worker and has it acted on. */
  private void hear() {
    awaitSelfMessage();
    supervisor.runOne();
  }

  private void awaitSelfMessage() {
    await()
        .atMost(Duration.ofSeconds(10))
        .pollInterval(Duration.ofMillis(5))
        .until(() -> supervisor.selfInbox().hasMessages());
  }

  private List<String> reports() {
    return agent.getAllReceived().stream()
        .filter(NodeAgentCommand.TaskChanged.class::isInstance)
        .map(message -> ((NodeAgentCommand.TaskChanged) message).report())
        .map(BuiltInWorkerSupervisorTest::show)
        .toList();
  }

  private static String show(TaskReport report) {
    String end = report.end() == null ? "" : ": " + report.end().cause();
    return report.phase() + " " + report.pid() + end;
  }

  @Test
  void every_command_is_handled() {
    start();
    List<BuiltInWorkerSupervisor.Command> samples =
        Messages.oneOfEach(
            BuiltInWorkerSupervisor.Command.class,
            KILLED,
            new SpawnAnswer.Started(4711, 1),
            new FromWorker.Alive(1, 2, "x"),
            new ToWorker.Acknowledged(1));
    assertEquals(
        BuiltInWorkerSupervisor.Command.class.getPermittedSubclasses().length, samples.size());
    for (BuiltInWorkerSupervisor.Command sample : samples) {
      supervisor.run(sample);
      assertFalse(Behavior.isUnhandled(supervisor.returnedBehavior()), sample.toString());
    }
  }

  @Test
  void a_started_process_is_running() {
    KeeperConnectionActor.Spawn spawn = start();
    assertEquals(KEY, spawn.request().key());
    answer(spawn, new SpawnAnswer.Started(4711, 1));
    assertEquals(List.of("RUNNING 4711"), reports());
  }

  @Test
  void a_refused_process_says_why() {
    answer(start(), new SpawnAnswer.Refused(RefusalCode.DEVICE_BUSY, "GPU-a is held"));
    assertEquals(List.of("REFUSED 0: GPU-a is held"), reports());
  }

  @Test
  void a_process_that_the_keeper_knows_already_is_taken_over() {
    answer(start(), new SpawnAnswer.Known(new TaskView(KEY, 99, 1, TaskView.State.RUNNING, null)));
    assertEquals(List.of("RUNNING 99"), reports());
  }

  @Test
  void an_adopted_process_is_what_the_keeper_says() {
    adopt(TaskView.State.RUNNING);
    assertEquals(List.of("RUNNING 4711"), reports());
    adopt(TaskView.State.ENDING);
    assertEquals(List.of("ENDING 4711"), reports());
    adopt(TaskView.State.EXITED);
    assertEquals(List.of("ENDED 4711: signal 9"), reports());
  }

  @Test
  void an_exit_is_the_end_and_is_told_once() {
    startRunning();
    supervisor.run(new BuiltInWorkerSupervisor.Exited(exit(new ExitStatus.Code(0))));
    supervisor.run(new BuiltInWorkerSupervisor.Exited(KILLED));
    supervisor.run(new BuiltInWorkerSupervisor.KeeperGone("killed"));
    assertEquals(List.of("ENDED 4711: exit code 0"), reports());
  }

  @Test
  void a_keeper_that_is_gone_has_ended_its_tasks() {
    startRunning();
    supervisor.run(new BuiltInWorkerSupervisor.KeeperGone("closed"));
    assertEquals(List.of("ENDED 4711: keeper lost: closed"), reports());
  }

  @Test
  void an_unwanted_process_is_killed_by_the_keeper_and_its_end_says_why() {
    startRunning();
    supervisor.run(new BuiltInWorkerSupervisor.End("no longer wanted"));
    supervisor.run(new BuiltInWorkerSupervisor.End("no longer wanted"));
    assertEquals(
        List.of(new KeeperConnectionActor.Kill(KEY, EndingTerms.MOST_GRACE_MILLIS, null)),
        keeper.getAllReceived());
    supervisor.run(new BuiltInWorkerSupervisor.Exited(KILLED));
    assertEquals(List.of("ENDING 4711", "ENDED 4711: no longer wanted"), reports());
  }

  @Test
  void a_process_that_starts_after_it_became_unwanted_is_killed_at_once() {
    KeeperConnectionActor.Spawn spawn = start();
    supervisor.run(new BuiltInWorkerSupervisor.End("no longer wanted"));
    assertEquals(List.of(), keeper.getAllReceived());
    answer(spawn, new SpawnAnswer.Started(4711, 1));
    assertEquals(
        List.of(new KeeperConnectionActor.Kill(KEY, EndingTerms.MOST_GRACE_MILLIS, null)),
        keeper.getAllReceived());
  }

  @Test
  void a_process_known_after_it_became_unwanted_is_killed_at_once_too() {
    KeeperConnectionActor.Spawn spawn = start();
    supervisor.run(new BuiltInWorkerSupervisor.End("no longer wanted"));
    answer(spawn, new SpawnAnswer.Known(new TaskView(KEY, 99, 1, TaskView.State.RUNNING, null)));
    assertEquals(
        List.of(new KeeperConnectionActor.Kill(KEY, EndingTerms.MOST_GRACE_MILLIS, null)),
        keeper.getAllReceived());
  }

  @Test
  void events_and_progress_of_the_worker_are_passed_on() throws IOException {
    startRunning();
    try (FakeWorker worker = new FakeWorker(folder())) {
      check();
      worker.accept().says(new FromWorker.Happened(1, new WorkerEvent.Said("hello")));
      hear();
      assertEquals(
          List.of(new NodeAgentCommand.TaskHappened(ATTEMPT, 1, new WorkerEvent.Said("hello"))),
          agent.getAllReceived());
      worker.says(new FromWorker.Alive(3, 938, "epoch 1/14"));
      hear();
      NodeAgentCommand.TaskChanged changed = (NodeAgentCommand.TaskChanged) agent.receiveMessage();
      assertEquals(new TaskReport.TaskProgress(3, 938, "epoch 1/14"), changed.report().progress());
    }
  }

  @Test
  void words_for_the_worker_reach_it_once_it_is_joined() throws IOException {
    startRunning();
    supervisor.run(new BuiltInWorkerSupervisor.Tell(new ToWorker.Acknowledged(1)));
    try (FakeWorker worker = new FakeWorker(folder())) {
      check();
      worker.accept();
      supervisor.run(new BuiltInWorkerSupervisor.Tell(new ToWorker.Acknowledged(2)));
      worker.awaitHeard(new ToWorker.Acknowledged(2));
    }
  }

  @Test
  void a_worker_that_hung_up_is_joined_again() throws IOException {
    startRunning();
    try (FakeWorker worker = new FakeWorker(folder())) {
      check();
      worker.accept().hangsUp();
      hear();
      check();
      worker.accept().says(new FromWorker.Happened(1, new WorkerEvent.Said("again")));
      hear();
      assertEquals(1, agent.getAllReceived().size());
    }
  }

  @Test
  void late_news_of_an_earlier_link_leaves_the_link_that_replaced_it() throws IOException {
    startRunning();
    try (FakeWorker worker = new FakeWorker(folder())) {
      check();
      worker.accept().hangsUp();
      awaitSelfMessage(); // of the first link's end, which comes late
      supervisor.run(new BuiltInWorkerSupervisor.Tell(new ToWorker.Acknowledged(1)));
      check();
      worker.accept();
      supervisor.runOne();
      supervisor.run(new BuiltInWorkerSupervisor.Tell(new ToWorker.Acknowledged(2)));
      worker.awaitHeard(new ToWorker.Acknowledged(2));
    }
  }

  @Test
  void a_worker_that_never_speaks_is_ended_after_its_time_to_start() {
    startRunning();
    Duration limit = TestAgents.timing().workerStart();
    clock.advance(limit);
    check();
    assertFalse(keeper.hasMessages());
    clock.advance(Duration.ofMillis(1));
    check();
    assertEquals(
        List.of(new KeeperConnectionActor.Kill(KEY, EndingTerms.MOST_GRACE_MILLIS, null)),
        keeper.getAllReceived());
    supervisor.run(new BuiltInWorkerSupervisor.Exited(KILLED));
    assertTrue(reports().contains("ENDED 4711: silent for " + limit.toSeconds() + " s"));
  }

  @Test
  void a_worker_that_falls_silent_is_ended_sooner_than_one_that_starts() throws IOException {
    startRunning();
    try (FakeWorker worker = new FakeWorker(folder())) {
      check();
      worker.accept().says(new FromWorker.Alive(1, 2, "items"));
      hear();
      clock.advance(TestAgents.timing().workerSilence());
      check();
      assertFalse(keeper.hasMessages());
      clock.advance(Duration.ofMillis(1));
      check();
      assertTrue(keeper.hasMessages());
    }
  }

  @Test
  void a_process_that_is_being_ended_is_not_ended_for_silence_too() {
    startRunning();
    supervisor.run(new BuiltInWorkerSupervisor.End("no longer wanted"));
    keeper.getAllReceived();
    clock.advance(Duration.ofHours(1));
    check();
    assertFalse(keeper.hasMessages());
  }
}
