package io.remuda.agent.actor;

import io.remuda.agent.keeper.AdoptRequest;
import io.remuda.agent.keeper.ProcessOwner;
import io.remuda.agent.keeper.SpawnAnswer;
import io.remuda.agent.keeper.SpawnRequest;
import io.remuda.agent.keeper.TaskView;
import io.remuda.agent.protocol.CoordinatorMessage;
import io.remuda.agent.protocol.CoordinatorMessage.Desired;
import io.remuda.agent.protocol.CoordinatorMessage.Kept;
import io.remuda.agent.protocol.TaskEnd;
import io.remuda.agent.protocol.TaskOrder;
import io.remuda.agent.protocol.TaskPhase;
import io.remuda.agent.protocol.TaskReport;
import io.remuda.agent.recovery.Reconciliation;
import io.remuda.agent.recovery.Seats;
import io.remuda.agent.settings.AgentSettings;
import io.remuda.agent.settings.DiskRoom;
import io.remuda.agent.settings.OnOverUse;
import io.remuda.telemetry.model.DeviceId;
import io.remuda.telemetry.model.NodeSample;
import io.remuda.worker.job.AttemptId;
import io.remuda.worker.job.CommandWorkload;
import io.remuda.worker.job.LeaseWorkload;
import io.remuda.worker.protocol.ToWorker;
import java.io.IOException;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.TreeMap;
import java.util.function.Consumer;
import java.util.function.LongSupplier;
import java.util.stream.Collectors;
import org.apache.pekko.actor.typed.ActorRef;
import org.apache.pekko.actor.typed.Behavior;
import org.apache.pekko.actor.typed.Props;
import org.apache.pekko.actor.typed.javadsl.ActorContext;

/**
 * The attempts that this node holds: what is known of each, the seat that it waits for or has, and,
 * for a built-in worker, the actor that looks after it. Used by the node agent's actor alone.
 */
final class LocalTasks {

  private final ActorContext<NodeAgent.Command> context;
  private final NodeAgent.Parts parts;
  private final AgentSettings settings;
  private final ActorRef<KeeperPort.Command> keeper;
  private final ActorRef<OutputReader.Command> output;
  private final LeasedPrograms leased;
  private final GpuMeter meter;
  private final LongSupplier leaseMillis;
  private final Runnable changed;
  private final Consumer<Set<String>> freed;
  private final Map<AttemptId, LocalAttempt> commands = new HashMap<>();
  private final Map<AttemptId, ActorRef<JobSupervisor.Command>> workers = new HashMap<>();
  private final Map<AttemptId, TaskReport> reports = new TreeMap<>();
  private final Map<AttemptId, GpuPromise> promises = new TreeMap<>();
  private final Set<AttemptId> warned = new HashSet<>();

  /** The devices of tasks that have not all of them for good, by UUID. */
  private final Map<AttemptId, Set<String>> lent = new TreeMap<>();

  private final Seats seats = new Seats();
  private final OnOverUse onOverUse;
  private final LocalAttempt.Effects effects = new OfCommand();

  /** What a command does to the node. */
  private final class OfCommand implements LocalAttempt.Effects {
    @Override
    public void kill(AttemptId attempt) {
      keeper.tell(KeeperPort.Kill.of(attempt, settings));
    }

    @Override
    public void changed(TaskReport report) {
      LocalTasks.this.changed(report);
    }
  }

  /**
   * None yet.
   *
   * @param leased is told of the programs that hold leases
   * @param leaseMillis what is left of the lease
   * @param freed is told the UUIDs of devices of which a task has ended that had a part
   * @param changed runs when an attempt has come into another phase
   */
  LocalTasks(
      ActorContext<NodeAgent.Command> context,
      NodeAgent.Parts parts,
      ActorRef<KeeperPort.Command> keeper,
      ActorRef<OutputReader.Command> output,
      LeasedPrograms leased,
      LongSupplier leaseMillis,
      Consumer<Set<String>> freed,
      Runnable changed) {
    this.context = context;
    this.parts = parts;
    this.settings = parts.settings();
    this.keeper = keeper;
    this.output = output;
    this.leased = leased;
    this.meter = new GpuMeter(parts.sampler()::memoryUsed);
    this.onOverUse =
        OnOverUse.from(context.getSystem().settings().config().getConfig("remuda.agent"));
    this.leaseMillis = leaseMillis;
    this.freed = freed;
    this.changed = changed;
  }

  private long now() {
    return parts.nanoClock().getAsLong();
  }

  /** What is known of each attempt. */
  List<TaskReport> reports() {
    return List.copyOf(reports.values());
  }

  /** How many attempts there are to report. */
  int held() {
    return reports.size();
  }

  /** How many wait for a seat. */
  int waiting() {
    return seats.waiting();
  }

