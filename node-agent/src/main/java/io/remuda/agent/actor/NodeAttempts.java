package io.remuda.agent.actor;

import io.remuda.agent.attempt.JoinedKeeperState;
import io.remuda.agent.attempt.TaskEnvironmentReader;
import io.remuda.agent.gpu.LeaseHolderProcesses;
import io.remuda.agent.keeper.EndingSignal;
import io.remuda.agent.keeper.LiveUse;
import io.remuda.agent.keeper.SpawnAnswer;
import io.remuda.agent.keeper.TaskView;
import io.remuda.agent.keeper.ending.WayOut;
import io.remuda.agent.metric.ReportedMetrics;
import io.remuda.agent.protocol.CoordinatorMessage;
import io.remuda.agent.protocol.CoordinatorMessage.Desired;
import io.remuda.agent.protocol.CoordinatorMessage.Kept;
import io.remuda.agent.protocol.CoordinatorMessage.Leaving;
import io.remuda.agent.protocol.StateFileLineage;
import io.remuda.agent.protocol.TaskEnd;
import io.remuda.agent.protocol.TaskPhase;
import io.remuda.agent.protocol.TaskReport;
import io.remuda.agent.recovery.DesiredStateDifference;
import io.remuda.agent.recovery.ForeignAttempts;
import io.remuda.agent.settings.AgentSettings;
import io.remuda.telemetry.model.NodeSample;
import io.remuda.worker.job.AttemptId;
import io.remuda.worker.job.TrainingProgress;
import io.remuda.worker.protocol.ToWorker;
import java.util.ArrayList;
import java.util.Collections;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import org.apache.pekko.actor.typed.ActorRef;
import org.apache.pekko.actor.typed.javadsl.ActorContext;

/**
 * The attempts on this node, as the coordinator wants them and as they are. Used only by the node
 * agent's actor.
 */
final class NodeAttempts {

  private static final String LEAVES = "it leaves its place";

  private final ActorContext<NodeAgentCommand> context;
  private final AgentSettings settings;
  private final ActorRef<KeeperConnectionActor.Command> keeper;
  private final AttemptTable table;
  private final AttemptStarts starts;
  private final KeeperAdoption adoption;

  /**
   * Attempts that a report has named as refused or ended. Others are not forgotten: an attempt that
   * is missing in a report may have run, and what a cancelled one has used is to be known.
   */
  private final Set<AttemptId> told = new HashSet<>();

  private final ForeignAttempts foreign = new ForeignAttempts();

  /**
   * @param leased is updated with the programs that hold leases
   * @param telemetry learns of the devices that ended tasks leave
   * @param pace is told when an attempt has changed its phase
   */
  NodeAttempts(
      ActorContext<NodeAgentCommand> context,
      NodeAgent.Parts parts,
      NodeFileOperations files,
      ActorRef<KeeperConnectionActor.Command> keeper,
      LeaseHolderProcesses leased,
      ActorRef<TelemetryActor.Command> telemetry,
      ContactWatch contact,
      ReportPace pace) {
    this.context = context;
    this.settings = parts.settings();
    this.keeper = keeper;
    this.table = new AttemptTable(context, parts, files, keeper, leased, telemetry, pace);
    this.starts = new AttemptStarts(table, keeper, contact);
    this.adoption = new KeeperAdoption(table);
  }

  /**
   * Returns the state of each attempt for a new connection; with facts for live attempts, which the
   * coordinator may not know.
   */
  List<TaskReport> introduced() {
    return table.reports().values().stream().map(this::withFacts).toList();
  }

  private TaskReport withFacts(TaskReport report) {
    boolean lives = report.phase() != TaskPhase.STARTING && !table.isOver(report.attempt());
    return lives ? report.with(TaskEnvironmentReader.of(report.pid())) : report;
  }

  /** Returns the state of the coordinator's attempts, and of live foreign ones. */
  List<TaskReport> reports() {
    table.reports().keySet().stream().filter(table::isOver).forEach(told::add);
    return foreign.reports(table.reports().values(), table::isOver);
  }

  /**
   * Sets the lineage of the coordinator that leads. Live attempts of other lineages are left alone
   * without a contact deadline; those that have not started do not start.
   */
  void lead(StateFileLineage leading) {
    foreign.lead(leading);
    List<String> running = new ArrayList<>();
    for (TaskReport report : List.copyOf(table.reports().values())) {
      AttemptId attempt = report.attempt();
      if (foreign.isOwn(attempt)) {
        continue;
      }
      if (table.slots().isWaiting(attempt)) {
        table.slots().leave(attempt, table.now());
        table.reports().remove(attempt); // its coordinator is not connected
      } else if (report.phase() == TaskPhase.STARTING) {
        endUnwanted(attempt);
      }
      if (table.reports().containsKey(attempt)) {
        foreign.found(attempt, TaskEnvironmentReader.of(report.pid()));
        running.add(settings.keyPrefix() + attempt);
      }
    }
    if (!running.isEmpty()) {
      context.getLog().info("{} tasks of another state file are left alone", running.size());
      keeper.tell(new KeeperConnectionActor.Renew(running, 0));
    }
  }

