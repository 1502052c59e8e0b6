package io.remuda.coordinator.actor;

import io.remuda.agent.protocol.CoordinatorMessage;
import io.remuda.coordinator.actor.Coordinator.Command;
import io.remuda.coordinator.lifecycle.TaskState;
import io.remuda.coordinator.registry.TaskChange;
import io.remuda.coordinator.registry.TaskRecord;
import io.remuda.coordinator.registry.TaskRegistry;
import io.remuda.worker.job.JobId;
import java.util.Comparator;
import java.util.List;
import java.util.function.LongSupplier;
import java.util.function.Predicate;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import org.apache.pekko.actor.typed.ActorRef;
import org.apache.pekko.actor.typed.Behavior;
import org.apache.pekko.actor.typed.javadsl.Behaviors;

/**
 * Handles users' requests: {@link JobAdmission} decides them, and the client is answered once the
 * outcome is durable. Used only by the coordinator's actor.
 */
final class UserCommands {

  private final JobAdmission admission;
  private final TaskRegistry tasks;
  private final AgentConnections connections;
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
      TaskRegistry tasks,
      AgentConnections connections,
      CommitPipeline pipeline,
      PendingOutputReads outputReads,
      StatusPicture picture,
      LongSupplier nanoClock,
      Runnable placeSoon) {
    this.admission = admission;
    this.tasks = tasks;
    this.connections = connections;
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
    JobAdmission.Outcome<JobId> outcome =
        admission.change(command.job(), command.action(), command.caller(), now());
    if (!isRefused(outcome, command.replyTo())) {
      pipeline.publish(
          outcome.changes(),
          outcome.entries(),
          () -> {
            if (command.action() == Coordinator.Action.CANCEL_NOW) {
              killNow(task -> task.id().job().equals(command.job()));
            }
            command.replyTo().tell(outcome.answer());
          });
      placeSoon.run();
    }
    return Behaviors.same();
  }

  /** Has the nodes of these tasks kill those that are ending, or are to end with the next order. */
  private void killNow(Predicate<TaskRecord> some) {
    tasks.placed().stream()
        .filter(task -> task.state() == TaskState.ENDING && some.test(task))
        .collect(
            Collectors.groupingBy(
                task -> task.place().node(),
                Collectors.mapping(TaskRecord::attemptId, Collectors.toList())))
        .forEach(
            (node, attempts) -> connections.tell(node, new CoordinatorMessage.KillNow(attempts)));
  }

  Behavior<Command> onDrainNode(Coordinator.DrainNode command) {
    return settle(admission.drain(command.node(), command.drained()), command.replyTo());
  }

  Behavior<Command> onGiveUpNode(Coordinator.GiveUpNode command) {
    return settle(admission.giveUp(command.node(), command.caller(), now()), command.replyTo());
  }

  Behavior<Command> onRemoveNode(Coordinator.RemoveNode command) {
    return settle(admission.removeNode(command.node()), command.replyTo());
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
    Coordinator.Stopped stopped = new Coordinator.Stopped(changes.size(), longestGraceMillis());
    pipeline.publish(
        changes,
        List.of(),
        () -> {
          if (command.urgency() == Coordinator.Urgency.AT_ONCE) {
            killNow(task -> true);
          }
          command.replyTo().tell(stopped);
        });
    return Behaviors.same();
  }

  private long longestGraceMillis() {
    return ending()
        .map(task -> tasks.job(task.id().job()).orElseThrow().terms().ending().graceMillis())
        .max(Comparator.naturalOrder())
        .orElse(0L);
  }

  Behavior<Command> onCountEnding(Coordinator.CountEnding command) {
    command.replyTo().tell((int) ending().count());
    return Behaviors.same();
  }

  /**
   * Returns the tasks whose ends are awaited: those of silent nodes may end at any time or never.
   */
  private Stream<TaskRecord> ending() {
    return tasks.placed().stream()
        .filter(task -> task.state() == TaskState.ENDING && task.place().silentSince() == 0);
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
