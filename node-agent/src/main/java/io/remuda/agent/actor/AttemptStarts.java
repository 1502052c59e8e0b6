package io.remuda.agent.actor;

import io.remuda.agent.attempt.CommandSpawnRequestBuilder;
import io.remuda.agent.attempt.DeviceLeaseRecord;
import io.remuda.agent.attempt.JoinedKeeperState;
import io.remuda.agent.attempt.PromisedGpuMemoryNote;
import io.remuda.agent.attempt.TaskFolder;
import io.remuda.agent.attempt.TaskFolderPreparation;
import io.remuda.agent.keeper.SpawnRequest;
import io.remuda.agent.protocol.TaskEnd;
import io.remuda.agent.protocol.TaskPhase;
import io.remuda.agent.protocol.TaskReport;
import io.remuda.agent.protocol.TaskStartOrder;
import io.remuda.agent.recovery.SlotOrderQueue;
import io.remuda.agent.settings.AgentSettings;
import io.remuda.worker.job.AttemptId;
import io.remuda.worker.job.CommandWorkload;
import io.remuda.worker.job.LeasedProgramWorkload;
import java.time.Duration;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import org.apache.pekko.actor.typed.ActorRef;

/**
 * Starts the orders that have a free slot: prepares the folder of each, and hands it on to the
 * keeper. Used only by the node agent's actor.
 */
final class AttemptStarts {

  private static final String TURN_NOT_SOON = "its slot did not become free in time";

  private final AttemptTable table;
  private final AgentSettings settings;
  private final CommandSpawnRequestBuilder commandLaunch;
  private final ActorRef<KeeperConnectionActor.Command> keeper;
  private final ContactWatch contact;

  /**
   * An attempt whose folder is being prepared.
   *
   * @param since time on the monotonic clock in nanoseconds
   * @param unwanted why it must not start any more; empty if it is to
   */
  private record Preparing(TaskStartOrder order, long since, Optional<String> unwanted) {}

  private final Map<AttemptId, Preparing> preparing = new HashMap<>();

  /** Number of the keeper connection on which the current task list was read. */
  private long joined = KeeperConnectionActor.NO_CONNECTION;

  /** Why no keeper can be started; empty if that did not fail. */
  private Optional<String> missing = Optional.empty();

  AttemptStarts(
      AttemptTable table, ActorRef<KeeperConnectionActor.Command> keeper, ContactWatch contact) {
    this.table = table;
    this.settings = table.settings();
    this.commandLaunch =
        new CommandSpawnRequestBuilder(
            settings, table.files().interfaces(), table.files()::devices);
    this.keeper = keeper;
    this.contact = contact;
  }