  /** Returns whether an attempt of another state file is live. */
  boolean hasForeign() {
    return foreign.attempts().stream().anyMatch(attempt -> !table.isOver(attempt));
  }

  /** Ends the attempts of the coordinator. */
  void endOwn(String cause) {
    for (AttemptId attempt : List.copyOf(table.reports().keySet())) {
      if (!foreign.attempts().contains(attempt) && !table.isOver(attempt)) {
        endUnwanted(attempt, cause, WayOut.UNWANTED, null);
      }
    }
  }

  /** Returns the number of attempts to report. */
  int held() {
    return table.reports().size();
  }

  /** Returns the number of attempts that wait for a slot. */
  int waiting() {
    return table.slots().waiting();
  }

  /** Notes that no keeper's task list is known; new tasks wait. */
  void keeperAway() {
    starts.keeperAway();
  }

  /** Notes that no keeper can be started; new tasks are refused until one is joined. */
  void keeperMissing(String cause) {
    starts.keeperMissing(cause);
  }

  boolean isKeeperMissing() {
    return starts.isKeeperMissing();
  }

  /**
   * Takes over the tasks of a keeper, and the ends of tasks that ended without an agent.
   *
   * @param connection connection to that keeper
   */
  void adopt(long connection, JoinedKeeperState found) {
    starts.keeperJoined(connection);
    adoption.adopt(found);
    lead(foreign.lineage());
  }

  /** Sets what cannot be killed of lost keepers; attempts that are no longer in it are over. */
  void unended(Map<String, String> reasons) {
    adoption.unended(reasons);
  }

  /**
   * Ends the attempts of a lost keeper; those that waited there and have not started are refused.
   */
  void keeperLost(String cause) {
    adoption.keeperLost(cause);
  }

  /** Handles the keeper's report that nothing of a task is left. */
  void exited(TaskView task) {
    adoption.exited(task);
  }

  /** Notes that the program of a lease gives its devices back. */
  void giveBack(CoordinatorMessage.GiveBack back) {
    AttemptId attempt = back.attempt();
    if (table.commands().containsKey(attempt) && !table.isOver(attempt)) {
      table.files().noteGiveBack(back);
    }
  }

  /** Releases the devices that a program has given back. */
  void giveBackNoted(NodeAgentCommand.GiveBackNoted event) {
    table.leases().letGo(event.attempt());
  }

  /** Reports how far a training is. */
  void trained(NodeAgentCommand.TrainingTold event) {
    TrainingProgress told = event.progress();
    TrainingProgress measured =
        table
            .gpus()
            .soFar(event.attempt())
            .map(use -> told.seen(use.peakBytes(), use.utilPercent()))
            .orElse(told);
    table.command(event.attempt(), command -> command.trained(measured));
  }

  /** Starts orders whose folders are prepared. */
  void prepared(NodeAgentCommand.FoldersPrepared event) {
    starts.prepared(event.all());
  }

  /** Applies the end of a command that was read from its folder. */
  void endRead(NodeAgentCommand.EndRead event) {
    table.command(event.attempt(), command -> command.ended(event.end()));
  }

  /** Ends the attempts of a lost keeper, once it is known which of them had not begun. */
  void unbegunFound(NodeAgentCommand.UnbegunFound event) {
    adoption.keeperLost(event);
  }

  /**
   * Ends and forgets attempts until they match the desired state.
   *
   * @param mayStart whether new attempts are accepted, too
   */
  void follow(Desired desired, boolean mayStart) {
    Map<AttemptId, TaskPhase> held = new HashMap<>();
    table.reports().forEach((attempt, report) -> held.put(attempt, report.phase()));
    held.keySet().removeAll(foreign.attempts());
    Set<AttemptId> kept = new HashSet<>();
    desired.kept().forEach(task -> kept.add(task.attempt()));
    DesiredStateDifference todo = DesiredStateDifference.of(desired.tasks(), kept, held);
    List<AttemptId> backwards = new ArrayList<>(todo.end());
    Collections.reverse(backwards); // so that ending one does not start the next of its slot
    Map<AttemptId, Leaving> leaving = new HashMap<>();
    desired.leaving().forEach(one -> leaving.put(one.attempt(), one));
    for (AttemptId attempt : backwards) {
      if (leaving.containsKey(attempt)) {
        leave(leaving.get(attempt));
      } else {
        endUnwanted(attempt);
      }
    }
    forget(
        todo.forget().stream()
            .filter(attempt -> !leaving.containsKey(attempt)) // how it ended decides what follows
            .filter(told::contains)
            .toList());
    for (Kept task : desired.kept()) {
      if (table.reports().containsKey(task.attempt()) && !table.isOver(task.attempt())) {
        table.slots().keep(task, table.now());
      }
    }
    if (mayStart) {
      todo.start().forEach(starts::accept);
      starts.startDue();
    }
  }

