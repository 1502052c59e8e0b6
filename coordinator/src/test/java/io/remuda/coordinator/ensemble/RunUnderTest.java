package io.remuda.coordinator.ensemble;

import static org.junit.jupiter.api.Assertions.assertFalse;

import io.remuda.coordinator.actor.TelemetryPostProcessor;
import io.remuda.coordinator.api.AcceptedJobs;
import io.remuda.coordinator.api.ClusterEvent;
import io.remuda.coordinator.api.CoordinatorCommand;
import io.remuda.coordinator.api.NewJob;
import io.remuda.coordinator.api.Reply;
import io.remuda.coordinator.console.Console;
import io.remuda.coordinator.launch.RunAgents;
import io.remuda.coordinator.lifecycle.TaskState;
import io.remuda.coordinator.lifecycle.TaskTrigger;
import io.remuda.coordinator.registry.task.TaskChange;
import io.remuda.coordinator.testkit.Messages;
import io.remuda.coordinator.testkit.PlainNodes;
import io.remuda.telemetry.model.HostInfo;
import io.remuda.telemetry.testkit.ManualTicker;
import io.remuda.worker.job.AttemptId;
import io.remuda.worker.job.JobId;
import io.remuda.worker.protocol.ToWorker;
import io.remuda.worker.protocol.WorkerEvent;
import java.io.ByteArrayOutputStream;
import java.io.PrintStream;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.TreeSet;
import org.apache.pekko.actor.testkit.typed.javadsl.BehaviorTestKit;
import org.apache.pekko.actor.testkit.typed.javadsl.TestInbox;
import org.apache.pekko.actor.typed.ActorRef;
import org.apache.pekko.actor.typed.Behavior;

/** A run with two trainings and one scipy worker; what it says and tells is noted. */
final class RunUnderTest {
  /** The numbers that the jobs of the run get here, whichever is submitted first. */
  static final JobId MNIST = new JobId(1);

  static final JobId SCIPY = new JobId(2);
  static final Duration GRACE = Duration.ofSeconds(1);
  static final Duration END = Duration.ofMillis(2200);

  private final TestInbox<CoordinatorCommand> coordinator = TestInbox.create();
  private final TestInbox<TelemetryPostProcessor.Command> postProcessor = TestInbox.create();
  private final TestInbox<RunAgents.Command> localNodes = TestInbox.create();
  private final TestInbox<Ensemble.Outcome> outcome = TestInbox.create();
  private final ByteArrayOutputStream lines = new ByteArrayOutputStream();
  private final ByteArrayOutputStream notes = new ByteArrayOutputStream();
  private final Console console = Console.of(print(lines), print(notes), print(lines));
  private final BehaviorTestKit<Ensemble.Command> run;
  private final Set<String> joined = new TreeSet<>();
  private final ManualTicker ticker = new ManualTicker();
  private boolean answers = true;
  private final List<CoordinatorCommand> told = new ArrayList<>();
  private TelemetryPostProcessor.Finish finish;
  private RunAgents.End end;

  RunUnderTest(int nodes) {
    this(nodes, false);
  }

  RunUnderTest(int nodes, boolean json) {
    run =
        BehaviorTestKit.create(
            Ensemble.create(
                new Ensemble.Parts(
                    TestSettings.run(2, 1, nodes),
                    "20260101-000000-1",
                    "ann",
                    json,
                    Duration.ofSeconds(60),
                    GRACE,
                    END,
                    Duration.ofMillis(500),
                    coordinator.getRef(),
                    postProcessor.getRef(),
                    localNodes.getRef(),
                    console,
                    ticker,
                    outcome.getRef())));
    answerSubmissions(); // it follows the coordinator
  }

  private static PrintStream print(ByteArrayOutputStream stream) {
    return new PrintStream(stream, false, StandardCharsets.UTF_8);
  }

  RunUnderTest tell(Ensemble.Command command) {
    run.run(command);
    answerSubmissions();
    return this;
  }

  private void answerSubmissions() {
    for (CoordinatorCommand command : coordinator.getAllReceived()) {
      told.add(command);
      if (answers && command instanceof CoordinatorCommand.SubmitJobs submission) {
        submission
            .replyTo()
            .tell(Reply.of(AcceptedJobs.of(List.of(number(submission.jobs().get(0))))));
        run.runOne();
      }
    }
  }

  /** From now on no submission is answered. */
  RunUnderTest withoutAnswers() {
    answers = false;
    return this;
  }

  private static JobId number(NewJob pool) {
    return pool.name().equals(EnsembleJobFactory.MNIST) ? MNIST : SCIPY;
  }

  RunUnderTest happens(ClusterEvent event) {
    return tell(new Ensemble.Happened(event));
  }

  RunUnderTest joins(String node) {
    joined.add(node);
    HostInfo host = new HostInfo("h1", "a CPU", 4, 4, 1L << 33, 1L << 33);
    return happens(
        new ClusterEvent.NodeJoined(
            PlainNodes.node(node, host, List.of(), "test", Map.of(), true, false, Map.of()),
            false));
  }

