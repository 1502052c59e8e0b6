package io.remuda.agent.actor;

import io.remuda.agent.keeper.AdoptRequest;
import io.remuda.agent.keeper.ProcessOwner;
import io.remuda.agent.protocol.CoordinatorMessage.GiveBack;
import io.remuda.agent.protocol.TaskOrder;
import io.remuda.agent.settings.AgentSettings;
import io.remuda.worker.job.AttemptId;
import io.remuda.worker.job.EndingTerms;
import io.remuda.worker.job.LeaseWorkload;
import java.io.IOException;
import java.util.Optional;
import org.apache.pekko.actor.typed.ActorRef;

/**
 * Leases of programs that run already: has the keeper watch their processes and let them go, by
 * what is noted in their folders. Used by the node agent's actor alone.
 */
final class LeaseWatch {

  private final AgentSettings settings;
  private final ActorRef<KeeperPort.Command> keeper;
  private final ActorRef<NodeAgent.Command> agent;
  private final LeasedPrograms programs;

  /**
   * Nobody holds anything yet.
   *
   * @param agent gets the keeper's answers
   * @param programs is told who holds leases
   */
  LeaseWatch(
      AgentSettings settings,
      ActorRef<KeeperPort.Command> keeper,
      ActorRef<NodeAgent.Command> agent,
      LeasedPrograms programs) {
    this.settings = settings;
    this.keeper = keeper;
    this.agent = agent;
    this.programs = programs;
  }

  /** Why a program must not have a lease, or nothing if it may. */
  static Optional<String> refusal(TaskOrder order, LeaseWorkload lease) {
    return ProcessOwner.userOf(lease.pid())
        .filter(user -> !user.equals(order.user()))
        .map(user -> "process " + lease.pid() + " belongs to a task of " + user);
  }

  /** Has the keeper watch a program, until it ends or has given back what it has. */
  void begin(AttemptId attempt, KeeperSurvey.SurveyedLease lent) {
    LeaseNote program = lent.program();
    programs.add(attempt, program);
    keeper.tell(
        new KeeperPort.Adopt(
            new AdoptRequest(
                key(attempt),
                program.pid(),
                program.startTicks(),
                folder(attempt).path(),
                program.devices(),
                EndingTerms.USUAL.graceMillis()),
            answer -> agent.tell(new NodeAgent.TaskAnswered(attempt, answer))));
    letGoIf(lent.givenBack(), attempt);
  }

  /** The keeper watches it already. */
  void goesOn(AttemptId attempt, KeeperSurvey.SurveyedLease lent) {
    programs.add(attempt, lent.program());
    letGoIf(lent.givenBack(), attempt);
  }

  private void letGoIf(boolean givenBack, AttemptId attempt) {
    if (givenBack) {
      letGo(attempt);
    }
  }

  /** Notes, in its folder, what a program says that is done; a word that comes twice is known. */
  void note(GiveBack back) throws IOException {
    TaskFolder folder = folder(back.attempt());
    if (folder.isLease() && LeaseNote.givenBack(folder.path()).isEmpty()) {
      LeaseNote.giveBack(
          folder.path(), new LeaseNote.GivenBack(back.succeeded(), back.error(), back.again()));
    }
  }

  /** Has the keeper take back what a program has given back. */
  void letGo(AttemptId attempt) {
    keeper.tell(new KeeperPort.Release(key(attempt)));
  }

  /** It is over; one that was never a lease changes nothing. */
  void ended(AttemptId attempt) {
    programs.remove(attempt);
  }

  private String key(AttemptId attempt) {
    return settings.keyPrefix() + attempt;
  }

  private TaskFolder folder(AttemptId attempt) {
    return TaskFolder.of(settings, attempt);
  }
}
