package io.remuda.coordinator.actor;

import io.remuda.coordinator.actor.Coordinator.Command;
import io.remuda.coordinator.registry.TaskChange;
import io.remuda.worker.job.JobId;
import java.util.List;
import java.util.function.LongSupplier;
import org.apache.pekko.actor.typed.ActorRef;
import org.apache.pekko.actor.typed.Behavior;
import org.apache.pekko.actor.typed.javadsl.Behaviors;

/**
 * Handles users' requests: {@link JobAdmission} decides them, and the client is answered once the
 * outcome is durable. Used only by the coordinator's actor.
 */
final class UserCommands {

  private final JobAdmission admission;
  private final CommitPipeline pipeline;
  private final PendingOutputReads outputReads;
  private final StatusPicture picture;
  private final LongSupplier nanoClock;
  private final Runnable placeSoon;

  /**
   * @param placeSoon runs when a task may fit that did not fit before
   */
  UserCommands(
      JobAdmission admission,
      CommitPipeline pipeline,
      PendingOutputReads outputReads,
      StatusPicture picture,
      LongSupplier nanoClock,
      Runnable placeSoon) {
    this.admission = admission;
    this.pipeline = pipeline;
    this.outputReads = outputReads;
    this.picture = picture;
    this.nanoClock = nanoClock;
    this.placeSoon = placeSoon;
  }

  private long now() {
    return nanoClock.getAsLong();
  }

  Behavior<Command> onSubmitJobs(Coordinator.SubmitJobs command) {
    JobAdmission.Outcome<List<JobId>> outcome = admission.submit(command.jobs(), now());
    if (isRefused(outcome, command.replyTo())) {
      return Behaviors.same();
    }
    pipeline.append(
        outcome.entries(), () -> command.replyTo().tell(outcome.answer())); // journal thread
    if (!outcome.entries().isEmpty()) {
      placeSoon.run();
    }
    return Behaviors.same();
  }

  Behavior<Command> onCheckJobs(Coordinator.CheckJobs command) {
    command.replyTo().tell(admission.check(command.jobs(), now()));
    return Behaviors.same();
  }

  Behavior<Command> onChangeJob(Coordinator.ChangeJob command) {
    return settle(
        admission.change(command.job(), command.action(), command.caller(), now()),
        command.replyTo());
  }

  Behavior<Command> onDrainNode(Coordinator.DrainNode command) {
    return settle(admission.drain(command.node(), command.drained()), command.replyTo());
  }

  Behavior<Command> onGiveUpNode(Coordinator.GiveUpNode command) {
    return settle(admission.giveUp(command.node(), command.caller(), now()), command.replyTo());
  }

  Behavior<Command> onForgetProfile(Coordinator.ForgetProfile command) {
    return settle(admission.forgetProfile(command.type()), command.replyTo());
  }

  private <T> Behavior<Command> settle(
      JobAdmission.Outcome<T> outcome, ActorRef<Reply<T>> replyTo) {
    if (!isRefused(outcome, replyTo)) {
      publish(outcome, replyTo);
      placeSoon.run();
    }
    return Behaviors.same();
  }

  /** Answers a rejected request at once: it changes nothing, so it need not wait for the disk. */
  private static <T> boolean isRefused(
      JobAdmission.Outcome<T> outcome, ActorRef<Reply<T>> replyTo) {
    boolean refused = outcome.answer() instanceof Reply.No<T>;
    if (refused) {
      replyTo.tell(outcome.answer());
    }
    return refused;
  }

  private <T> void publish(JobAdmission.Outcome<T> outcome, ActorRef<Reply<T>> replyTo) {
    pipeline.publish(outcome.changes(), outcome.entries(), () -> replyTo.tell(outcome.answer()));
  }

  Behavior<Command> onSetUser(Coordinator.SetUser command) {
    publish(admission.setUser(command.user()), command.replyTo());
    return Behaviors.same();
  }

  Behavior<Command> onStopAll(Coordinator.StopAll command) {
    admission.close();
    List<TaskChange> changes = admission.stop(now());
    pipeline.publish(changes, List.of(), () -> command.replyTo().tell(Reply.of(changes.size())));
    return Behaviors.same();
  }

  Behavior<Command> onExplain(Coordinator.Explain command) {
    command.replyTo().tell(admission.explain(command.job(), now()));
    return Behaviors.same();
  }

  Behavior<Command> onLookAtNodes(Coordinator.LookAtNodes command) {
    command.replyTo().tell(admission.view(picture.newest(), now()));
    return Behaviors.same();
  }

  Behavior<Command> onReadOutput(Coordinator.ReadOutput command) {
    outputReads.ask(command, now());
    return Behaviors.same();
  }
}