  RunUnderTest silent(String node) {
    return happens(new ClusterEvent.NodeSilent(node, "closed"));
  }

  RunUnderTest closed(String node) {
    return happens(new ClusterEvent.TelemetryClosed(node));
  }

  RunUnderTest hasData() {
    return tell(new Ensemble.DataReady(Optional.empty()));
  }

  /** All nodes and the data are there. */
  RunUnderTest running(String... names) {
    hasData();
    for (String name : names) {
      joins(name);
    }
    return this;
  }

  RunUnderTest told(String attempt, long sequence, WorkerEvent event) {
    return happens(new ClusterEvent.WorkerTold(AttemptId.parse(attempt), sequence, event));
  }

  RunUnderTest ends(String attempt, TaskTrigger trigger, TaskState state, String cause) {
    return happens(
        new ClusterEvent.TaskMoved(
            new TaskChange(
                AttemptId.parse(attempt),
                TaskState.RUNNING,
                trigger,
                state,
                "n1",
                List.of(),
                cause)));
  }

  RunUnderTest succeeds(String attempt) {
    return ends(attempt, TaskTrigger.FINISHED, TaskState.SUCCEEDED, "exit code 0");
  }

  RunUnderTest trained(String attempt, double rate) {
    return told(attempt, 1, new WorkerEvent.Trained(rate, 0.25, 97.5)).succeeds(attempt);
  }

  /** The scipy worker takes every image and ends. */
  RunUnderTest convolved() {
    for (int item = 0; item < 4; item++) {
      long sequence = 2L * item + 1;
      told("2.0.1", sequence, new WorkerEvent.ItemsWanted());
      told("2.0.1", sequence + 1, new WorkerEvent.ItemsDone(item, item + 1, List.of()));
    }
    return told("2.0.1", 9, new WorkerEvent.PoolDone(4)).succeeds("2.0.1");
  }

  RunUnderTest allWorked() {
    return convolved().trained("1.1.1", 1.5).trained("1.0.1", 0.5);
  }

  /** The post-processor has printed everything. */
  RunUnderTest drained() {
    finish().replyTo().tell(new TelemetryPostProcessor.Finished(List.of()));
    run.runOne();
    answerSubmissions();
    return this;
  }

  /** So much time passes. */
  void passes(Duration time) {
    ticker.advance(time);
  }

  /** Nothing of this machine's nodes is left. */
  RunUnderTest localNodesEnded() {
    end().replyTo().tell(RunAgents.Ended.INSTANCE);
    run.runOne();
    answerSubmissions();
    return this;
  }

  /** Nothing of any node is left. */
  RunUnderTest nodesEnded() {
    localNodesEnded();
    joined.stream().filter(node -> run.isAlive()).forEach(this::silent);
    return this;
  }

  TelemetryPostProcessor.Finish finish() {
    toldToPostProcessor();
    return finish;
  }

  RunAgents.End end() {
    for (RunAgents.Command command : localNodes.getAllReceived()) {
      end = command instanceof RunAgents.End given ? given : end;
    }
    return end;
  }

  /** The messages to the post-processor as words, in order. */
  List<String> toldToPostProcessor() {
    List<String> words = new ArrayList<>();
    for (TelemetryPostProcessor.Command command : postProcessor.getAllReceived()) {
      finish = command instanceof TelemetryPostProcessor.Finish given ? given : finish;
      words.add(
          command instanceof TelemetryPostProcessor.Closed closed
              ? "closed " + closed.node()
              : command.getClass().getSimpleName());
    }
    return words;
  }

  List<CoordinatorCommand> toldToCoordinator() {
    List<CoordinatorCommand> news = List.copyOf(told);
    told.clear();
    return news;
  }

  List<RunAgents.Command> toldToLocalNodes() {
    return localNodes.getAllReceived();
  }

  /** The names of the pools. */
  List<String> submitted() {
    return toldToCoordinator().stream()
        .filter(CoordinatorCommand.SubmitJobs.class::isInstance)
        .map(command -> ((CoordinatorCommand.SubmitJobs) command).jobs().get(0).name())
        .toList();
  }

  List<ToWorker> answers() {
    return toldToCoordinator().stream()
        .filter(CoordinatorCommand.Answer.class::isInstance)
        .map(command -> ((CoordinatorCommand.Answer) command).message())
        .toList();
  }

  /** Ends the console and shows the run's lines. */
  List<String> lines() {
    console.close();
    return lines.toString(StandardCharsets.UTF_8).lines().toList();
  }

  List<String> notes() {
    console.close();
    return notes.toString(StandardCharsets.UTF_8).lines().toList();
  }

  boolean isAlive() {
    return run.isAlive();
  }

  /** What the last message has led to. */
  Behavior<Ensemble.Command> behavior() {
    return run.returnedBehavior();
  }

  ActorRef<CoordinatorCommand> coordinator() {
    return coordinator.getRef();
  }

  int exitCode() {
    assertFalse(run.isAlive(), "the run goes on");
    return outcome.receiveMessage().exitCode();
  }

  void timer(String name) {
    tell(Messages.only(Ensemble.Command.class, name));
  }
}
