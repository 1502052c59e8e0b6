package io.remuda.coordinator.job;

import io.remuda.agent.protocol.CoordinatorMessage;
import io.remuda.coordinator.api.CoordinatorCommand;
import io.remuda.coordinator.api.Rejection;
import io.remuda.coordinator.api.Reply;
import io.remuda.coordinator.commit.Decision;
import io.remuda.coordinator.commit.Effect;
import io.remuda.coordinator.lifecycle.TaskState;
import io.remuda.coordinator.registry.TaskRegistry;
import io.remuda.coordinator.registry.task.PlacedTask;
import io.remuda.coordinator.registry.task.TaskChange;
import io.remuda.coordinator.store.JobRows;
import io.remuda.coordinator.store.row.LogEntry;
import io.remuda.worker.job.AttemptId;
import io.remuda.worker.job.JobId;
import io.remuda.worker.job.JobSpec;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.TreeMap;
import java.util.stream.Stream;

/**
 * Decides users' changes of jobs that are accepted already, of users, and of job types. Used only
 * by the coordinator's actor.
 */
public final class JobControl {

  private final TaskRegistry tasks;
  private final JobRows jobRows;
  private final JobAdmission admission;

  public JobControl(TaskRegistry tasks, JobRows jobRows, JobAdmission admission) {
    this.tasks = tasks;
    this.jobRows = jobRows;
    this.admission = admission;
  }

  /** Lets the jobs begin whose time has come. */
  public Decision begin(long now) {
    return Decision.of(tasks.begin(jobRows.wallMillis(), now));
  }

  /** Cancels, holds or releases a job. */
  public Decision change(CoordinatorCommand.ChangeJob command, long now) {
    JobId id = command.job();
    Optional<Rejection> no = refusal(id, command.caller());
    if (no.isPresent()) {
      return Decision.refuse(command.replyTo(), no.get());
    }
    List<TaskChange> changes =
        switch (command.action()) {
          case CANCEL, CANCEL_NOW ->
              tasks.cancel(id, "cancelled by " + command.caller().user(), now);
          case HOLD -> tasks.hold(id, now);
          case RELEASE -> tasks.release(id, now);
          case REQUEUE -> tasks.leave(id, requeuedBy(command), now);
          case REQUEUE_ON_HOLD -> heldAndLeft(id, command, now);
        };
    if (changes.isEmpty() && isRequeue(command.action())) {
      return Decision.refuse(command.replyTo(), nothingRuns(id));
    }
    Decision decision = Decision.of(changes);
    if (command.action() == CoordinatorCommand.Action.CANCEL_NOW) {
      decision = killing(decision, ending().filter(task -> task.id().job().equals(id)));
    }
    return decision.thenAnswer(command.replyTo(), Reply.of(id)).placing();
  }

  private static boolean isRequeue(CoordinatorCommand.Action action) {
    return action == CoordinatorCommand.Action.REQUEUE
        || action == CoordinatorCommand.Action.REQUEUE_ON_HOLD;
  }

  private Rejection nothingRuns(JobId id) {
    return Rejection.of(
        Rejection.Code.WRONG_STATE,
        "job " + id + " has no running task: it is " + tasks.stateOf(id).orElseThrow().label());
  }

  private static String requeuedBy(CoordinatorCommand.ChangeJob command) {
    return "requeued by " + command.caller().user();
  }

  private List<TaskChange> heldAndLeft(JobId id, CoordinatorCommand.ChangeJob command, long now) {
    List<TaskChange> changes = new ArrayList<>(tasks.hold(id, now));
    changes.addAll(tasks.leave(id, requeuedBy(command), now));
    return changes;
  }

