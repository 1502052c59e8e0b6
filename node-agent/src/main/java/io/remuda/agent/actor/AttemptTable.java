package io.remuda.agent.actor;

import io.remuda.agent.attempt.PromisedGpuMemoryNote;
import io.remuda.agent.attempt.UninterpretedAttemptEnd;
import io.remuda.agent.gpu.GpuMeter;
import io.remuda.agent.gpu.GpuShareMonitor;
import io.remuda.agent.gpu.LeaseHolderProcesses;
import io.remuda.agent.keeper.EndingSignal;
import io.remuda.agent.keeper.LiveUse;
import io.remuda.agent.keeper.ending.WayOut;
import io.remuda.agent.metric.ReportedMetrics;
import io.remuda.agent.protocol.AttemptGpuUtilization;
import io.remuda.agent.protocol.TaskEnd;
import io.remuda.agent.protocol.TaskEnd.GpuUse;
import io.remuda.agent.protocol.TaskPhase;
import io.remuda.agent.protocol.TaskReport;
import io.remuda.agent.protocol.TaskUse;
import io.remuda.agent.recovery.SlotOrderQueue;
import io.remuda.agent.settings.AgentSettings;
import io.remuda.agent.settings.OnOverUse;
import io.remuda.agent.training.Trainings;
import io.remuda.telemetry.model.NodeSample;
import io.remuda.worker.job.AttemptId;
import java.time.Clock;
import java.util.HashMap;
import java.util.Map;
import java.util.Objects;
import java.util.Optional;
import java.util.Set;
import java.util.TreeMap;
import java.util.function.Consumer;
import org.apache.pekko.actor.typed.ActorRef;
import org.apache.pekko.actor.typed.javadsl.ActorContext;

/**
 * The attempts on this node and what belongs to each: its report, its slot, its part of a device,
 * the supervisor of a built-in worker. Used only by the node agent's actor.
 */
final class AttemptTable {

  /** The keeper writes what tasks use as seldom. */
  private static final int USE_EVERY = 10;

  private final ActorContext<NodeAgentCommand> context;
  private final ActorRef<NodeAgentCommand> self;
  private final NodeAgent.Parts parts;
  private final NodeFileOperations files;
  private final AgentSettings settings;
  private final ActorRef<KeeperConnectionActor.Command> keeper;
  private final ReportPace pace;
  private final ActorRef<TelemetryActor.Command> telemetry;
  private final Map<AttemptId, LocalAttempt> commands = new HashMap<>();
  private final Map<AttemptId, TaskReport> reports = new TreeMap<>();
  private final BuiltInWorkers workers;
  private final RunningProgramLeases leases;
  private final GpuShareMonitor gpus;
  private final SlotOrderQueue slots = new SlotOrderQueue();
  private final ReportedMetrics metrics;
  private long ticks;
  private final LocalAttempt.Effects effects = new OfCommand();

  /** The effects of a command on the node. */
  private final class OfCommand implements LocalAttempt.Effects {
    @Override
    public void end(AttemptId attempt, WayOut way, EndingSignal chosen) {
      keeper.tell(KeeperConnectionActor.Kill.of(attempt, way, chosen, settings));
    }

    @Override
    public void changed(TaskReport report) {
      AttemptTable.this.changed(report);
    }

    @Override
    public Optional<TaskEnd> readEnd(AttemptId attempt, UninterpretedAttemptEnd unread) {
      metrics.end(attempt);
      files.readEnd(attempt, unread);
      return Optional.empty();
    }
  }

  /** The reaction to a task that uses too much device memory, and to one that leaves devices. */
  private final class OfOverUser implements GpuShareMonitor.Effects {
    @Override
    public void warn(AttemptId attempt, String text) {
      context.getLog().warn("{} {}", attempt, text);
      files.notes().warn(attempt, text);
    }

    @Override
    public void end(AttemptId attempt, String text) {
      if (reports.get(attempt).phase() == TaskPhase.RUNNING) { // else it is ending already
        context.getLog().warn("{} is ended: it {}", attempt, text);
        files.notes().overUse(attempt, text);
        command(attempt, LocalAttempt::endForItsFault);
      }
    }

    @Override
    public void freed(Set<String> devices) {
      telemetry.tell(new TelemetryActor.AwaitFreed(devices));
    }
  }

  /**
   * @param leased is updated with the programs that hold leases
   * @param telemetry learns of the devices that ended tasks leave
   * @param pace is told when an attempt has changed its phase
   */
  AttemptTable(
      ActorContext<NodeAgentCommand> context,
      NodeAgent.Parts parts,
      NodeFileOperations files,
      ActorRef<KeeperConnectionActor.Command> keeper,
      LeaseHolderProcesses leased,
      ActorRef<TelemetryActor.Command> telemetry,
      ReportPace pace) {
    this.context = context;
    this.self = context.getSelf();
    this.parts = parts;
    this.files = files;
    this.settings = parts.settings();
    this.keeper = keeper;
    this.workers =
        new BuiltInWorkers(
            context,
            new BuiltInWorkerSupervisor.Surroundings(
                settings, context.getSelf(), keeper, parts.nanoClock()));
    this.leases = new RunningProgramLeases(settings, keeper, leased);
    this.gpus =
        new GpuShareMonitor(
            GpuMeter.of(parts.sampler()),
            OnOverUse.from(context.getSystem().settings().config().getConfig("remuda.agent")),
            new OfOverUser());
    this.metrics =
        new ReportedMetrics(
            settings,
            parts.files(),
            parts.nanoClock(),
            Clock.systemUTC(),
            message -> self.tell(new NodeAgentCommand.MetricsRead(message)));
    this.pace = pace;
    this.telemetry = telemetry;
  }

