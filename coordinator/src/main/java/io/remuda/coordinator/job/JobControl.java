package io.remuda.coordinator.job;

import io.remuda.agent.protocol.CoordinatorMessage;
import io.remuda.coordinator.api.CoordinatorCommand;
import io.remuda.coordinator.api.JobTermsChange;
import io.remuda.coordinator.api.Rejection;
import io.remuda.coordinator.api.Reply;
import io.remuda.coordinator.commit.Decision;
import io.remuda.coordinator.commit.Effect;
import io.remuda.coordinator.lifecycle.TaskState;
import io.remuda.coordinator.lifecycle.TaskTrigger;
import io.remuda.coordinator.registry.TaskRegistry;
import io.remuda.coordinator.registry.policy.ServerEndTime;
import io.remuda.coordinator.registry.task.PlacedTask;
import io.remuda.coordinator.registry.task.TaskChange;
import io.remuda.coordinator.store.JobChangeRowConverter;
import io.remuda.coordinator.store.row.StoreChange;
import io.remuda.worker.job.JobId;
import io.remuda.worker.job.JobSpec;
import io.remuda.worker.job.TaskId;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import java.util.stream.Stream;

/**
 * Decides users' changes of jobs that are accepted already, of users, and of job types. Used only
 * by the coordinator's actor.
 */
public final class JobControl {

  private final TaskRegistry tasks;
  private final JobChangeRowConverter jobRows;
  private final JobAdmission admission;
  private final StartConditionChangeRule start;
  private final WaitingTaskCanceller waiting;
  private final KillOrders kills;

  public JobControl(TaskRegistry tasks, JobChangeRowConverter jobRows, JobAdmission admission) {
    this.tasks = tasks;
    this.jobRows = jobRows;
    this.admission = admission;
    this.start = new StartConditionChangeRule(tasks, admission);
    this.waiting = new WaitingTaskCanceller(tasks);
    this.kills = new KillOrders(tasks);
  }

  /**
   * Lets the jobs begin whose time has come, and those fall back whose time to be first is over.
   */
  public Decision begin(long now) {
    List<StoreChange> rows = new ArrayList<>();
    for (JobSpec job : tasks.requests().fallBack(jobRows.wallMillis())) {
      rows.addAll(jobRows.respecified(job));
    }
    Decision begun = Decision.of(tasks.begin(jobRows.wallMillis(), now));
    return rows.isEmpty() ? begun : begun.withRows(rows).placing();
  }

  /** Notes when the server ends. */
  public Decision serverEnds(CoordinatorCommand.ServerEnds command, long now) {
    tasks.serverEnds(
        command.left() == null
            ? ServerEndTime.NEVER
            : new ServerEndTime(
                now + command.left().toNanos(), jobRows.wallMillis() + command.left().toMillis()));
    return Decision.NONE.placing();
  }

  /** Cancels, holds or releases a job, or cancels or requeues one of its tasks. */
  public Decision change(CoordinatorCommand.ChangeJob command, long now) {
    Optional<Rejection> no = refusalOf(command);
    if (no.isPresent()) {
      return Decision.refuse(command.replyTo(), no.get());
    }
    List<TaskChange> changes = changesOf(command, now);
    if (changes.isEmpty() && isRequeue(command.action())) {
      return Decision.refuse(command.replyTo(), nothingRuns(command));
    }
    Decision decision = Decision.of(changes);
    if (command.action() == CoordinatorCommand.Action.CANCEL_NOW) {
      decision = kills.those(decision, task -> isMeant(command, task));
      kills.whole(command.task() == null ? Set.of(command.job()) : Set.of());
    }
    return decision.thenAnswer(command.replyTo(), Reply.of(command.job())).placing();
  }

  /** Changes many jobs and tasks in one step; what is refused does not stop the others. */
  public Decision changeAll(CoordinatorCommand.ChangeJobs command, long now) {
    JobBatchChange batch = new JobBatchChange(this, tasks, command);
    batch.all(now);
    Decision decision = Decision.of(batch.changes());
    if (command.action() == CoordinatorCommand.Action.CANCEL_NOW) {
      decision = kills.those(decision, batch::means);
      kills.whole(batch.jobs());
    }
    return decision.thenAnswer(command.replyTo(), Reply.of(batch.outcome())).placing();
  }

  /** Brings a portion of tasks to the state of their jobs. */
  public Decision settle(long now) {
    return kills.later(tasks.settle(now));
  }

  /** Returns why a change is refused. */
  Optional<Rejection> refusalOf(CoordinatorCommand.ChangeJob command) {
    return refusal(command.job(), command.caller())
        .or(() -> command.task() == null ? Optional.empty() : refusalOfTask(command));
  }

  /** Makes a change that is not refused. */
  List<TaskChange> changesOf(CoordinatorCommand.ChangeJob command, long now) {
    return command.task() == null ? changes(command, now) : changesOfTask(command, now);
  }