  /** Notes that no keeper's task list is known; new tasks wait. */
  void keeperAway() {
    joined = KeeperConnectionActor.NO_CONNECTION;
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
  void accept(TaskStartOrder order) {
    AttemptId attempt = order.attempt();
    table.reports().put(attempt, new TaskReport(attempt, TaskPhase.STARTING, 0, null, null));
    table.slots().add(order);
  }

  /** Starts the orders that have a free slot; a refused order frees its slot for the next. */
  void startDue() {
    for (List<TaskStartOrder> due = table.slots().due(table.now());
        !due.isEmpty();
        due = table.slots().due(table.now())) {
      start(due);
    }
  }

  /** Prepares the folders, which blocks while the disk hangs, and then starts the orders. */
  private void start(List<TaskStartOrder> orders) {
    for (TaskStartOrder order : orders) {
      preparing.put(order.attempt(), new Preparing(order, table.now(), Optional.empty()));
    }
    table.files().prepare(orders);
  }

  /** Starts orders whose folders are prepared, unless they are not wanted any more. */
  void prepared(List<NodeAgentCommand.FoldersPrepared.Prepared> all) {
    List<KeeperConnectionActor.Spawn> spawns = new ArrayList<>();
    all.forEach(one -> prepared(one.order(), one.folder(), spawns));
    if (!spawns.isEmpty()) {
      keeper.tell(new KeeperConnectionActor.SpawnAll(spawns));
    }
  }

  private void prepared(
      TaskStartOrder order,
      TaskFolderPreparation folder,
      List<KeeperConnectionActor.Spawn> spawns) {
    AttemptId attempt = order.attempt();
    Preparing known = preparing.remove(attempt);
    if (known == null || !table.reports().containsKey(attempt)) {
      table.files().containers().forget(attempt);
      return; // it was forgotten meanwhile
    }
    Optional<TaskEnd> unwanted =
        known.unwanted().map(why -> TaskEnd.because(TaskEnd.Kind.NOT_BEGUN, why));
    Optional<TaskEnd> no =
        folder.refusal().or(() -> missing.map(why -> TaskEnd.because(TaskEnd.Kind.NO_ROOM, why)));
    if (unwanted.isPresent() || no.isPresent()) {
      table.refuse(attempt, unwanted.or(() -> no).get());
    } else if (order.workload() instanceof LeasedProgramWorkload lease) {
      lend(order, lease);
    } else {
      handOn(order, folder, spawns);
    }
  }

  /** Adds the order to those for the keeper; that of a built-in worker goes by itself. */
  private void handOn(
      TaskStartOrder order,
      TaskFolderPreparation prepared,
      List<KeeperConnectionActor.Spawn> spawns) {
    AttemptId attempt = order.attempt();
    TaskFolder folder = TaskFolder.of(settings, attempt);
    SpawnRequest request;
    try {
      request = spawnRequest(order, folder, prepared);
    } catch (RuntimeException fault) { // a path may not be encodable in this locale
      table.refuse(attempt, TaskFolderPreparation.cannot(folder, fault));
      return;
    }
    table.gpus().begins(order);
    if (prepared.worker().isEmpty()) {
      table.command(attempt, false, PromisedGpuMemoryNote.of(order));
      spawns.add(new KeeperConnectionActor.Spawn(joined, attempt, request));
    } else {
      table.workers().start(attempt, joined, request);
    }
    table.refreshProcesses();
  }

  /** Starts a lease; its program already runs. */
  private void lend(TaskStartOrder order, LeasedProgramWorkload lease) {
    AttemptId attempt = order.attempt();
    Optional<String> no = RunningProgramLeases.refusal(order, lease);
    if (no.isPresent()) {
      table.refuse(attempt, TaskEnd.because(TaskEnd.Kind.CANNOT_START, no.get()));
      return;
    }
    table.gpus().begins(order);
    table.command(attempt, true, PromisedGpuMemoryNote.of(order));
    table
        .leases()
        .begin(
            attempt,
            new JoinedKeeperState.SurveyedLease(
                DeviceLeaseRecord.of(lease, order.devices()), false));
  }

  private SpawnRequest spawnRequest(
      TaskStartOrder order, TaskFolder folder, TaskFolderPreparation prepared) {
    if (prepared.worker().isEmpty()) {
      SpawnRequest bare =
          commandLaunch.of(
              order,
              (CommandWorkload) order.workload(),
              folder,
              table
                  .trainings()
                  .launch(order.attempt())
                  .with(table.files().pinned().variables(order.attempt()))
                  .with(table.files().ports().variables(order.attempt())));
      return table.files().containers().wrap(order, bare);
    }
    SpawnRequest worker = prepared.worker().get();
    return order.tied() ? worker.withContact(contact.remainingMillis()) : worker;
  }

  /** Gives up attempts that have waited too long for their slot. */
  void giveUp() {
    SlotOrderQueue.GivenUp given =
        table.slots().giveUp(settings.timing().turn().toNanos(), table.now());
    TaskEnd notBegun = TaskEnd.because(TaskEnd.Kind.NOT_BEGUN, TURN_NOT_SOON);
    given.here().forEach(attempt -> table.refuse(attempt, notBegun));
    given.handed().forEach(this::withdraw);
  }

  /** Has the keeper withdraw an attempt that waits there; does nothing if it has started. */
  void withdraw(AttemptId attempt) {
    cancel(attempt, TURN_NOT_SOON);
    keeper.tell(new KeeperConnectionActor.Withdraw(settings.keyPrefix() + attempt));
  }

  /** Has an attempt whose folder is being prepared not start any more. */
  void cancel(AttemptId attempt, String cause) {
    Preparing known = preparing.get(attempt);
    if (known != null) {
      preparing.put(attempt, new Preparing(known.order(), known.since(), Optional.of(cause)));
      table.files().cancelCopy(attempt); // which may take long
    }
  }

  /** Notes in the reports which attempts have not started since their preparation takes long. */
  void noteSlow() {
    for (Map.Entry<AttemptId, Preparing> each : preparing.entrySet()) {
      Duration time = Duration.ofNanos(table.now() - each.getValue().since());
      TaskReport report = table.reports().get(each.getKey());
      if (report != null
          && report.end() == null
          && time.compareTo(settings.timing().standstill()) >= 0) {
        String why = table.files().slowly(each.getValue().order(), time);
        table
            .reports()
            .put(each.getKey(), report.with(TaskEnd.because(TaskEnd.Kind.NOT_BEGUN, why)));
      }
    }
  }
}