  BuiltInWorkers workers() {
    return workers;
  }

  RunningProgramLeases leases() {
    return leases;
  }

  GpuShareMonitor gpus() {
    return gpus;
  }

  /** Returns what the programs of attempts report. */
  ReportedMetrics metrics() {
    return metrics;
  }

  /** Has read what running attempts report, and in every tenth call what they use. */
  void look() {
    if (!reports.isEmpty() || metrics.isPending()) {
      metrics.look(
          commands.keySet().stream()
              .filter(attempt -> lives(attempt) && reports.get(attempt).pid() != 0)
              .toList());
    }
    if (++ticks % USE_EVERY == 0 && !reports.isEmpty()) {
      files.readUse();
    }
  }

  SlotOrderQueue slots() {
    return slots;
  }

  NodeFileOperations files() {
    return files;
  }

  /** Returns the trainings among the attempts. */
  Trainings trainings() {
    return files.trainings();
  }

  AgentSettings settings() {
    return settings;
  }

  /** Returns the supervised commands and leases by attempt. */
  Map<AttemptId, LocalAttempt> commands() {
    return commands;
  }

  /** Returns the report of each attempt, by number. */
  Map<AttemptId, TaskReport> reports() {
    return reports;
  }

  /** Returns the current time on the monotonic clock in nanoseconds. */
  long now() {
    return parts.nanoClock().getAsLong();
  }

  boolean has(AttemptId attempt) {
    return reports.containsKey(attempt);
  }

  /** Returns whether the attempt is there and has not ended. */
  boolean lives(AttemptId attempt) {
    return has(attempt) && !isOver(attempt);
  }

  /** Returns whether an attempt has ended or was refused. */
  boolean isOver(AttemptId attempt) {
    TaskPhase phase = reports.get(attempt).phase();
    return phase == TaskPhase.ENDED || phase == TaskPhase.REFUSED;
  }

  /** Adds a command or lease. It has no supervisor, because only the keeper reports on it. */
  LocalAttempt command(AttemptId id, boolean lease, Optional<PromisedGpuMemoryNote> promise) {
    LocalAttempt attempt =
        new LocalAttempt(id, lease, trainings().progress(id).orElse(null), effects);
    commands.put(id, attempt);
    promise.ifPresent(part -> gpus.promised(id, part));
    return attempt;
  }

  /** Applies a change to a command or lease; does nothing if there is none. */
  void command(AttemptId attempt, Consumer<LocalAttempt> change) {
    LocalAttempt command = commands.get(attempt);
    if (command != null) {
      change.accept(command);
    }
  }

  /** Reports that an attempt does not start, and frees its slot. */
  void refuse(AttemptId attempt, TaskEnd end) {
    slots.leave(attempt, now());
    reports.put(attempt, new TaskReport(attempt, TaskPhase.REFUSED, 0, null, end));
    tellNews();
  }

  /** Coalesces all changes queued before {@link NodeAgentCommand.News} into one report. */
  private void tellNews() {
    if (pace.changed()) {
      self.tell(NodeAgentCommand.News.INSTANCE);
    }
  }

  /** Stores the new state of an attempt and reports a new phase; the end frees its slot. */
  void changed(TaskReport report) {
    AttemptId attempt = report.attempt();
    TaskReport before = reports.get(attempt);
    if (before == null) {
      return; // forgotten already
    }
    reports.put(attempt, report);
    if (before.phase() == report.phase()) {
      if (!Objects.equals(before.training(), report.training())) {
        tellNews();
      }
      return;
    }
    if (isOver(attempt)) {
      trainings().ended(attempt);
      slots.leave(attempt, now());
      leases.ended(attempt);
      AttemptGpuUtilization load = gpus.loadEnded(attempt).orElse(null);
      GpuUse use = gpus.ended(attempt).orElse(null);
      if (use != null || load != null) {
        reports.put(attempt, report.with(use, load));
      }
    }
    parts.sampler().refreshProcesses();
    tellNews();
  }

  /** Evaluates the use of devices in a sample. */
  void sampled(NodeSample sample) {
    gpus.sampled(sample, attempt -> reports.containsKey(attempt) && !isOver(attempt));
    if (gpus.isBusy()) {
      parts.sampler().refreshProcesses();
    }
  }

  /** Adds to the report of a running attempt what it has used so far. */
  void used(AttemptId attempt, LiveUse use) {
    TaskReport report = reports.get(attempt);
    if (report != null && report.phase() == TaskPhase.RUNNING) {
      reports.put(
          attempt,
          report.with(
              new TaskUse(
                  use.ranMillis(),
                  use.cpuMillis(),
                  use.residentBytes(),
                  use.peakBytes() == 0 ? null : use.peakBytes(),
                  gpus.soFar(attempt).map(GpuUse::peakBytes).orElse(null),
                  gpus.loadSoFar(attempt).orElse(null))));
    }
  }

  /** Has the processes that use devices looked at soon, since some have begun or ended. */
  void refreshProcesses() {
    parts.sampler().refreshProcesses();
  }

  /** Removes an attempt; its folder is left. */
  void remove(AttemptId attempt) {
    reports.remove(attempt);
    commands.remove(attempt);
    leases.ended(attempt);
    gpus.ended(attempt);
    gpus.loadEnded(attempt);
    trainings().ended(attempt);
    workers.forget(attempt);
  }
}