  private Optional<Rejection> refusal(JobId id, CoordinatorCommand.Caller caller) {
    Optional<JobSpec> job = tasks.job(id);
    if (job.isEmpty()) {
      return Optional.of(
          Rejection.of(Rejection.Code.NOT_FOUND, "job " + id + " is over, or there is none"));
    }
    if (!caller.mayAll() && !job.get().user().equals(caller.user())) {
      return Optional.of(
          Rejection.of(Rejection.Code.NOT_YOURS, "job " + id + " belongs to " + job.get().user()));
    }
    return tasks
        .stateOf(id)
        .filter(TaskState::isFinal) // it is removed once its end is durable
        .map(
            end ->
                Rejection.of(Rejection.Code.WRONG_STATE, "job " + id + " is over: " + end.label()));
  }

  /** Ends all placed tasks when the server is stopped, and accepts no more jobs. */
  public Decision stop(CoordinatorCommand.StopAll command, long now) {
    admission.close();
    List<TaskChange> changes = tasks.stop("the server was stopped", now);
    CoordinatorCommand.Stopped stopped =
        new CoordinatorCommand.Stopped(changes.size(), longestGraceMillis());
    Decision decision = Decision.of(changes);
    if (command.urgency() == CoordinatorCommand.Urgency.AT_ONCE) {
      decision = killing(decision, ending());
    }
    return decision.thenAnswer(command.replyTo(), stopped);
  }

  private long longestGraceMillis() {
    return awaited()
        .map(task -> tasks.job(task.id().job()).orElseThrow().terms().ending().graceMillis())
        .max(Comparator.naturalOrder())
        .orElse(0L);
  }

  /** Adds that the nodes kill these tasks; they may learn with the next order that they end. */
  private static Decision killing(Decision decision, Stream<PlacedTask> ending) {
    Map<String, List<AttemptId>> byNode = new TreeMap<>();
    ending.forEach(
        task ->
            byNode
                .computeIfAbsent(task.place().node(), node -> new ArrayList<>())
                .add(task.attemptId()));
    Decision killing = decision;
    for (Map.Entry<String, List<AttemptId>> node : byNode.entrySet()) {
      killing =
          killing.then(
              new Effect.SendToNode(
                  node.getKey(), new CoordinatorMessage.KillNow(node.getValue())));
    }
    return killing;
  }

  /** Has the nodes kill the members of failed gangs that take too long to end. */
  public Decision killOverdueMembers(long now) {
    List<Effect> kills = new ArrayList<>();
    tasks
        .overdueMembers(now)
        .forEach(
            (node, members) ->
                kills.add(new Effect.SendToNode(node, new CoordinatorMessage.KillNow(members))));
    return Decision.atOnce(kills);
  }

  private Stream<PlacedTask> ending() {
    return tasks.placed().stream().filter(task -> task.state() == TaskState.ENDING);
  }

  /** Returns the tasks that end soon: those of silent nodes may end at any time or never. */
  private Stream<PlacedTask> awaited() {
    return ending().filter(task -> task.progress().silentSince() == 0);
  }

  /** Answers how many tasks are ending. */
  public Decision countEnding(CoordinatorCommand.CountEnding command) {
    return Decision.answer(command.replyTo(), (int) awaited().count());
  }

  /** Deletes a type's profile, so that its next task is measured again. */
  public Decision forgetProfile(CoordinatorCommand.ForgetProfile command) {
    String type = command.type().name();
    return tasks.forgetProfile(command.type())
        ? Decision.ofRows(jobRows.learned(tasks.takeProfiles()))
            .thenAnswer(command.replyTo(), Reply.of(type))
            .placing()
        : Decision.refuse(
            command.replyTo(),
            Rejection.of(Rejection.Code.NOT_FOUND, "nothing is known of a type '" + type + "'"));
  }

  /** Stores a user's settings. */
  public Decision setUser(CoordinatorCommand.SetUser command) {
    tasks.share(command.user().name(), command.user().share());
    return Decision.ofRows(List.of(new LogEntry.UserSet(command.user())))
        .thenAnswer(command.replyTo(), Reply.of(command.user().name()));
  }
}