  /** Has an attempt leave: a training at the end of its epoch, another one by a signal. */
  private void leave(Leaving order) {
    AttemptId attempt = order.attempt();
    boolean runs = table.reports().get(attempt).phase() == TaskPhase.RUNNING;
    if (!runs || !table.trainings().leave(attempt, order.alsoLast())) {
      EndingSignal chosen =
          order.signal() == 0 ? null : EndingSignal.of(order.signal(), order.reach().name());
      endUnwanted(attempt, LEAVES, WayOut.LEAVE, chosen);
    }
  }

  private void endUnwanted(AttemptId attempt) {
    endUnwanted(attempt, "no longer wanted", WayOut.UNWANTED, null);
  }

  private void endUnwanted(AttemptId attempt, String cause, WayOut way, EndingSignal chosen) {
    if (table.slots().isWaiting(attempt)) {
      table.refuse(attempt, TaskEnd.because(TaskEnd.Kind.NOT_BEGUN, cause));
    } else {
      end(attempt, cause, way, chosen);
    }
  }

  /** Stops all measurements. */
  void close() {
    table.gpus().close();
  }

  /** Evaluates the use of devices in a sample. */
  void sampled(NodeSample sample) {
    table.sampled(sample);
  }

  /** Has read what running attempts report, and what they use. */
  void look() {
    table.look();
  }

  /** Returns what the programs of attempts report. */
  ReportedMetrics metrics() {
    return table.metrics();
  }

  /** Has the next reports tell what attempts have used so far. */
  void used(Map<String, LiveUse> uses) {
    uses.forEach(
        (key, use) ->
            JoinedKeeperState.attemptOf(settings, key).ifPresent(id -> table.used(id, use)));
  }

  /** Starts the orders that have a free slot; a refused order frees its slot for the next. */
  void startDue() {
    starts.startDue();
  }

  /** Gives up attempts that have waited too long for their slot. */
  void giveUp() {
    starts.giveUp();
    starts.noteSlow();
  }

  private void forget(List<AttemptId> attempts) {
    if (!attempts.isEmpty()) {
      keeper.tell(
          new KeeperConnectionActor.Forget(
              attempts.stream().map(attempt -> settings.keyPrefix() + attempt).toList()));
      attempts.forEach(this::forget);
      table.files().retire(attempts);
    }
  }

  private void forget(AttemptId attempt) {
    told.remove(attempt);
    table.remove(attempt);
  }

  /** Passes a message to a built-in worker; does nothing if there is none. */
  void tell(AttemptId attempt, ToWorker message) {
    table.workers().tell(attempt, new BuiltInWorkerSupervisor.Tell(message));
  }

  /** Returns the pid of an attempt's first process; 0 if it does not run. */
  long pidOf(AttemptId attempt) {
    TaskReport report = table.reports().get(attempt);
    return report == null || report.phase() != TaskPhase.RUNNING ? 0 : report.pid();
  }

  /** Returns whether an attempt is on this node and has not been forgotten. */
  boolean has(AttemptId attempt) {
    return table.has(attempt);
  }

  /** Kills an attempt that is ending. */
  void killNow(AttemptId attempt) {
    table.command(attempt, LocalAttempt::killNow);
  }

  /** Ends an attempt that has started or is about to. */
  void end(AttemptId attempt, String cause) {
    end(attempt, cause, WayOut.UNWANTED, null);
  }

  private void end(AttemptId attempt, String cause, WayOut way, EndingSignal chosen) {
    starts.cancel(attempt, cause);
    table.command(
        attempt,
        command -> {
          command.end(cause, way, chosen);
          if (command.phase() == TaskPhase.STARTING) {
            starts.withdraw(attempt);
          }
        });
    table.workers().tell(attempt, new BuiltInWorkerSupervisor.End(cause));
  }

  /** Applies the keeper's answer to the request to start an attempt. */
  void answered(AttemptId attempt, SpawnAnswer answer) {
    table.command(attempt, command -> command.answered(answer));
    table.workers().tell(attempt, new BuiltInWorkerSupervisor.Answered(answer));
  }

  /** Stores the new state of an attempt and reports a new phase; the end frees its slot. */
  void changed(TaskReport report) {
    table.changed(report);
  }
}
