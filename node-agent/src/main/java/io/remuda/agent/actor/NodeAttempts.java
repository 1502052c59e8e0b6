package io.remuda.agent.actor;

import io.remuda.agent.attempt.CommandLaunch;
import io.remuda.agent.attempt.GpuPromise;
import io.remuda.agent.attempt.KeeperSurvey;
import io.remuda.agent.attempt.LeaseNote;
import io.remuda.agent.attempt.TaskFacts;
import io.remuda.agent.attempt.TaskFolder;
import io.remuda.agent.attempt.UnkillableAttempts;
import io.remuda.agent.attempt.WorkerCommand;
import io.remuda.agent.gpu.GpuMeter;
import io.remuda.agent.gpu.GpuShares;
import io.remuda.agent.gpu.LeasedPrograms;
import io.remuda.agent.keeper.SpawnAnswer;
import io.remuda.agent.keeper.SpawnRequest;
import io.remuda.agent.keeper.TaskView;
import io.remuda.agent.keeper.proc.FreeInodes;
import io.remuda.agent.keeper.proc.TransientFaults;
import io.remuda.agent.protocol.CoordinatorMessage;
import io.remuda.agent.protocol.CoordinatorMessage.Desired;
import io.remuda.agent.protocol.CoordinatorMessage.Kept;
import io.remuda.agent.protocol.StateLineage;
import io.remuda.agent.protocol.TaskEnd;
import io.remuda.agent.protocol.TaskOrder;
import io.remuda.agent.protocol.TaskPhase;
import io.remuda.agent.protocol.TaskReport;
import io.remuda.agent.recovery.Reconciliation;
import io.remuda.agent.recovery.SlotOrders;
import io.remuda.agent.settings.AgentSettings;
import io.remuda.agent.settings.DiskRoom;
import io.remuda.agent.settings.OnOverUse;
import io.remuda.telemetry.model.NodeSample;
import io.remuda.worker.job.AttemptId;
import io.remuda.worker.job.CommandWorkload;
import io.remuda.worker.job.LeasedProgramWorkload;
import io.remuda.worker.protocol.ToWorker;
import java.io.IOException;
import java.util.ArrayList;
import java.util.Collections;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.TreeMap;
import java.util.function.Consumer;
import java.util.function.LongSupplier;
import java.util.function.Supplier;
import org.apache.pekko.actor.typed.ActorRef;
import org.apache.pekko.actor.typed.javadsl.ActorContext;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * The attempts on this node: the state of each, its slot, and the supervisor of a built-in worker.
 * Used only by the node agent's actor.
 */
final class NodeAttempts {

  private static final Logger LOG = LoggerFactory.getLogger(NodeAttempts.class);
  private static final String NOT_THERE = "its keeper no longer has it";
  private static final String TURN_NOT_SOON = "its slot did not become free in time";

  private final ActorContext<NodeAgent.Command> context;
  private final ActorRef<NodeAgent.Command> self;
  private final NodeAgent.Parts parts;
  private final FileWork files;
  private final AgentSettings settings;
  private final CommandLaunch commandLaunch;
  private final ActorRef<KeeperPort.Command> keeper;
  private final ActorRef<OutputReader.Command> output;
  private final LeaseWatch leases;
  private final GpuShares gpus;
  private final LongSupplier contactMillis;
  private final Runnable changed;
  private final Map<AttemptId, LocalAttempt> commands = new HashMap<>();
  private final BuiltInWorkers workers;
  private final Map<AttemptId, TaskReport> reports = new TreeMap<>();
  private final UnkillableAttempts unkillable;

  /**
   * Refused attempts that a report has named. Other refused attempts are not forgotten, because an
   * attempt that is missing in a report may have run.
   */
  private final Set<AttemptId> told = new HashSet<>();

  private final SlotOrders slots = new SlotOrders();

  /** Attempts of another state file, which are neither ended nor forgotten. */
  private final Map<AttemptId, TaskReport.Facts> foreign = new HashMap<>();

  private StateLineage lineage = StateLineage.ALL;

  /** Number of the keeper connection on which the current task list was read. */
  private long joined = KeeperPort.NO_CONNECTION;

