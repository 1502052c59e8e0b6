package io.remuda.agent.actor;

import io.remuda.agent.attempt.FileWork;
import io.remuda.agent.keeper.TaskView;
import io.remuda.agent.keeper.join.KeeperProcesses;
import io.remuda.agent.protocol.AgentMessage;
import io.remuda.agent.protocol.CoordinatorMessage;
import io.remuda.agent.protocol.MachineFacts;
import io.remuda.agent.protocol.NodeAddressAndPorts;
import io.remuda.agent.protocol.TaskEnd;
import io.remuda.agent.protocol.TaskPhase;
import io.remuda.agent.protocol.TaskReport;
import io.remuda.agent.protocol.TaskStartOrder;
import io.remuda.agent.settings.AgentSettings;
import io.remuda.agent.settings.Distribution;
import io.remuda.agent.testkit.Messages;
import io.remuda.agent.testkit.TestAgents;
import io.remuda.telemetry.machine.DeviceSources;
import io.remuda.telemetry.model.HostSample;
import io.remuda.telemetry.model.NodeSample;
import io.remuda.telemetry.source.DeviceSource;
import io.remuda.telemetry.source.TelemetrySampler;
import io.remuda.telemetry.testkit.FixedHost;
import io.remuda.telemetry.testkit.ManualTicker;
import io.remuda.worker.job.AttemptId;
import io.remuda.worker.job.WorkerOrder;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.stream.Stream;
import org.apache.pekko.actor.testkit.typed.javadsl.BehaviorTestKit;
import org.apache.pekko.actor.testkit.typed.javadsl.TestInbox;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.io.TempDir;

/** A test with an agent alone: what its children would be told is looked at. */
abstract class WithNodeAgent {
  static final AttemptId FIRST = AttemptId.parse("1.0.1");
  static final NodeSample SAMPLE =
      new NodeSample(
          "n1", 1, 0, new HostSample(0.5, 0, 0, null, 4, 1L << 33, 1L << 32, 0L), List.of());

  /** Files that take no time. */
  static final FileWork AT_ONCE =
      new FileWork() {
        @Override
        public void add(Runnable work) {
          work.run();
        }

        @Override
        public Duration busy() {
          return Duration.ZERO;
        }

        @Override
        public void close() {}
      };

  @TempDir Path folder;
  final ManualTicker clock = new ManualTicker();
  final AtomicBoolean refused = new AtomicBoolean();
  private final DeviceSource devices = DeviceSources.simulated("h200:2", "n1");
  private final TelemetrySampler sampler =
      TelemetrySampler.start(devices, new FixedHost(), Duration.ofSeconds(1), "n1");
  BehaviorTestKit<NodeAgentCommand> agent;

  @AfterEach
  void close() {
    sampler.close();
  }

  void start(AgentSettings settings) {
    agent = BehaviorTestKit.create(NodeAgent.create(parts(settings)));
    settle();
  }

  NodeAgent.Parts parts(AgentSettings settings) {
    Distribution distribution = new Distribution(Path.of("/dist"));
    return new NodeAgent.Parts(
        settings,
        distribution,
        new KeeperProcesses(settings, distribution),
        sampler,
        new FixedHost().info(),
        MachineFacts.of(new FixedHost().info(), "boot/1"),
        "simulated",
        Map.of("zone", "a"),
        Map.of(),
        NodeAddressAndPorts.LOOPBACK,
        files(),
        clock,
        refused);
  }

  FileWork files() {
    return AT_ONCE;
  }

  void startLaunched() {
    start(TestAgents.settings(folder));
  }

  /** An agent whose keeper is there with these tasks and whose coordinator has welcomed it. */
  void startWelcomed(TaskView... held) {
    startLaunched();
    run(new NodeAgentCommand.KeeperReady(1, List.of(held)));
    welcome();
    toCoordinator();
  }

  /** Runs a message, and those that the agent then sends to itself. */
  void run(NodeAgentCommand command) {
    agent.run(command);
    settle();
  }

  void welcome() {
    agent.run(new NodeAgentCommand.LinkUp("127.0.0.1"));
    hears(new CoordinatorMessage.Welcome(1, 6000, 500));
  }

  void hears(CoordinatorMessage message) {
    run(new NodeAgentCommand.FromCoordinator(message));
  }

  void wants(long revision, TaskStartOrder... orders) {
    hears(new CoordinatorMessage.Desired(1, revision, false, List.of(orders)));
  }

  void tick() {
    agent.run(Messages.only(NodeAgentCommand.class, "Tick"));
  }

  void changes(String attempt, TaskPhase phase) {
    TaskEnd end =
        phase == TaskPhase.ENDED ? TaskEnd.because(TaskEnd.Kind.BY_ITSELF, "it ended") : null;
    agent.run(
        new NodeAgentCommand.TaskChanged(
            new TaskReport(AttemptId.parse(attempt), phase, 4711, null, end)));
    settle();
  }

  /** What the agent has told itself arrives. */
  void settle() {
    while (agent.isAlive() && agent.selfInbox().hasMessages()) {
      agent.runOne();
    }
  }

  /** What an earlier agent has left of a built-in worker; without it an attempt is a command. */
  void makeWorker(String attempt) throws IOException {
    Path task = Files.createDirectories(folder.resolve("tasks").resolve(attempt));
    Files.writeString(task.resolve(WorkerOrder.FILE), "{}");
  }

  static TaskView view(String key) {
    return new TaskView(key, 4711, 1, TaskView.State.RUNNING, null);
  }

  List<AgentMessage> toCoordinator() {
    TestInbox<CoordinatorLink.Command> inbox = agent.childInbox("coordinator");
    List<AgentMessage> messages = new ArrayList<>();
    for (CoordinatorLink.Command command : inbox.getAllReceived()) {
      if (command instanceof CoordinatorLink.Send send) {
        messages.add(send.message());
      }
    }
    return messages;
  }

  /** The time passes after which changes are reported that were put off. */
  void reportDue() {
    if (agent.isAlive()) {
      run(Messages.only(NodeAgentCommand.class, "ReportDue"));
    }
  }

  /** The newest report since the last look, or that which is due soon; null if there is none. */
  AgentMessage.Report report() {
    return newestReport()
        .or(
            () -> {
              reportDue();
              return newestReport();
            })
        .orElse(null);
  }

  private Optional<AgentMessage.Report> newestReport() {
    return toCoordinator().stream()
        .filter(AgentMessage.Report.class::isInstance)
        .map(AgentMessage.Report.class::cast)
        .reduce((one, two) -> two);
  }

  static List<String> tasks(List<TaskReport> reports) {
    return reports.stream().map(task -> task.attempt() + " " + task.phase()).toList();
  }

  /** Returns what the keeper was told, each start by itself. */
  List<KeeperConnectionActor.Command> toKeeper() {
    return toldKeeper().stream()
        .flatMap(
            word ->
                word instanceof KeeperConnectionActor.SpawnAll all
                    ? all.spawns().stream()
                    : Stream.of(word))
        .toList();
  }

  List<KeeperConnectionActor.Command> toldKeeper() {
    return agent.<KeeperConnectionActor.Command>childInbox("keeper").getAllReceived();
  }

  List<TelemetryActor.Command> toTelemetry() {
    return agent.<TelemetryActor.Command>childInbox("telemetry").getAllReceived();
  }

  List<BuiltInWorkerSupervisor.Command> toTask(String attempt) {
    return agent.<BuiltInWorkerSupervisor.Command>childInbox("task-" + attempt).getAllReceived();
  }
}