  /** Cancels the tasks of a job that have no place yet. */
  public Decision cancelWaiting(CoordinatorCommand.CancelWaiting command, long now) {
    Optional<Rejection> no = refusal(command.job(), command.caller());
    if (no.isPresent()) {
      return Decision.refuse(command.replyTo(), no.get());
    }
    String why = cancelledBy(command.caller(), command.reason());
    WaitingTaskCanceller.Outcome outcome = waiting.cancel(command.job(), command.tasks(), why, now);
    return Decision.of(outcome.changes())
        .thenAnswer(command.replyTo(), Reply.of(outcome.answer()))
        .placing();
  }

  /** Changes the terms of a job. */
  public Decision set(CoordinatorCommand.SetJob command, long now) {
    JobId id = command.job();
    Optional<Rejection> no = refusal(id, command.caller());
    if (no.isPresent()) {
      return Decision.refuse(command.replyTo(), no.get());
    }
    JobSpec before = tasks.job(id).orElseThrow();
    JobSpec after;
    try {
      JobSpec changed = command.change().applied(before);
      JobSpec placed = admission.placed(changed, command.change().wanted());
      after = admission.bounded(atOnceIfPast(placed, command.change()));
    } catch (IllegalArgumentException wrong) {
      return Decision.refuse(
          command.replyTo(), Rejection.of(Rejection.Code.INVALID, wrong.getMessage()));
    }
    Optional<Rejection> unfit = admission.refusalOfTurn(before, after);
    if (unfit.isEmpty() && command.change().isOfNeeds()) {
      unfit = refusalOfNeeds(after, now);
    }
    if (unfit.isEmpty() && command.change().isOfStart()) {
      unfit = start.refusal(after, command.change(), command.stored());
    }
    if (unfit.isPresent()) {
      return Decision.refuse(command.replyTo(), unfit.get());
    }
    admission.changed(before, after);
    if (command.change().isOfStart()) {
      List<TaskChange> changes = start.apply(after, command.change(), command.stored(), now);
      return Decision.of(changes)
          .withRows(jobRows.respecified(tasks.live(id).orElseThrow()))
          .thenAnswer(command.replyTo(), Reply.of(new CoordinatorCommand.JobSet(id, 0)))
          .placing();
    }
    tasks.requests().change(after);
    int ending =
        command.change().fields().contains("timeLimit") ? tasks.requests().overdue(id, now) : 0;
    List<TaskChange> gaveUp =
        command.change().fields().contains("maxFails")
            ? tasks.requests().giveUpIfFailedEnough(id, now)
            : List.of();
    return Decision.of(gaveUp)
        .withRows(jobRows.respecified(after))
        .thenAnswer(command.replyTo(), Reply.of(new CoordinatorCommand.JobSet(id, ending)))
        .placing();
  }

  /** Returns a job without its time to begin if that is over. */
  private JobSpec atOnceIfPast(JobSpec job, JobTermsChange change) {
    boolean past = job.terms().beginMillis() <= jobRows.wallMillis();
    return change.isOfStart() && past ? job.withTerms(job.terms().withBegin(0)) : job;
  }

  private Optional<Rejection> refusalOfNeeds(JobSpec job, long now) {
    long placed = tasks.placed().stream().filter(task -> task.id().job().equals(job.id())).count();
    return placed == 0
        ? admission.refusal(job, now)
        : Optional.of(
            new Rejection(
                Rejection.Code.WRONG_STATE,
                "job "
                    + job.id()
                    + " has "
                    + (placed == 1
                        ? "a task that has its place"
                        : placed + " tasks that have a place"),
                "what its tasks need can be changed while all of them wait: remuda requeue --hold "
                    + job.id()
                    + " has them wait again"));
  }

  private List<TaskChange> changes(CoordinatorCommand.ChangeJob command, long now) {
    JobId id = command.job();
    return switch (command.action()) {
      case CANCEL, CANCEL_NOW ->
          tasks.requests().cancel(id, cancelledBy(command.caller(), command.reason()), now);
      case HOLD -> tasks.requests().hold(id, now);
      case RELEASE -> tasks.requests().release(id, now);
      case REQUEUE -> tasks.requests().leave(id, requeuedBy(command), now);
      case REQUEUE_ON_HOLD -> heldAndLeft(id, command, now);
    };
  }

  private List<TaskChange> changesOfTask(CoordinatorCommand.ChangeJob command, long now) {
    TaskId task = new TaskId(command.job(), command.task());
    return isRequeue(command.action())
        ? tasks.requests().fire(task, TaskTrigger.PREEMPT, requeuedBy(command), now)
        : tasks
            .requests()
            .fire(task, TaskTrigger.CANCEL, cancelledBy(command.caller(), command.reason()), now);
  }

  private static boolean isMeant(CoordinatorCommand.ChangeJob command, TaskId task) {
    boolean its = command.task() == null || command.task() == task.index();
    return its && task.job().equals(command.job());
  }

