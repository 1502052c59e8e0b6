package io.remuda.agent.actor;

import io.remuda.agent.attempt.CommandLaunch;
import io.remuda.agent.attempt.GpuPromise;
import io.remuda.agent.attempt.KeeperSurvey;
import io.remuda.agent.attempt.LeaseNote;
import io.remuda.agent.attempt.TaskFolder;
import io.remuda.agent.attempt.WorkerCommand;
import io.remuda.agent.keeper.SpawnRequest;
import io.remuda.agent.keeper.proc.FreeInodes;
import io.remuda.agent.keeper.proc.TransientFaults;
import io.remuda.agent.protocol.TaskEnd;
import io.remuda.agent.protocol.TaskOrder;
import io.remuda.agent.protocol.TaskPhase;
import io.remuda.agent.protocol.TaskReport;
import io.remuda.agent.recovery.SlotOrders;
import io.remuda.agent.settings.AgentSettings;
import io.remuda.agent.settings.DiskRoom;
import io.remuda.worker.job.AttemptId;
import io.remuda.worker.job.CommandWorkload;
import io.remuda.worker.job.LeasedProgramWorkload;
import java.io.IOException;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.function.LongSupplier;
import org.apache.pekko.actor.typed.ActorRef;

/**
 * Starts the orders that have a free slot: prepares the folder of each, and hands it on to the
 * keeper. Used only by the node agent's actor.
 */
final class AttemptStarts {

  private static final String TURN_NOT_SOON = "its slot did not become free in time";

  private final AttemptTable table;
  private final NodeAgent.Parts parts;
  private final AgentSettings settings;
  private final CommandLaunch commandLaunch;
  private final ActorRef<NodeAgentCommand> self;
  private final ActorRef<KeeperPort.Command> keeper;
  private final LongSupplier contactMillis;

  /** Attempts whose folders are being prepared, with the cause if they must not start any more. */
  private final Map<AttemptId, Optional<String>> preparing = new HashMap<>();

  /** Number of the keeper connection on which the current task list was read. */
  private long joined = KeeperPort.NO_CONNECTION;

  /** Why no keeper can be started; empty if that did not fail. */
  private Optional<String> missing = Optional.empty();

  /**
   * @param contactMillis returns the rest of the contact deadline
   */
  AttemptStarts(
      AttemptTable table,
      NodeAgent.Parts parts,
      ActorRef<NodeAgentCommand> self,
      ActorRef<KeeperPort.Command> keeper,
      LongSupplier contactMillis) {
    this.table = table;
    this.parts = parts;
    this.settings = parts.settings();
    this.commandLaunch = new CommandLaunch(settings);
    this.self = self;
    this.keeper = keeper;
    this.contactMillis = contactMillis;
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

  /** Notes the connection to the keeper whose tasks were taken over. */
  void keeperJoined(long connection) {
    joined = connection;
    missing = Optional.empty();
  }

  /** Accepts an order; it starts when its slot is free. */
  void accept(TaskOrder order) {
    AttemptId attempt = order.attempt();
    table.reports().put(attempt, new TaskReport(attempt, TaskPhase.STARTING, 0, null, null));
    table.slots().add(order);
  }

  /** Starts the orders that have a free slot; a refused order frees its slot for the next. */
  void startDue() {
    for (List<TaskOrder> due = table.slots().due(table.now());
        !due.isEmpty();
        due = table.slots().due(table.now())) {
      due.forEach(this::start);
    }
  }

  /** Prepares the folder, which blocks while the disk hangs, and then starts the order. */
  private void start(TaskOrder order) {
    AttemptId attempt = order.attempt();
    preparing.put(attempt, Optional.empty());
    table
        .files()
        .add(
            () -> prepare(order),
            fault ->
                Optional.of(
                    TaskEnd.because(
                        TaskEnd.Kind.NOT_BEGUN, "its folder could not be prepared: " + fault)),
            no -> table.then(() -> prepared(order, no)));
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
    if (!table.reports().containsKey(attempt)) {
      return; // it was forgotten meanwhile
    }
    if (unwanted.isPresent() || no.isPresent()) {
      table.refuse(attempt, unwanted.or(() -> no).get());
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
      table.refuse(attempt, cannot(folder, fault));
      return;
    }
    table.gpus().begins(order);
    if (order.workload() instanceof CommandWorkload) {
      table.command(attempt, false, GpuPromise.of(order));
      keeper.tell(
          new KeeperPort.Spawn(
              joined,
              request,
              answer -> self.tell(new NodeAgentCommand.TaskAnswered(attempt, answer))));
    } else {
      table.workers().start(attempt, joined, request);
    }
    table.refreshProcesses();
  }

  /** Starts a lease; its program already runs. */
  private void lend(TaskOrder order, LeasedProgramWorkload lease) {
    AttemptId attempt = order.attempt();
    Optional<String> no = LeaseWatch.refusal(order, lease);
    if (no.isPresent()) {
      table.refuse(attempt, TaskEnd.because(TaskEnd.Kind.CANNOT_START, no.get()));
      return;
    }
    table.gpus().begins(order);
    table.command(attempt, true, GpuPromise.of(order));
    table
        .leases()
        .begin(
            attempt, new KeeperSurvey.SurveyedLease(LeaseNote.of(lease, order.devices()), false));
  }

  private SpawnRequest spawnRequest(TaskOrder order, TaskFolder folder) {
    return order.workload() instanceof CommandWorkload command
        ? commandLaunch.of(order, command, folder)
        : WorkerCommand.of(
            order, folder, settings, parts.distribution(), contactMillis.getAsLong());
  }

  /** Gives up attempts that have waited too long for their slot. */
  void giveUp() {
    SlotOrders.GivenUp given =
        table.slots().giveUp(settings.timing().turn().toNanos(), table.now());
    TaskEnd notBegun = TaskEnd.because(TaskEnd.Kind.NOT_BEGUN, TURN_NOT_SOON);
    given.here().forEach(attempt -> table.refuse(attempt, notBegun));
    given.handed().forEach(this::withdraw);
  }

  /** Has the keeper withdraw an attempt that waits there; does nothing if it has started. */
  void withdraw(AttemptId attempt) {
    preparing.replace(attempt, Optional.of(TURN_NOT_SOON));
    keeper.tell(new KeeperPort.Withdraw(settings.keyPrefix() + attempt));
  }

  /** Has an attempt whose folder is being prepared not start any more. */
  void cancel(AttemptId attempt, String cause) {
    preparing.replace(attempt, Optional.of(cause));
  }
}