  /** Takes over what a keeper holds, and what has ended while no agent was there. */
  void adopt(List<TaskView> tasks) {
    Set<AttemptId> here = new HashSet<>();
    for (TaskView task : tasks) {
      attemptOf(task.key())
          .ifPresent(
              attempt -> {
                here.add(attempt);
                adopt(attempt, task);
              });
    }
    adoptLeases(here);
    Ends.notLearned(settings, reports.keySet())
        .forEach(report -> reports.put(report.attempt(), report));
  }

  /** A lease outlives the keeper that watched its program. */
  private void adoptLeases(Set<AttemptId> watched) {
    TaskFolder.open(settings)
        .forEach(
            (attempt, folder) -> {
              boolean over = reports.containsKey(attempt) && isOver(attempt);
              if (!watched.contains(attempt) && !over && !folder.hasExit()) {
                LeaseNote.read(folder.path()).ifPresent(note -> adopt(attempt, note));
              }
            });
  }

  private void adopt(AttemptId attempt, LeaseNote note) {
    if (!commands.containsKey(attempt)) {
      command(attempt);
      reports.put(attempt, new TaskReport(attempt, TaskPhase.RUNNING, note.pid(), null, null));
    }
    watch(attempt, note);
    letGo(attempt);
  }

  /** Has the keeper take back what a program has given back, as far as that is noted. */
  private void letGo(AttemptId attempt) {
    if (LeaseNote.givenBack(TaskFolder.of(settings, attempt).path()).isPresent()) {
      keeper.tell(new KeeperPort.Release(settings.keyPrefix() + attempt));
    }
  }

  private void watch(AttemptId attempt, LeaseNote note) {
    leased.add(attempt, note);
    ActorRef<NodeAgent.Command> agent = context.getSelf();
    keeper.tell(
        new KeeperPort.Adopt(
            new AdoptRequest(
                settings.keyPrefix() + attempt,
                note.pid(),
                note.startTicks(),
                TaskFolder.of(settings, attempt).path(),
                note.devices()),
            answer -> agent.tell(new NodeAgent.TaskAnswered(attempt, answer))));
  }

  /** The program of a lease gives its devices back; a word that comes twice changes nothing. */
  void giveBack(CoordinatorMessage.GiveBack back) {
    AttemptId attempt = back.attempt();
    TaskFolder folder = TaskFolder.of(settings, attempt);
    if (!commands.containsKey(attempt) || isOver(attempt) || !folder.isLease()) {
      return;
    }
    try {
      if (LeaseNote.givenBack(folder.path()).isEmpty()) {
        LeaseNote.giveBack(
            folder.path(), new LeaseNote.GivenBack(back.succeeded(), back.error(), back.again()));
      }
      letGo(attempt);
    } catch (IOException fault) {
      context.getLog().warn("cannot note in {}: {}", folder.path(), fault.toString());
    }
  }

  private void adopt(AttemptId attempt, TaskView task) {
    if (commands.containsKey(attempt) || workers.containsKey(attempt)) {
      return;
    }
    LeaseNote.read(TaskFolder.of(settings, attempt).path())
        .ifPresent(program -> leased.add(attempt, program));
    reports.put(attempt, new TaskReport(attempt, TaskPhase.RUNNING, task.pid(), null, null));
    if (TaskFolder.of(settings, attempt).isWorker()) {
      supervise(attempt, JobSupervisor.adopt(attempt, task, surroundings()));
    } else {
      command(attempt).known(task);
      letGo(attempt);
    }
  }

  private Optional<AttemptId> attemptOf(String key) {
    return key.startsWith(settings.keyPrefix())
        ? Optional.of(AttemptId.parse(key.substring(settings.keyPrefix().length())))
        : Optional.empty();
  }

  /** A command is left in peace: what the keeper says of it is all there is. */
  private LocalAttempt command(AttemptId id) {
    TaskFolder folder = TaskFolder.of(settings, id);
    LocalAttempt attempt = new LocalAttempt(id, folder, effects);
    commands.put(id, attempt);
    GpuPromise.read(folder.path())
        .ifPresent(
            promise -> {
              promises.put(id, promise);
              lent.put(id, Set.copyOf(promise.devices()));
            });
    return attempt;
  }

  private void supervise(AttemptId attempt, Behavior<JobSupervisor.Command> behavior) {
    Props blocking = JobSupervisor.PROPS;
    workers.put(attempt, context.spawn(behavior, "task-" + attempt, blocking));
  }

  private JobSupervisor.Surroundings surroundings() {
    return new JobSupervisor.Surroundings(settings, context.getSelf(), keeper, parts.nanoClock());
  }