  private static String cancelledBy(CoordinatorCommand.Caller caller, String reason) {
    String who = "cancelled by " + caller.user();
    return reason == null ? who : who + ": " + reason;
  }

  /** Refuses to change one task that is not there, has ended, or belongs to a gang. */
  private Optional<Rejection> refusalOfTask(CoordinatorCommand.ChangeJob command) {
    TaskId task = new TaskId(command.job(), command.task());
    JobSpec job = tasks.job(command.job()).orElseThrow();
    if (command.task() >= job.tasks().size()) {
      return Optional.of(
          Rejection.of(
              Rejection.Code.NOT_FOUND,
              "there is no task " + task + ": job " + job.id() + " has " + job.tasks().size()));
    }
    if (job.terms().startsTogether()) {
      return Optional.of(
          new Rejection(
              Rejection.Code.WRONG_STATE,
              words(job, task) + " is a member of a gang, whose tasks start and end together",
              "name the job, " + job.id()));
    }
    if (command.action() == CoordinatorCommand.Action.HOLD
        || command.action() == CoordinatorCommand.Action.RELEASE
        || command.action() == CoordinatorCommand.Action.REQUEUE_ON_HOLD) {
      return Optional.of(
          new Rejection(
              Rejection.Code.INVALID, "only a whole job is put on hold", "name job " + job.id()));
    }
    return tasks
        .find(task)
        .filter(found -> found.state().isFinal())
        .map(
            found ->
                Rejection.of(
                    Rejection.Code.WRONG_STATE,
                    words(job, task) + " has ended: " + found.state().label()));
  }

  /** Returns {@code task 5.2}, with its array index if that is another number. */
  private static String words(JobSpec job, TaskId task) {
    return "task " + job.terms().array().words(task);
  }

  static boolean isRequeue(CoordinatorCommand.Action action) {
    return action == CoordinatorCommand.Action.REQUEUE
        || action == CoordinatorCommand.Action.REQUEUE_ON_HOLD;
  }

  Rejection nothingRuns(CoordinatorCommand.ChangeJob command) {
    if (command.task() != null) {
      TaskId task = new TaskId(command.job(), command.task());
      return Rejection.of(
          Rejection.Code.WRONG_STATE,
          words(tasks.job(command.job()).orElseThrow(), task)
              + " does not run: it is "
              + tasks.find(task).orElseThrow().state().label());
    }
    JobId id = command.job();
    return Rejection.of(
        Rejection.Code.WRONG_STATE,
        "job " + id + " has no running task: it is " + tasks.stateOf(id).orElseThrow().label());
  }

  private static String requeuedBy(CoordinatorCommand.ChangeJob command) {
    return "requeued by " + command.caller().user();
  }

  private List<TaskChange> heldAndLeft(JobId id, CoordinatorCommand.ChangeJob command, long now) {
    List<TaskChange> changes = new ArrayList<>(tasks.requests().hold(id, now));
    changes.addAll(tasks.requests().leave(id, requeuedBy(command), now));
    return changes;
  }

  private Optional<Rejection> refusal(JobId id, CoordinatorCommand.Caller caller) {
    Optional<JobSpec> job = tasks.job(id);
    if (job.isEmpty()) {
      return Optional.of(
          Rejection.of(Rejection.Code.NOT_FOUND, "job " + id + " is over, or there is none"));
    }
    if (!caller.mayActFor(job.get().user())) {
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

  /** Ends all placed tasks when the server stops, and accepts no more jobs. */
  public Decision stop(CoordinatorCommand.StopAll command, long now) {
    admission.close();
    List<TaskChange> changes =
        command.fate() == CoordinatorCommand.Fate.WAITS_AGAIN
            ? tasks.requests().leaveAll("the server's machines are taken away", now)
            : tasks.requests().stop("the server was stopped", now);
    CoordinatorCommand.Stopped stopped =
        new CoordinatorCommand.Stopped(changes.size(), longestGraceMillis());
    Decision decision = Decision.of(changes);
    if (command.urgency() == CoordinatorCommand.Urgency.AT_ONCE) {
      decision = kills.those(decision, task -> true);
    }
    return decision.thenAnswer(command.replyTo(), stopped);
  }

  private long longestGraceMillis() {
    return awaited()
        .map(task -> tasks.job(task.id().job()).orElseThrow().terms().ending().graceMillis())
        .max(Comparator.naturalOrder())
        .orElse(0L);
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

  /** Returns the tasks that end soon: those of silent nodes may end at any time or never. */
  private Stream<PlacedTask> awaited() {
    return tasks.placed().stream()
        .filter(task -> task.state().isLeaving())
        .filter(task -> task.progress().silentSince() == 0);
  }

  /** Answers how many tasks are ending or leaving their places. */
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
    tasks.shares().share(command.user().name(), command.user().share());
    tasks.userUse().limit(command.user().name(), command.user().limits());
    return Decision.ofRows(List.of(new StoreChange.UserSet(command.user())))
        .thenAnswer(command.replyTo(), Reply.of(command.user().name()))
        .placing();
  }
}
