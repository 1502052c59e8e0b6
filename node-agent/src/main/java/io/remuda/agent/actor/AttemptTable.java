package io.remuda.agent.actor;

import io.remuda.agent.attempt.GpuPromise;
import io.remuda.agent.attempt.TaskFolder;
import io.remuda.agent.gpu.GpuMeter;
import io.remuda.agent.gpu.GpuShares;
import io.remuda.agent.gpu.LeasedPrograms;
import io.remuda.agent.protocol.TaskEnd;
import io.remuda.agent.protocol.TaskPhase;
import io.remuda.agent.protocol.TaskReport;
import io.remuda.agent.recovery.SlotOrders;
import io.remuda.agent.settings.AgentSettings;
import io.remuda.agent.settings.OnOverUse;
import io.remuda.telemetry.model.NodeSample;
import io.remuda.worker.job.AttemptId;
import java.io.IOException;
import java.util.HashMap;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.TreeMap;
import java.util.function.Consumer;
import java.util.function.Supplier;
import org.apache.pekko.actor.typed.ActorRef;
import org.apache.pekko.actor.typed.javadsl.ActorContext;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * The attempts on this node and what belongs to each: its report, its slot, its part of a device,
 * the supervisor of a built-in worker. Used only by the node agent's actor.
 */
final class AttemptTable {

  private static final Logger LOG = LoggerFactory.getLogger(AttemptTable.class);

  private final ActorContext<NodeAgentCommand> context;
  private final ActorRef<NodeAgentCommand> self;
  private final NodeAgent.Parts parts;
  private final FileWork files;
  private final AgentSettings settings;
  private final ActorRef<KeeperPort.Command> keeper;
  private final Runnable changed;
  private final Map<AttemptId, LocalAttempt> commands = new HashMap<>();
  private final Map<AttemptId, TaskReport> reports = new TreeMap<>();
  private final BuiltInWorkers workers;
  private final LeaseWatch leases;
  private final GpuShares gpus;
  private final SlotOrders slots = new SlotOrders();
  private final LocalAttempt.Effects effects = new OfCommand();

  /** The effects of a command on the node. */
  private final class OfCommand implements LocalAttempt.Effects {
    @Override
    public void kill(AttemptId attempt, KeeperPort.Grace grace) {
      keeper.tell(KeeperPort.Kill.of(attempt, grace, settings));
    }

    @Override
    public void changed(TaskReport report) {
      AttemptTable.this.changed(report);
    }

    @Override
    public void readEnd(Supplier<TaskEnd> read, Consumer<TaskEnd> then) {
      files.add(
          read,
          fault -> TaskEnd.because(TaskEnd.Kind.KEEPER_GONE, "its end could not be read: " + fault),
          end -> then(() -> then.accept(end)));
    }
  }

  /** The reaction to a task that uses too much device memory. */
  private final class OfOverUser implements GpuShares.Effects {
    @Override
    public void warn(AttemptId attempt, String text) {
      context.getLog().warn("{} {}", attempt, text);
      TaskFolder folder = TaskFolder.of(settings, attempt);
      note(
          attempt,
          () -> {
            if (!folder.isLease()) {
              folder.warn(text);
            }
          });
    }

    @Override
    public void end(AttemptId attempt, String text) {
      if (reports.get(attempt).phase() == TaskPhase.RUNNING) { // else it is ending already
        context.getLog().warn("{} is ended: it {}", attempt, text);
        note(attempt, () -> TaskFolder.of(settings, attempt).noteOverUse(text));
        command(attempt, LocalAttempt::endForItsFault);
      }
    }
  }

  /** A note in the folder of an attempt. */
  interface Note {
    void write() throws IOException;
  }

  /** Writes a note to an attempt's folder, off the actor's thread. */
  void note(AttemptId attempt, Note note) {
    files.add(
        () -> {
          try {
            note.write();
          } catch (IOException fault) {
            LOG.warn("cannot write a note to the folder of {}: {}", attempt, fault.toString());
          }
        });
  }

  /** Runs this on the actor's thread after file work. */
  void then(Runnable rest) {
    self.tell(new NodeAgentCommand.FilesRead(rest));
  }

  /**
   * @param leased is updated with the programs that hold leases
   * @param freed receives the UUIDs of the devices when a task that had a part of them ends
   * @param changed runs when an attempt has changed its phase
   */
  AttemptTable(
      ActorContext<NodeAgentCommand> context,
      NodeAgent.Parts parts,
      ActorRef<KeeperPort.Command> keeper,
      LeasedPrograms leased,
      Consumer<Set<String>> freed,
      Runnable changed) {
    this.context = context;
    this.self = context.getSelf();
    this.parts = parts;
    this.files = parts.files();
    this.settings = parts.settings();
    this.keeper = keeper;
    this.workers =
        new BuiltInWorkers(
            context,
            new JobSupervisor.Surroundings(settings, context.getSelf(), keeper, parts.nanoClock()));
    this.leases = new LeaseWatch(settings, keeper, context.getSelf(), leased);
    this.gpus =
        new GpuShares(
            new GpuMeter(parts.sampler()::memoryUsed),
            OnOverUse.from(context.getSystem().settings().config().getConfig("remuda.agent")),
            freed,
            new OfOverUser());
    this.changed = changed;
  }

  BuiltInWorkers workers() {
    return workers;
  }

  LeaseWatch leases() {
    return leases;
  }

  GpuShares gpus() {
    return gpus;
  }

  SlotOrders slots() {
    return slots;
  }

  FileWork files() {
    return files;
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

  /** Returns whether an attempt was refused. */
  boolean isRefused(AttemptId attempt) {
    return reports.get(attempt).phase() == TaskPhase.REFUSED;
  }

  /** Adds a command or lease. It has no supervisor, because only the keeper reports on it. */
  LocalAttempt command(AttemptId id, boolean lease, Optional<GpuPromise> promise) {
    LocalAttempt attempt = new LocalAttempt(id, TaskFolder.of(settings, id), lease, effects);
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
    changed.run();
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
      return;
    }
    if (isOver(attempt)) {
      slots.leave(attempt, now());
      leases.ended(attempt);
      gpus.ended(attempt).ifPresent(use -> reports.put(attempt, report.with(use)));
    }
    parts.sampler().refreshProcesses();
    changed.run();
  }

  /** Evaluates the use of devices in a sample. */
  void sampled(NodeSample sample) {
    gpus.sampled(sample, attempt -> reports.containsKey(attempt) && !isOver(attempt));
    if (gpus.isBusy()) {
      parts.sampler().refreshProcesses();
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
    workers.forget(attempt);
  }
}
