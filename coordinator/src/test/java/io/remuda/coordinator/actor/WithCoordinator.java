package io.remuda.coordinator.actor;

import io.remuda.agent.protocol.AgentMessage;
import io.remuda.agent.protocol.BuildVersion;
import io.remuda.agent.protocol.CoordinatorMessage;
import io.remuda.agent.protocol.TaskEnd;
import io.remuda.agent.protocol.TaskPhase;
import io.remuda.agent.protocol.TaskReport;
import io.remuda.agent.protocol.TaskStartOrder;
import io.remuda.agent.protocol.WireMessage;
import io.remuda.coordinator.api.AcceptedJobs;
import io.remuda.coordinator.api.ClusterEvent;
import io.remuda.coordinator.api.CoordinatorCommand;
import io.remuda.coordinator.api.MessageToAgentSession;
import io.remuda.coordinator.api.NewJob;
import io.remuda.coordinator.api.ReferencedStoredJobs;
import io.remuda.coordinator.api.Reply;
import io.remuda.coordinator.registry.policy.LiveJobLimits;
import io.remuda.coordinator.registry.policy.RetryPolicy;
import io.remuda.coordinator.registry.policy.SchedulingSettings;
import io.remuda.coordinator.settings.NoticeSettings;
import io.remuda.coordinator.status.RunNodesStatus;
import io.remuda.coordinator.testkit.Messages;
import io.remuda.telemetry.model.DeviceId;
import io.remuda.telemetry.model.DeviceInfo;
import io.remuda.telemetry.model.DeviceVendor;
import io.remuda.telemetry.model.HostInfo;
import io.remuda.telemetry.model.HostSample;
import io.remuda.telemetry.model.NodeSample;
import io.remuda.telemetry.testkit.ManualTicker;
import io.remuda.worker.job.AttemptId;
import io.remuda.worker.job.ConvolutionWorkload;
import io.remuda.worker.job.JobId;
import io.remuda.worker.job.JobTerms;
import io.remuda.worker.job.PlacementPolicy;
import io.remuda.worker.job.ResourceRequest;
import io.remuda.worker.job.Workload;
import io.remuda.worker.protocol.ToWorker;
import io.remuda.worker.protocol.WorkerEvent;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import java.util.stream.Stream;
import org.apache.pekko.actor.testkit.typed.javadsl.BehaviorTestKit;
import org.apache.pekko.actor.testkit.typed.javadsl.TestInbox;
import org.junit.jupiter.api.BeforeEach;

/** A test with a coordinator alone: what nodes and its audience would be told is looked at. */
abstract class WithCoordinator {
  private static final Coordinator.Settings SETTINGS =
      new Coordinator.Settings(
          "run",
          3,
          Duration.ofSeconds(6),
          Duration.ofSeconds(1),
          Duration.ofMillis(500),
          new RetryPolicy(
              20, 3, Duration.ofMillis(100), Duration.ofSeconds(2), Duration.ofSeconds(10)),
          new SchedulingSettings(
              Duration.ofMinutes(1), Duration.ofHours(24), Duration.ofMinutes(5), Duration.ZERO),
          Duration.ofDays(1),
          LiveJobLimits.NONE,
          NoticeSettings.USUAL);
  static final AttemptId FIRST = AttemptId.parse("1.0.1");

  final ManualTicker clock = new ManualTicker();
  final TestInbox<TelemetryPostProcessor.Command> postProcessor = TestInbox.create();
  final TestInbox<EventFileAppender.Command> eventLog = TestInbox.create();
  final TestInbox<RunNodesStatus> status = TestInbox.create();
  final TestInbox<ClusterEvent> follower = TestInbox.create();
  final TestInbox<Coordinator.Ended> guardian = TestInbox.create();
  final MemoryLog log = new MemoryLog();
  final BehaviorTestKit<CoordinatorCommand> coordinator =
      BehaviorTestKit.create(Coordinator.create(SETTINGS, clock, subscribers(), log.durable()));

  Coordinator.Subscribers subscribers() {
    return new Coordinator.Subscribers(
        postProcessor.getRef(), eventLog.getRef(), status.getRef(), guardian.getRef());
  }

  /** Runs a command, and the messages that the coordinator then sends to itself. */
  void run(CoordinatorCommand command) {
    coordinator.run(command);
    while (coordinator.selfInbox().hasMessages()) {
      coordinator.runOne();
    }
  }

  @BeforeEach
  void follow() {
    clock.advance(Duration.ofSeconds(5));
    run(new CoordinatorCommand.Follow(follower.getRef()));
  }