  /**
   * Makes what is here equal to what should be: ends and forgets what is not wanted.
   *
   * @param mayStart whether what is new is taken in, too
   */
  void follow(Desired desired, boolean mayStart) {
    Map<AttemptId, TaskPhase> held = new HashMap<>();
    reports.forEach((attempt, report) -> held.put(attempt, report.phase()));
    Set<AttemptId> kept = new HashSet<>();
    desired.kept().forEach(task -> kept.add(task.attempt()));
    Reconciliation todo = Reconciliation.of(desired.tasks(), kept, held);
    todo.end().forEach(this::endUnwanted);
    forget(todo.forget());
    for (Kept task : desired.kept()) {
      if (reports.containsKey(task.attempt()) && !isOver(task.attempt())) {
        seats.keep(task, now());
      }
    }
    if (mayStart) {
      todo.start().forEach(this::accept);
      startDue();
    }
  }

  private boolean isOver(AttemptId attempt) {
    TaskPhase phase = reports.get(attempt).phase();
    return phase == TaskPhase.ENDED || phase == TaskPhase.REFUSED;
  }

  private void endUnwanted(AttemptId attempt) {
    if (seats.isWaiting(attempt)) {
      seats.leave(attempt);
      reports.remove(attempt);
    } else {
      end(attempt, "no longer wanted");
    }
  }

  private void accept(TaskOrder order) {
    AttemptId attempt = order.attempt();
    reports.put(attempt, new TaskReport(attempt, TaskPhase.STARTING, 0, null, null));
    seats.add(order);
  }

  /** Measures nothing any more. */
  void close() {
    meter.close();
  }

  /** Notes what tasks use of the devices. */
  void sampled(NodeSample sample) {
    meter.sampled(sample, attempt -> reports.containsKey(attempt) && !isOver(attempt));
    OverUse.in(sample, promises).forEach(this::overused);
    if (meter.isBusy() || !promises.isEmpty()) {
      parts.sampler().refreshProcesses();
    }
  }

  private void overused(OverUse over) {
    AttemptId attempt = over.attempt();
    boolean stop = over.isMissed() && onOverUse == OnOverUse.STOP;
    boolean runs = reports.get(attempt).phase() == TaskPhase.RUNNING;
    if (runs && (stop || warned.add(attempt))) {
      TaskFolder folder = TaskFolder.of(settings, attempt);
      String text = over.text() + (stop ? "; others need what it has too much" : "");
      context.getLog().warn("{} {}{}", attempt, text, stop ? ": it is ended" : "");
      try {
        if (stop) {
          folder.noteOverUse(text);
          command(attempt, LocalAttempt::endForItsFault);
        } else if (!folder.isLease()) {
          folder.warn(text);
        }
      } catch (IOException fault) {
        context.getLog().warn("cannot note in {}: {}", folder.path(), fault.toString());
      }
    }
  }

  /** Starts those whose turn it is; one that cannot be started leaves its seat to the next. */
  void startDue() {
    for (List<TaskOrder> due = seats.due(now()); !due.isEmpty(); due = seats.due(now())) {
      due.forEach(this::start);
    }
  }

  private void start(TaskOrder order) {
    AttemptId attempt = order.attempt();
    Optional<String> full = DiskRoom.shortage(settings.folder());
    if (full.isPresent()) { // what it prints could not be kept
      refuse(attempt, TaskEnd.Kind.NO_ROOM, full.get());
      return;
    }
    TaskFolder folder = TaskFolder.of(settings, attempt);
    if (order.workload() instanceof LeaseWorkload lease) {
      lend(order, lease, folder);
      return;
    }
    SpawnRequest request;
    try {
      request = spawnRequest(order, folder); // may hold a path that this locale cannot write
      folder.prepare(order, settings.cache());
    } catch (IOException | RuntimeException fault) {
      refuse(attempt, TaskEnd.Kind.CANNOT_START, "cannot prepare " + folder.path() + ": " + fault);
      return;
    }
    measure(order);
    if (folder.isWorker()) {
      supervise(attempt, JobSupervisor.start(attempt, request, surroundings()));
    } else {
      command(attempt);
      ActorRef<NodeAgent.Command> agent = context.getSelf();
      keeper.tell(
          new KeeperPort.Spawn(
              request, answer -> agent.tell(new NodeAgent.TaskAnswered(attempt, answer))));
    }
    parts.sampler().refreshProcesses();
  }

  private void measure(TaskOrder order) {
    if (order.job().request().isAuto()) {
      meter.watch(order.attempt(), order.devices());
      lent.put(
          order.attempt(),
          order.devices().stream().map(DeviceId::uuid).collect(Collectors.toUnmodifiableSet()));
    }
  }

