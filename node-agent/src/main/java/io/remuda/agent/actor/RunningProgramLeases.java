package io.remuda.agent.actor;

import io.remuda.agent.attempt.DeviceLeaseRecord;
import io.remuda.agent.attempt.JoinedKeeperState;
import io.remuda.agent.attempt.TaskFolder;
import io.remuda.agent.gpu.LeaseHolderProcesses;
import io.remuda.agent.keeper.DeviceHoldRequest;
import io.remuda.agent.keeper.sweep.ProcessTaskLookup;
import io.remuda.agent.protocol.TaskStartOrder;
import io.remuda.agent.settings.AgentSettings;
import io.remuda.worker.job.AttemptId;
import io.remuda.worker.job.EndingTerms;
import io.remuda.worker.job.LeasedProgramWorkload;
import java.util.Optional;
import org.apache.pekko.actor.typed.ActorRef;

/**
 * Leases of running programs: the keeper watches their processes and releases them according to the
 * notes in their folders. Used only by the node agent's actor.
 */
final class RunningProgramLeases {

  private final AgentSettings settings;
  private final ActorRef<KeeperConnectionActor.Command> keeper;
  private final LeaseHolderProcesses programs;

  /**
   * @param programs is updated with the programs that hold leases
   */
  RunningProgramLeases(
      AgentSettings settings,
      ActorRef<KeeperConnectionActor.Command> keeper,
      LeaseHolderProcesses programs) {
    this.settings = settings;
    this.keeper = keeper;
    this.programs = programs;
  }

  /** Returns why a program must not have a lease; empty if it may. */
  static Optional<String> refusal(TaskStartOrder order, LeasedProgramWorkload lease) {
    return ProcessTaskLookup.userOf(lease.pid())
        .filter(user -> !user.equals(order.user()))
        .map(user -> "process " + lease.pid() + " belongs to a task of " + user);
  }

  /** Has the keeper watch a program until it ends or has given its devices back. */
  void begin(AttemptId attempt, JoinedKeeperState.SurveyedLease lent) {
    DeviceLeaseRecord program = lent.program();
    programs.add(attempt, program);
    keeper.tell(
        new KeeperConnectionActor.Adopt(
            attempt,
            new DeviceHoldRequest(
                key(attempt),
                program.pid(),
                program.startTicks(),
                folder(attempt).path(),
                program.devices(),
                EndingTerms.USUAL.graceMillis())));
    letGoIf(lent.givenBack(), attempt);
  }

  /** Continues a lease that the keeper already has. */
  void goesOn(AttemptId attempt, JoinedKeeperState.SurveyedLease lent) {
    programs.add(attempt, lent.program());
    letGoIf(lent.givenBack(), attempt);
  }

  private void letGoIf(boolean givenBack, AttemptId attempt) {
    if (givenBack) {
      letGo(attempt);
    }
  }

  /** Has the keeper release the devices that a program has given back. */
  void letGo(AttemptId attempt) {
    keeper.tell(new KeeperConnectionActor.Release(key(attempt)));
  }

  /** Removes a lease that has ended; does nothing for other attempts. */
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