  /** Why no keeper can be started; empty if that did not fail. */
  private Optional<String> missing = Optional.empty();

  /** Attempts whose folders are being prepared, with the cause if they must not start any more. */
  private final Map<AttemptId, Optional<String>> preparing = new HashMap<>();

  private final LocalAttempt.Effects effects = new OfCommand();

  /** The effects of a command on the node. */
  private final class OfCommand implements LocalAttempt.Effects {
    @Override
    public void kill(AttemptId attempt, KeeperPort.Grace grace) {
      keeper.tell(KeeperPort.Kill.of(attempt, grace, settings));
    }

    @Override
    public void changed(TaskReport report) {
      NodeAttempts.this.changed(report);
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

  private interface Note {
    void write() throws IOException;
  }

  private void note(AttemptId attempt, Note note) {
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
  private void then(Runnable rest) {
    self.tell(new NodeAgent.FilesRead(rest));
  }

  /**
   * @param leased is updated with the programs that hold leases
   * @param contactMillis returns the rest of the contact deadline
   * @param freed receives the UUIDs of the devices when a task that had a part of them ends
   * @param changed runs when an attempt has changed its phase
   */
  NodeAttempts(
      ActorContext<NodeAgent.Command> context,
      NodeAgent.Parts parts,
      ActorRef<KeeperPort.Command> keeper,
      ActorRef<OutputReader.Command> output,
      LeasedPrograms leased,
      LongSupplier contactMillis,
      Consumer<Set<String>> freed,
      Runnable changed) {
    this.context = context;
    this.self = context.getSelf();
    this.parts = parts;
    this.files = parts.files();
    this.settings = parts.settings();
    this.commandLaunch = new CommandLaunch(settings);
    this.keeper = keeper;
    this.output = output;
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
    this.contactMillis = contactMillis;
    this.changed = changed;
    this.unkillable = new UnkillableAttempts(settings.keyPrefix());
  }

  private long now() {
    return parts.nanoClock().getAsLong();
  }

  /**
   * Returns the state of each attempt for a new connection; with facts for live attempts, which the
   * coordinator may not know.
   */
  List<TaskReport> introduced() {
    return reports.values().stream().map(this::withFacts).toList();
  }

  private TaskReport withFacts(TaskReport report) {
    boolean lives = report.phase() != TaskPhase.STARTING && !isOver(report.attempt());
    return lives ? report.with(TaskFacts.of(report.pid())) : report;
  }

  /** Returns the state of the coordinator's attempts, and of live foreign ones. */
  List<TaskReport> reports() {
    reports.keySet().stream().filter(this::isRefused).forEach(told::add);
    if (foreign.isEmpty()) {
      return List.copyOf(reports.values());
    }
    List<TaskReport> own = new ArrayList<>(reports.size());
    reports.forEach(
        (attempt, report) -> {
          TaskReport.Facts facts = foreign.get(attempt);
          if (facts == null) {
            own.add(report);
          } else if (!isOver(attempt)) {
            own.add(report.with(facts));
          }
        });
    return own;
  }

  /**
   * Sets the lineage of the coordinator that leads. Live attempts of other lineages are left alone
   * without a contact deadline; those that have not started do not start.
   */
  void lead(StateLineage leading) {
    lineage = leading;
    foreign.clear();
    List<String> running = new ArrayList<>();
    for (TaskReport report : List.copyOf(reports.values())) {
      AttemptId attempt = report.attempt();
      if (leading.includes(attempt)) {
        continue;
      }
      if (slots.isWaiting(attempt)) {
        slots.leave(attempt, now());
        reports.remove(attempt); // its coordinator is not connected
      } else if (report.phase() == TaskPhase.STARTING) {
        endUnwanted(attempt);
      }
      if (reports.containsKey(attempt)) {
        foreign.put(attempt, TaskFacts.of(report.pid()));
        running.add(settings.keyPrefix() + attempt);
      }
    }
    if (!running.isEmpty()) {
      context.getLog().info("{} tasks of another state file are left alone", running.size());
      keeper.tell(new KeeperPort.Renew(running, 0));
    }
  }

  /** Returns whether an attempt of another state file is live. */
  boolean hasForeign() {
    return foreign.keySet().stream().anyMatch(attempt -> !isOver(attempt));
  }

  /** Ends the attempts of the coordinator. */
  void endOwn(String cause) {
    for (AttemptId attempt : List.copyOf(reports.keySet())) {
      if (!foreign.containsKey(attempt) && !isOver(attempt)) {
        endUnwanted(attempt, cause);
      }
    }
  }

  /** Returns the number of attempts to report. */
  int held() {
    return reports.size();
  }

  /** Returns the number of attempts that wait for a slot. */
  int waiting() {
    return slots.waiting();
  }

  /** Notes that no keeper's task list is known; new tasks wait. */
  void keeperAway() {
    joined = KeeperPort.NO_CONNECTION;
  }

  /** Notes that no keeper can be started; new tasks are refused until one is joined. */
  void keeperMissing(String cause) {
    missing = Optional.of(cause);
  }

  boolean isKeeperMissing() {
    return missing.isPresent();
  }

  /**
   * Takes over the tasks of a keeper, and the ends of tasks that ended without an agent.
   *
   * @param connection connection to that keeper
   */
  void adopt(long connection, KeeperSurvey found) {
    joined = connection;
    missing = Optional.empty();
    Set<AttemptId> here = new HashSet<>();
    for (TaskView task : found.tasks()) {
      attemptOf(task.key())
          .ifPresent(
              attempt -> {
                here.add(attempt);
                adopt(attempt, task, found.folders().get(attempt));
              });
    }
    missAllBut(here);
    found
        .leases()
        .forEach(
            (attempt, lent) -> {
              boolean over = reports.containsKey(attempt) && isOver(attempt);
              if (!here.contains(attempt) && !over) {
                adopt(attempt, lent);
              }
            });
    for (TaskReport end : found.ends()) {
      if (!reports.containsKey(end.attempt())) {
        notLearned(end);
      }
    }
    lead(lineage);
  }

  private void notLearned(TaskReport report) {
    AttemptId attempt = report.attempt();
    boolean noted = report.end().kind() != TaskEnd.Kind.KEEPER_GONE;
    if (noted || !unkillable.hold(attempt, report.end().cause())) {
      reports.put(attempt, report);
      return;
    }
    reports.put(attempt, new TaskReport(attempt, TaskPhase.RUNNING, 0, null, null));
    command(attempt, false, Optional.empty()).stays(unkillable.reason(attempt));
  }

  /** Sets what cannot be killed of lost keepers; attempts that are no longer in it are over. */
  void unended(Map<String, String> reasons) {
    unkillable.take(reasons).forEach(this::keeperLost);
    unkillable.held().forEach(this::stays);
  }

  private void stays(AttemptId attempt) {
    command(attempt, command -> command.stays(unkillable.reason(attempt)));
  }

  private void adopt(AttemptId attempt, TaskView task, KeeperSurvey.SurveyedFolder folder) {
    if (commands.containsKey(attempt)) {
      commands.get(attempt).rejoined(task);
    } else if (workers.has(attempt)) {
      workers.tell(attempt, new JobSupervisor.Answered(new SpawnAnswer.Known(task)));
    } else {
      reports.put(attempt, new TaskReport(attempt, TaskPhase.RUNNING, task.pid(), null, null));
      if (folder.worker()) {
        workers.adopt(attempt, task);
      } else {
        folder.lent().ifPresent(lent -> leases.goesOn(attempt, lent));
        command(attempt, folder.lent().isPresent(), folder.promise()).known(task);
      }
    }
  }

  /** Handles attempts that a newly joined keeper does not have. */
  private void missAllBut(Set<AttemptId> here) {
    here.addAll(unkillable.held()); // of lost keepers
    for (Map.Entry<AttemptId, LocalAttempt> held : List.copyOf(commands.entrySet())) {
      if (!here.contains(held.getKey()) && !held.getValue().isOver()) {
        held.getValue().missed(NOT_THERE);
      }
    }
    workers.missAllBut(here, NOT_THERE);
  }

  /** Has the new keeper watch the program of a lease, which outlives its keeper. */
  private void adopt(AttemptId attempt, KeeperSurvey.SurveyedLease lent) {
    if (!commands.containsKey(attempt)) {
      command(attempt, true, Optional.empty());
      long pid = lent.program().pid();
      reports.put(attempt, new TaskReport(attempt, TaskPhase.RUNNING, pid, null, null));
    }
    leases.begin(attempt, lent);
  }

  /** Notes that the program of a lease gives its devices back. */
  void giveBack(CoordinatorMessage.GiveBack back) {
    AttemptId attempt = back.attempt();
    if (commands.containsKey(attempt) && !isOver(attempt)) {
      note(
          attempt,
          () -> {
            leases.note(back);
            if (TaskFolder.of(settings, attempt).isLease()) {
              then(() -> leases.letGo(attempt));
            }
          });
    }
  }

  private Optional<AttemptId> attemptOf(String key) {
    return KeeperSurvey.attemptOf(settings, key);
  }

  /** Adds a command or lease. It has no supervisor, because only the keeper reports on it. */
  private LocalAttempt command(AttemptId id, boolean lease, Optional<GpuPromise> promise) {
    LocalAttempt attempt = new LocalAttempt(id, TaskFolder.of(settings, id), lease, effects);
    commands.put(id, attempt);
    promise.ifPresent(part -> gpus.promised(id, part));
    return attempt;
  }

  /**
   * Ends and forgets attempts until they match the desired state.
   *
   * @param mayStart whether new attempts are accepted, too
   */
  void follow(Desired desired, boolean mayStart) {
    Map<AttemptId, TaskPhase> held = new HashMap<>();
    reports.forEach(
        (attempt, report) -> {
          if (!foreign.containsKey(attempt)) {
            held.put(attempt, report.phase());
          }
        });
    Set<AttemptId> kept = new HashSet<>();
    desired.kept().forEach(task -> kept.add(task.attempt()));
    Reconciliation todo = Reconciliation.of(desired.tasks(), kept, held);
    List<AttemptId> backwards = new ArrayList<>(todo.end());
    Collections.reverse(backwards); // so that ending one does not start the next of its slot
    backwards.forEach(this::endUnwanted);
    forget(
        todo.forget().stream()
            .filter(attempt -> !isRefused(attempt) || told.contains(attempt))
            .toList());
    for (Kept task : desired.kept()) {
      if (reports.containsKey(task.attempt()) && !isOver(task.attempt())) {
        slots.keep(task, now());
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

  private boolean isRefused(AttemptId attempt) {
    return reports.get(attempt).phase() == TaskPhase.REFUSED;
  }

  private void endUnwanted(AttemptId attempt) {
    endUnwanted(attempt, "no longer wanted");
  }

  private void endUnwanted(AttemptId attempt, String cause) {
    if (slots.isWaiting(attempt)) {
      refuse(attempt, TaskEnd.because(TaskEnd.Kind.NOT_BEGUN, cause));
    } else {
      end(attempt, cause);
    }
  }

  private void accept(TaskOrder order) {
    AttemptId attempt = order.attempt();
    reports.put(attempt, new TaskReport(attempt, TaskPhase.STARTING, 0, null, null));
    slots.add(order);
  }

  /** Stops all measurements. */
  void close() {
    gpus.close();
  }

  /** Evaluates the use of devices in a sample. */
  void sampled(NodeSample sample) {
    gpus.sampled(sample, attempt -> reports.containsKey(attempt) && !isOver(attempt));
    if (gpus.isBusy()) {
      parts.sampler().refreshProcesses();
    }
  }

  /** Starts the orders that have a free slot; a refused order frees its slot for the next. */
  void startDue() {
    for (List<TaskOrder> due = slots.due(now()); !due.isEmpty(); due = slots.due(now())) {
      due.forEach(this::start);
    }
  }

  /** Prepares the folder, which blocks while the disk hangs, and then starts the order. */
  private void start(TaskOrder order) {
    AttemptId attempt = order.attempt();
    preparing.put(attempt, Optional.empty());
    files.add(
        () -> prepare(order),
        fault ->
            Optional.of(
                TaskEnd.because(
                    TaskEnd.Kind.NOT_BEGUN, "its folder could not be prepared: " + fault)),
        no -> then(() -> prepared(order, no)));
  }

  /** Prepares the folder; returns why the order cannot be started, or empty. */
  private Optional<TaskEnd> prepare(TaskOrder order) {
    Optional<String> full =
        DiskRoom.shortage(settings.folder()).or(() -> FreeInodes.shortage(settings.folder()));
    if (full.isPresent()) { // its output could not be kept
      return Optional.of(TaskEnd.because(TaskEnd.Kind.NO_ROOM, full.get()));
    }
    TaskFolder folder = TaskFolder.of(settings, order.attempt());
    try {
      folder.prepare(order, settings.cache());
      return Optional.empty();
    } catch (IOException | RuntimeException fault) {
      return Optional.of(cannot(folder, fault));
    }
  }

  private static TaskEnd cannot(TaskFolder folder, Exception fault) {
    return TaskEnd.because(
        TransientFaults.isOne(fault) ? TaskEnd.Kind.NO_ROOM : TaskEnd.Kind.CANNOT_START,
        "cannot prepare " + folder.path() + ": " + fault);
  }

  private void prepared(TaskOrder order, Optional<TaskEnd> unprepared) {
    AttemptId attempt = order.attempt();
    Optional<TaskEnd> unwanted =
        preparing.remove(attempt).map(why -> TaskEnd.because(TaskEnd.Kind.NOT_BEGUN, why));
    Optional<TaskEnd> no =
        unprepared.or(() -> missing.map(why -> TaskEnd.because(TaskEnd.Kind.NO_ROOM, why)));
    if (!reports.containsKey(attempt)) {
      return; // it was forgotten meanwhile
    }
    if (unwanted.isPresent() || no.isPresent()) {
      refuse(attempt, unwanted.or(() -> no).get());
    } else if (order.workload() instanceof LeasedProgramWorkload lease) {
      lend(order, lease);
    } else {
      handOn(order);
    }
  }

  /** Sends the order to the keeper. */
  private void handOn(TaskOrder order) {
    AttemptId attempt = order.attempt();
    TaskFolder folder = TaskFolder.of(settings, attempt);
    SpawnRequest request;
    try {
      request = spawnRequest(order, folder); // a path may not be encodable in this locale
    } catch (RuntimeException fault) {
      refuse(attempt, cannot(folder, fault));
      return;
    }
    gpus.begins(order);
    if (order.workload() instanceof CommandWorkload) {
      command(attempt, false, GpuPromise.of(order));
      keeper.tell(
          new KeeperPort.Spawn(
              joined, request, answer -> self.tell(new NodeAgent.TaskAnswered(attempt, answer))));
    } else {
      workers.start(attempt, joined, request);
    }
    parts.sampler().refreshProcesses();
  }

  /** Starts a lease; its program already runs. */
  private void lend(TaskOrder order, LeasedProgramWorkload lease) {
    AttemptId attempt = order.attempt();
    Optional<String> no = LeaseWatch.refusal(order, lease);
    if (no.isPresent()) {
      refuse(attempt, TaskEnd.because(TaskEnd.Kind.CANNOT_START, no.get()));
      return;
    }
    gpus.begins(order);
    command(attempt, true, GpuPromise.of(order));
    leases.begin(
        attempt, new KeeperSurvey.SurveyedLease(LeaseNote.of(lease, order.devices()), false));
  }

  private SpawnRequest spawnRequest(TaskOrder order, TaskFolder folder) {
    return order.workload() instanceof CommandWorkload command
        ? commandLaunch.of(order, command, folder)
        : WorkerCommand.of(
            order, folder, settings, parts.distribution(), contactMillis.getAsLong());
  }

  private void refuse(AttemptId attempt, TaskEnd end) {
    slots.leave(attempt, now());
    reports.put(attempt, new TaskReport(attempt, TaskPhase.REFUSED, 0, null, end));
    changed.run();
  }

  /** Gives up attempts that have waited too long for their slot. */
  void giveUp() {
    SlotOrders.GivenUp given = slots.giveUp(settings.timing().turn().toNanos(), now());
    TaskEnd notBegun = TaskEnd.because(TaskEnd.Kind.NOT_BEGUN, TURN_NOT_SOON);
    given.here().forEach(attempt -> refuse(attempt, notBegun));
    given.handed().forEach(this::withdraw);
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
    told.remove(attempt);
    commands.remove(attempt);
    leases.ended(attempt);
    gpus.ended(attempt);
    workers.forget(attempt);
    retire(attempt, TaskFolder.of(settings, attempt));
  }

  /**
   * Moves the folder of a command, so that its output stays readable, and has its scratch folder
   * removed.
   */
  private void retire(AttemptId attempt, TaskFolder folder) {
    files.add(
        () -> {
          if (!folder.isWorker() && folder.path().toFile().isDirectory()) {
            try {
              folder.retire(settings);
              output.tell(new OutputReader.Clean(attempt));
            } catch (IOException fault) {
              LOG.warn("cannot move {} to the ended tasks: {}", folder.path(), fault.toString());
            }
          }
        });
  }

  /** Passes a message to a built-in worker; does nothing if there is none. */
  void tell(AttemptId attempt, ToWorker message) {
    workers.tell(attempt, new JobSupervisor.Tell(message));
  }

  private void command(AttemptId attempt, Consumer<LocalAttempt> change) {
    LocalAttempt command = commands.get(attempt);
    if (command != null) {
      change.accept(command);
    }
  }

  /** Kills an attempt that is ending. */
  void killNow(AttemptId attempt) {
    command(attempt, LocalAttempt::killNow);
  }

  /** Has the keeper withdraw an attempt that waits there; does nothing if it has started. */
  private void withdraw(AttemptId attempt) {
    preparing.replace(attempt, Optional.of(TURN_NOT_SOON));
    keeper.tell(new KeeperPort.Withdraw(settings.keyPrefix() + attempt));
  }

  /** Ends an attempt that has started or is about to. */
  void end(AttemptId attempt, String cause) {
    preparing.replace(attempt, Optional.of(cause));
    command(
        attempt,
        command -> {
          command.end(cause);
          if (command.phase() == TaskPhase.STARTING) {
            withdraw(attempt);
          }
        });
    workers.tell(attempt, new JobSupervisor.End(cause));
  }

  /** Applies the keeper's answer to the request to start a command. */
  void answered(AttemptId attempt, SpawnAnswer answer) {
    command(attempt, command -> command.answered(answer));
  }

  /** Handles the keeper's report that nothing of a task is left. */
  void exited(TaskView task) {
    Optional<AttemptId> attempt = attemptOf(task.key());
    if (attempt.isPresent()) {
      command(attempt.get(), command -> command.exited(task.exit()));
      workers.tell(attempt.get(), new JobSupervisor.Exited(task.exit()));
    }
  }

  /**
   * Ends the attempts of a lost keeper; those that waited there and have not started are refused.
   */
  void keeperLost(String cause) {
    List<AttemptId> behind = slots.behind();
    List<AttemptId> begun = new ArrayList<>(); // only these: others may start meanwhile
    for (AttemptId attempt : reports.keySet()) {
      if ((commands.containsKey(attempt) || workers.has(attempt)) && !isOver(attempt)) {
        begun.add(attempt);
      }
    }
    files.<List<AttemptId>>add(
        () ->
            behind.stream()
                .filter(attempt -> !TaskFolder.of(settings, attempt).mayHaveBegun())
                .toList(),
        fault -> List.of(), // any may have begun
        notBegun -> then(() -> keeperLost(cause, notBegun, begun)));
  }

  private void keeperLost(String cause, List<AttemptId> notBegun, List<AttemptId> begun) {
    for (AttemptId attempt : notBegun) {
      command(attempt, command -> command.notBegun("keeper lost: " + cause));
    }
    for (AttemptId attempt : begun) {
      boolean lives = reports.containsKey(attempt) && !isOver(attempt);
      if (lives && unkillable.hold(attempt, cause)) {
        stays(attempt);
      } else {
        keeperLost(attempt, cause);
      }
    }
  }

  private void keeperLost(AttemptId attempt, String cause) {
    command(attempt, command -> command.keeperGone(cause));
    workers.tell(attempt, new JobSupervisor.KeeperGone(cause));
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
}
