package io.remuda.agent.actor;

import io.remuda.agent.attempt.JoinedKeeperState;
import io.remuda.agent.attempt.UnkillableAttempts;
import io.remuda.agent.keeper.SpawnAnswer;
import io.remuda.agent.keeper.TaskView;
import io.remuda.agent.protocol.TaskEnd;
import io.remuda.agent.protocol.TaskPhase;
import io.remuda.agent.protocol.TaskReport;
import io.remuda.agent.settings.AgentSettings;
import io.remuda.worker.job.AttemptId;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;

/**
 * Takes over the tasks of a keeper that was joined, and ends those of one that was lost. Used only
 * by the node agent's actor.
 */
final class KeeperAdoption {

  private static final String NOT_THERE = "its keeper no longer has it";

  private final AttemptTable table;
  private final AgentSettings settings;
  private final UnkillableAttempts unkillable;

  KeeperAdoption(AttemptTable table) {
    this.table = table;
    this.settings = table.settings();
    this.unkillable = new UnkillableAttempts(settings.keyPrefix());
  }

  /** Takes over the tasks of a keeper, and the ends of tasks that ended without an agent. */
  void adopt(JoinedKeeperState found) {
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
              boolean over = table.reports().containsKey(attempt) && table.isOver(attempt);
              if (!here.contains(attempt) && !over) {
                adopt(attempt, lent);
              }
            });
    for (TaskReport end : found.ends()) {
      if (!table.reports().containsKey(end.attempt())) {
        table.metrics().end(end.attempt());
        notLearned(end);
      }
    }
  }

  private void adopt(AttemptId attempt, TaskView task, JoinedKeeperState.SurveyedFolder folder) {
    if (table.commands().containsKey(attempt)) {
      table.commands().get(attempt).rejoined(task);
    } else if (table.workers().has(attempt)) {
      table
          .workers()
          .tell(attempt, new BuiltInWorkerSupervisor.Answered(new SpawnAnswer.Known(task)));
    } else {
      table
          .reports()
          .put(attempt, new TaskReport(attempt, TaskPhase.RUNNING, task.pid(), null, null));
      if (folder.worker()) {
        table.workers().adopt(attempt, task);
      } else {
        folder.lent().ifPresent(lent -> table.leases().goesOn(attempt, lent));
        table.command(attempt, folder.lent().isPresent(), folder.promise()).known(task);
        table.gpus().adopted(attempt, folder.devices());
      }
    }
  }

  /** Has the new keeper watch the program of a lease, which outlives its keeper. */
  private void adopt(AttemptId attempt, JoinedKeeperState.SurveyedLease lent) {
    if (!table.commands().containsKey(attempt)) {
      table.command(attempt, true, Optional.empty());
      long pid = lent.program().pid();
      table.reports().put(attempt, new TaskReport(attempt, TaskPhase.RUNNING, pid, null, null));
    }
    table.leases().begin(attempt, lent);
  }

  private void notLearned(TaskReport report) {
    AttemptId attempt = report.attempt();
    boolean noted = report.end().kind() != TaskEnd.Kind.KEEPER_GONE;
    if (noted || !unkillable.hold(attempt, report.end().cause())) {
      table.reports().put(attempt, report);
      return;
    }
    table.reports().put(attempt, new TaskReport(attempt, TaskPhase.RUNNING, 0, null, null));
    table.command(attempt, false, Optional.empty()).stays(unkillable.reason(attempt));
  }

  /** Handles attempts that a newly joined keeper does not have. */
  private void missAllBut(Set<AttemptId> here) {
    here.addAll(unkillable.held()); // of lost keepers
    for (Map.Entry<AttemptId, LocalAttempt> held : List.copyOf(table.commands().entrySet())) {
      if (!here.contains(held.getKey()) && !held.getValue().isOver()) {
        held.getValue().missed(NOT_THERE);
      }
    }
    table.workers().missAllBut(here, NOT_THERE);
  }

  /** Sets what cannot be killed of lost keepers; attempts that are no longer in it are over. */
  void unended(Map<String, String> reasons) {
    unkillable.take(reasons).forEach(this::keeperLost);
    unkillable.held().forEach(this::stays);
  }

  private void stays(AttemptId attempt) {
    table.command(attempt, command -> command.stays(unkillable.reason(attempt)));
  }

  /**
   * Ends the attempts of a lost keeper; those that waited there and have not started are refused.
   */
  void keeperLost(String cause) {
    List<AttemptId> held = new ArrayList<>(); // only these: others may start meanwhile
    for (AttemptId attempt : table.reports().keySet()) {
      if ((table.commands().containsKey(attempt) || table.workers().has(attempt))
          && !table.isOver(attempt)) {
        held.add(attempt);
      }
    }
    table.files().findUnbegun(cause, table.slots().behind(), held);
  }

  /** Ends the attempts of a lost keeper, once it is known which of them had not begun. */
  void keeperLost(NodeAgentCommand.UnbegunFound found) {
    for (AttemptId attempt : found.unbegun()) {
      table.command(attempt, command -> command.notBegun("keeper lost: " + found.cause()));
    }
    for (AttemptId attempt : found.held()) {
      boolean lives = table.lives(attempt);
      if (lives && unkillable.hold(attempt, found.cause())) {
        stays(attempt);
      } else {
        keeperLost(attempt, found.cause());
      }
    }
  }

  private void keeperLost(AttemptId attempt, String cause) {
    table.command(attempt, command -> command.keeperGone(cause));
    table.workers().tell(attempt, new BuiltInWorkerSupervisor.KeeperGone(cause));
  }

  /** Handles the keeper's report that nothing of a task is left. */
  void exited(TaskView task) {
    Optional<AttemptId> attempt = attemptOf(task.key());
    if (attempt.isPresent()) {
      table.command(attempt.get(), command -> command.exited(task.exit()));
      table.workers().tell(attempt.get(), new BuiltInWorkerSupervisor.Exited(task.exit()));
    }
  }

  private Optional<AttemptId> attemptOf(String key) {
    return JoinedKeeperState.attemptOf(settings, key);
  }
}