  /** Nothing is started: the program is there. */
  private void lend(TaskOrder order, LeaseWorkload lease, TaskFolder folder) {
    AttemptId attempt = order.attempt();
    Optional<String> other =
        ProcessOwner.userOf(lease.pid()).filter(user -> !user.equals(order.user()));
    if (other.isPresent()) {
      refuse(
          attempt,
          TaskEnd.Kind.CANNOT_START,
          "process " + lease.pid() + " belongs to a task of " + other.get());
      return;
    }
    try {
      folder.prepare(order, settings.cache());
    } catch (IOException | RuntimeException fault) {
      refuse(attempt, TaskEnd.Kind.CANNOT_START, "cannot prepare " + folder.path() + ": " + fault);
      return;
    }
    measure(order);
    command(attempt);
    watch(attempt, LeaseNote.of(lease, order.devices()));
  }

  private SpawnRequest spawnRequest(TaskOrder order, TaskFolder folder) {
    return order.workload() instanceof CommandWorkload command
        ? CommandLaunch.of(order, command, folder, settings)
        : WorkerCommand.of(order, folder, settings, parts.distribution(), leaseMillis.getAsLong());
  }

  private void refuse(AttemptId attempt, TaskEnd.Kind kind, String cause) {
    seats.leave(attempt);
    reports.put(
        attempt, new TaskReport(attempt, TaskPhase.REFUSED, 0, null, TaskEnd.because(kind, cause)));
    changed.run();
  }

  /** Gives those back whose turn has not come within the time that they may wait. */
  void giveUp() {
    seats
        .giveUp(settings.timing().turn().toNanos(), now())
        .forEach(attempt -> refuse(attempt, TaskEnd.Kind.NOT_BEGUN, "its turn did not come soon"));
  }

  private void forget(List<AttemptId> attempts) {
    if (!attempts.isEmpty()) {
      keeper.tell(
          new KeeperPort.Forget(
              attempts.stream().map(attempt -> settings.keyPrefix() + attempt).toList()));
      attempts.forEach(this::forget);
    }
  }

  private void forget(AttemptId attempt) {
    reports.remove(attempt);
    commands.remove(attempt);
    leased.remove(attempt);
    promises.remove(attempt);
    lent.remove(attempt);
    warned.remove(attempt);
    meter.ended(attempt);
    ActorRef<JobSupervisor.Command> worker = workers.remove(attempt);
    if (worker != null) {
      context.stop(worker);
    }
    retire(attempt, TaskFolder.of(settings, attempt));
  }

  /** What a command has printed can still be read, elsewhere; its scratch folder goes. */
  private void retire(AttemptId attempt, TaskFolder folder) {
    if (!folder.isWorker() && folder.path().toFile().isDirectory()) {
      try {
        folder.retire(settings);
        output.tell(new OutputReader.Clean(attempt));
      } catch (IOException fault) {
        context.getLog().warn("cannot put {} away: {}", folder.path(), fault.toString());
      }
    }
  }

  /** Passes something on to a built-in worker, if there is one. */
  void tell(AttemptId attempt, ToWorker message) {
    tell(attempt, new JobSupervisor.Tell(message));
  }

  private void tell(AttemptId attempt, JobSupervisor.Command command) {
    ActorRef<JobSupervisor.Command> worker = workers.get(attempt);
    if (worker != null) {
      worker.tell(command);
    }
  }

  private void command(AttemptId attempt, Consumer<LocalAttempt> change) {
    LocalAttempt command = commands.get(attempt);
    if (command != null) {
      change.accept(command);
    }
  }

  /** Ends an attempt that has begun. */
  void end(AttemptId attempt, String cause) {
    command(attempt, command -> command.end(cause));
    tell(attempt, new JobSupervisor.End(cause));
  }

  /** The keeper has answered the order to start a command. */
  void answered(AttemptId attempt, SpawnAnswer answer) {
    command(attempt, command -> command.answered(answer));
  }

  /** The keeper says that nothing of a task is left. */
  void exited(TaskView task) {
    Optional<AttemptId> attempt = attemptOf(task.key());
    if (attempt.isPresent()) {
      command(attempt.get(), command -> command.exited(task.exit()));
      tell(attempt.get(), new JobSupervisor.Exited(task.exit()));
    }
  }

  void keeperLost(String cause) {
    List.copyOf(commands.values()).forEach(command -> command.keeperGone(cause));
    workers.values().forEach(task -> task.tell(new JobSupervisor.KeeperGone(cause)));
  }

  /**
   * Takes in news of an attempt; its end frees its seat. A phase that is another one than before is
   * told on.
   */
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
      seats.leave(attempt);
      leased.remove(attempt);
      promises.remove(attempt);
      Optional.ofNullable(lent.remove(attempt)).ifPresent(freed);
      meter.ended(attempt).ifPresent(use -> reports.put(attempt, report.with(use)));
    }
    parts.sampler().refreshProcesses();
    changed.run();
  }
}