  /** A node's connection as the coordinator sees it. */
  final class Agent {
    private final String node;
    final TestInbox<MessageToAgentSession> session = TestInbox.create();
    private CoordinatorMessage.Desired desired =
        new CoordinatorMessage.Desired(3, 0, false, List.of());

    Agent(String node) {
      this.node = node;
    }

    Agent joins(String boot, TaskReport... tasks) {
      run(
          new CoordinatorCommand.AgentJoined(
              hello(node, boot, List.of(tasks)), session.getRef(), "127.0.0.1"));
      return this;
    }

    Agent says(AgentMessage message) {
      run(new CoordinatorCommand.AgentSaid(node, session.getRef(), message));
      return this;
    }

    Agent reports(boolean sampling, TaskReport... tasks) {
      return says(new AgentMessage.Report(revision(), sampling, List.of(tasks)));
    }

    Agent tells(long sequence, WorkerEvent event) {
      return says(new AgentMessage.TaskHappened(FIRST, sequence, event));
    }

    void goes() {
      run(new CoordinatorCommand.AgentGone(node, session.getRef(), "closed"));
    }

    /** What came since the last look. */
    List<CoordinatorMessage> news() {
      List<CoordinatorMessage> news = new ArrayList<>();
      for (MessageToAgentSession command : session.getAllReceived()) {
        if (command instanceof MessageToAgentSession.Send send) {
          news.add(send.message());
          desired = send.message() instanceof CoordinatorMessage.Desired next ? next : desired;
        }
      }
      return news;
    }

    /** The newest order. */
    CoordinatorMessage.Desired desired() {
      news();
      return desired;
    }

    long revision() {
      return desired().revision();
    }

    List<String> orders() {
      CoordinatorMessage.Desired all = desired();
      return Stream.concat(
              all.tasks().stream().map(TaskStartOrder::attempt),
              all.kept().stream().map(CoordinatorMessage.Kept::attempt))
          .sorted()
          .map(AttemptId::toString)
          .toList();
    }

    List<ToWorker> toFirst() {
      return news().stream()
          .filter(CoordinatorMessage.ToTask.class::isInstance)
          .map(CoordinatorMessage.ToTask.class::cast)
          .map(CoordinatorMessage.ToTask::message)
          .toList();
    }
  }

  static AgentMessage.Hello hello(String node, String boot, List<TaskReport> tasks) {
    DeviceInfo device =
        new DeviceInfo(
            new DeviceId("GPU-" + node), 0, DeviceVendor.SIMULATED, "H200", null, 0, null);
    return new AgentMessage.Hello(
        node,
        boot,
        WireMessage.PROTOCOL_VERSION,
        BuildVersion.VERSION,
        12,
        new HostInfo(node, "a CPU", 4, 4, 1L << 33, 1L << 33),
        List.of(device),
        "test",
        tasks);
  }

  static NewJob job(int size, int gpus) {
    List<Workload> tasks = Collections.nCopies(size, new ConvolutionWorkload(4, 1));
    return new NewJob(
        "job",
        "ann",
        new ResourceRequest(0, gpus),
        JobTerms.placed(PlacementPolicy.ROUND_ROBIN),
        tasks,
        1,
        true,
        false,
        null,
        List.of());
  }

  static TaskReport running() {
    return new TaskReport(FIRST, TaskPhase.RUNNING, 4711, null, null);
  }

  static TaskReport ended(Integer code, Integer signal) {
    TaskEnd end = new TaskEnd(TaskEnd.Kind.BY_ITSELF, code, signal, "it ended", null, null, null);
    return new TaskReport(FIRST, TaskPhase.ENDED, 0, null, end);
  }

  /** The next job, whose number is one above that of the last. */
  void submit(NewJob job) {
    run(
        new CoordinatorCommand.SubmitJobs(
            List.of(job),
            ReferencedStoredJobs.NONE,
            new CoordinatorCommand.Caller(job.user(), false),
            TestInbox.<Reply<AcceptedJobs>>create().getRef()));
  }

  void cancel(long job) {
    change(job, CoordinatorCommand.Action.CANCEL);
  }

  void change(long job, CoordinatorCommand.Action action) {
    run(
        new CoordinatorCommand.ChangeJob(
            new JobId(job),
            null,
            action,
            new CoordinatorCommand.Caller("ann", false),
            TestInbox.<Reply<JobId>>create().getRef()));
  }

  void tick() {
    run(Messages.only(CoordinatorCommand.class, "Tick"));
  }

  static NodeSample sample(String node) {
    HostSample host = new HostSample(0.17, 0, 0, null, 4, 1L << 33, 1L << 32, 0L);
    return new NodeSample(node, 1, 0, host, List.of());
  }
}
