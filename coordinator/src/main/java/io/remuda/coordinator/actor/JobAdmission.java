package io.remuda.coordinator.actor;

import io.remuda.agent.protocol.TaskReport;
import io.remuda.coordinator.lifecycle.TaskState;
import io.remuda.coordinator.profile.JobType;
import io.remuda.coordinator.registry.NodeRegistry;
import io.remuda.coordinator.registry.TaskChange;
import io.remuda.coordinator.registry.TaskRecord;
import io.remuda.coordinator.registry.TaskRegistry;
import io.remuda.coordinator.schedule.FitCheck;
import io.remuda.coordinator.schedule.NodeOffer;
import io.remuda.coordinator.schedule.WaitReason;
import io.remuda.coordinator.store.JobRows;
import io.remuda.coordinator.store.Journal;
import io.remuda.coordinator.store.LogEntry;
import io.remuda.coordinator.store.UserRow;
import io.remuda.telemetry.model.NodeSample;
import io.remuda.worker.job.JobDependency;
import io.remuda.worker.job.JobId;
import io.remuda.worker.job.JobSpec;
import io.remuda.worker.job.TaskId;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.LinkedHashMap;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;

/**
 * Decides users' requests: checks them, changes the registry, and returns the rows that make the
 * changes durable. Used only by the coordinator's actor.
 */
final class JobAdmission {
  /** The maximum number of tasks that are explained one by one. */
  private static final int MOST_UNENDED = 20;

  /**
   * The outcome of a request.
   *
   * @param answer to be sent once {@code entries} and the rows of {@code changes} are durable
   */
  record Outcome<T>(Reply<T> answer, List<TaskChange> changes, List<LogEntry> entries) {
    static <T> Outcome<T> no(Rejection rejection) {
      return new Outcome<>(Reply.no(rejection), List.of(), List.of());
    }
  }

  private static final int MOST_REMEMBERED = 10_000;

  private final TaskRegistry tasks;
  private final NodeRegistry nodes;
  private final Optional<JobRows> book;
  private final DurableLog durableLog;
  private final LiveLoad load;
  private final long completeAt;
  private boolean closed;

  /** The final states of recently ended jobs, which dependencies may name; newest last. */
  private final Map<JobId, TaskState> ended =
      new LinkedHashMap<>() {
        private static final long serialVersionUID = 1;

        @Override
        protected boolean removeEldestEntry(Map.Entry<JobId, TaskState> eldest) {
          return size() > MOST_REMEMBERED;
        }
      };

  /**
   * @param load of the live jobs
   * @param completeAt time on the monotonic clock; before it, nodes of an earlier server may not
   *     have joined again, so no job is rejected because it fits on no node
   */
  JobAdmission(
      TaskRegistry tasks,
      NodeRegistry nodes,
      Optional<JobRows> book,
      DurableLog durableLog,
      LiveLoad load,
      long completeAt) {
    this.load = load;
    this.completeAt = completeAt;
    this.tasks = tasks;
    this.nodes = nodes;
    this.book = book;
    this.durableLog = durableLog;
  }

  /** Returns the rows of new changes and of the profiles they update; empty without a store. */
  List<LogEntry> rows(List<TaskChange> changes) {
    if (book.isEmpty()) {
      return List.of();
    }
    List<LogEntry> rows = new ArrayList<>(book.get().changed(changes, tasks));
    rows.addAll(book.get().learned(tasks.takeProfiles()));
    return rows;
  }

  /** Removes ended jobs, and the details of ended tasks, once their ends are durable. */
  void dropEnded(List<TaskChange> changes) {
    if (book.isEmpty()) {
      return; // a run reads its tasks until it ends
    }
    changes.stream()
        .map(change -> change.attempt().task().job())
        .distinct()
        .forEach(this::dropIfOver);
    changes.stream()
        .filter(change -> change.to().isFinal() && !change.isOfMany())
        .forEach(change -> tasks.isKept(change.attempt().task()));
  }

  private void dropIfOver(JobId job) {
    Optional<TaskState> end = tasks.stateOf(job).filter(TaskState::isFinal);
    end.ifPresent(
        state -> {
          ended.put(job, state);
          tasks.job(job).ifPresent(load::remove);
          tasks.drop(job);
        });
  }

  Outcome<List<JobId>> submit(List<NewJob> jobs, long now) {
    List<JobId> known = known(jobs);
    if (!known.isEmpty()) {
      return new Outcome<>(Reply.of(known), List.of(), List.of());
    }
    Optional<Rejection> no = refusal(jobs, now);
    if (no.isPresent()) {
      return Outcome.no(no.get());
    }
    List<JobId> ids = new ArrayList<>();
    List<LogEntry> entries = new ArrayList<>();
    for (NewJob job : jobs) {
      JobSpec spec = load.shared(job).numbered(book.orElseThrow().newId(), ids);
      ids.add(spec.id());
      load.add(spec);
      Set<JobDependency> open = new LinkedHashSet<>(spec.terms().after());
      open.removeIf(dependency -> !isLive(dependency.job())); // refusal() has checked it
      TaskRegistry.StartPermission start =
          job.hold() ? TaskRegistry.StartPermission.ON_HOLD : TaskRegistry.StartPermission.AT_ONCE;
      tasks.submit(spec, open, start, now);
      TaskState first = tasks.stateOf(spec.id()).orElseThrow();
      entries.addAll(book.orElseThrow().added(spec, first, List.copyOf(open), job.clientKey()));
    }
    return new Outcome<>(Reply.of(List.copyOf(ids)), List.of(), entries);
  }

  /** Returns whether the jobs would be accepted, as an empty list: they have no numbers. */
  Reply<List<JobId>> check(List<NewJob> jobs, long now) {
    return refusal(jobs, now).<Reply<List<JobId>>>map(Reply::no).orElse(Reply.of(List.of()));
  }

  /** Returns the live jobs with these idempotency keys; empty unless there is one for each job. */
  private List<JobId> known(List<NewJob> jobs) {
    List<JobId> known = new ArrayList<>();
    for (NewJob job : jobs) {
      if (job.clientKey() != null) {
        book.orElseThrow().byKey(job.user(), job.clientKey()).ifPresent(known::add);
      }
    }
    return known.size() == jobs.size() ? known : List.of();
  }

  private boolean isLive(JobId job) {
    return tasks.stateOf(job).filter(state -> !state.isFinal()).isPresent();
  }

  /** Stops the acceptance of jobs and, by {@link #isClosed}, their placement. */
  void close() {
    closed = true;
  }

  boolean isClosed() {
    return closed;
  }

  private Optional<Rejection> refusal(List<NewJob> jobs, long now) {
    if (closed) {
      return Optional.of(Rejection.of(Rejection.Code.WRONG_STATE, "the server is being stopped"));
    }
    Optional<String> trouble = durableLog.trouble();
    if (trouble.isPresent()) {
      return Optional.of(
          new Rejection(
              Rejection.Code.DISK,
              "the state cannot be written: " + trouble.get(),
              trouble.get().contains(Journal.STANDS_STILL)
                  ? "try again once it responds; running tasks continue"
                  : "make room on the disk; running tasks continue"));
    }
    Optional<Rejection> tooMany = load.refusal(jobs);
    if (tooMany.isPresent()) {
      return tooMany;
    }
    boolean complete = now - completeAt >= 0;
    List<NodeOffer> offers = complete ? tasks.offers(nodes.all(), now) : List.of();
    for (int i = 0; i < jobs.size(); i++) {
      Optional<Rejection> no = refusal(jobs.get(i), offers);
      if (no.isPresent()) {
        return jobs.size() == 1 ? no : Optional.of(no.get().about(jobs.get(i), i));
      }
    }
    return Optional.empty();
  }

  private Optional<Rejection> refusal(NewJob job, List<NodeOffer> offers) {
    for (JobDependency dependency : job.terms().after()) {
      TaskState end =
          tasks
              .stateOf(dependency.job())
              .filter(TaskState::isFinal)
              .orElse(ended.get(dependency.job()));
      if (end != null && !TaskRegistry.isMet(dependency, end)) {
        return Optional.of(neverMet(dependency, end));
      }
    }
    if (job.terms().gang() && job.terms().retries() > 0) {
      return Optional.of(
          Rejection.of(
              Rejection.Code.INVALID, "a gang cannot have retries: leave one of them out"));
    }
    if (offers.isEmpty()) {
      return Optional.empty(); // it waits for nodes to join
    }
    int atOnce = job.terms().gang() ? job.tasks() : 1;
    List<WaitReason> reasons =
        FitCheck.everRefused(offers, tasks.needs(job.request(), job.type()), atOnce);
    return reasons.isEmpty()
        ? Optional.empty()
        : Optional.of(
            new Rejection(
                Rejection.Code.NEVER_FITS,
                "no node can ever run this: " + String.join("; ", WaitText.lines(reasons)),
                "ask for less, or let a larger node join first"));
  }

  /** Returns why a known node can never run a job, whether or not other nodes join later. */
  Optional<Rejection> neverOn(String node, NewJob job, long now) {
    List<NodeOffer> offers =
        tasks.offers(nodes.all(), now).stream().filter(one -> one.node().equals(node)).toList();
    return refusal(job, offers);
  }

  /** Returns the rejection of a program on a machine without a node. */
  Rejection noNodeHere(long now) {
    return now - completeAt < 0 || nodes.all().isEmpty()
        ? Rejection.of(Rejection.Code.NOT_YET, "the node of this machine has not joined yet")
        : new Rejection(
            Rejection.Code.NEVER_FITS,
            "no node of this server is on this machine",
            "start one here: remuda agent --join FILE");
  }

  /** Returns the rejection of a job with a dependency that can no longer be met. */
  static Rejection neverMet(JobDependency dependency, TaskState end) {
    return Rejection.of(
        Rejection.Code.INVALID,
        "job " + dependency.job() + " " + end.label() + ", so after " + dependency + " is not met");
  }

  Outcome<JobId> change(JobId id, Coordinator.Action action, Coordinator.Caller caller, long now) {
    Optional<JobSpec> job = tasks.job(id);
    if (job.isEmpty()) {
      return Outcome.no(
          Rejection.of(Rejection.Code.NOT_FOUND, "job " + id + " is over, or there is none"));
    }
    if (!caller.mayAll() && !job.get().user().equals(caller.user())) {
      return Outcome.no(
          Rejection.of(Rejection.Code.NOT_YOURS, "job " + id + " belongs to " + job.get().user()));
    }
    Optional<TaskState> end = tasks.stateOf(id).filter(TaskState::isFinal);
    if (end.isPresent()) { // it is removed once its end is durable
      return Outcome.no(
          Rejection.of(Rejection.Code.WRONG_STATE, "job " + id + " is over: " + end.get().label()));
    }
    List<TaskChange> changes =
        switch (action) {
          case CANCEL, CANCEL_NOW -> tasks.cancel(id, "cancelled by " + caller.user(), now);
          case HOLD -> tasks.hold(id, now);
          case RELEASE -> tasks.release(id, now);
        };
    return new Outcome<>(Reply.of(id), changes, List.of());
  }

  /** Ends all placed tasks when the server is stopped. */
  List<TaskChange> stop(long now) {
    return tasks.stop("the server was stopped", now);
  }

  /** Deletes a type's profile, so that its next task is measured again. */
  Outcome<String> forgetProfile(JobType type) {
    return tasks.forgetProfile(type)
        ? new Outcome<>(
            Reply.of(type.name()),
            List.of(),
            book.map(pages -> pages.learned(tasks.takeProfiles())).orElse(List.of()))
        : Outcome.no(
            Rejection.of(
                Rejection.Code.NOT_FOUND, "nothing is known of a type '" + type.name() + "'"));
  }

  Outcome<String> drain(String node, boolean drained) {
    if (nodes.find(node).isEmpty()) {
      return Outcome.no(Rejection.of(Rejection.Code.NOT_FOUND, "no node " + node + " has joined"));
    }
    if (drained) {
      nodes.drain(node);
    } else {
      nodes.resume(node);
    }
    return new Outcome<>(
        Reply.of(node), List.of(), List.of(new LogEntry.NodeDrained(node, drained)));
  }

  /** Declares a silent node permanently gone: drains it and ends its tasks. */
  Outcome<String> giveUp(String node, Coordinator.Caller caller, long now) {
    Optional<NodeRegistry.Node> known = nodes.find(node);
    if (known.isEmpty() && tasks.placedOn(node) == 0) {
      return Outcome.no(Rejection.of(Rejection.Code.NOT_FOUND, "no node " + node + " has joined"));
    }
    if (known.isPresent() && known.get().reachable()) {
      return Outcome.no(
          new Rejection(
              Rejection.Code.WRONG_STATE,
              "node " + node + " answers, so it is not gone",
              "cancel what it runs, or end its agent first"));
    }
    nodes.drain(node);
    List<TaskChange> over =
        tasks.nodeGone(node, "node " + node + " was declared gone by " + caller.user(), now);
    return new Outcome<>(Reply.of(node), over, List.of(new LogEntry.NodeDrained(node, true)));
  }

  /** Forgets a node that does not answer and has no task; it may join again. */
  Outcome<String> removeNode(String node) {
    Optional<NodeRegistry.Node> known = nodes.find(node);
    if (known.isEmpty()) {
      return Outcome.no(Rejection.of(Rejection.Code.NOT_FOUND, "no node " + node + " has joined"));
    }
    if (known.get().reachable()) {
      return Outcome.no(
          new Rejection(
              Rejection.Code.WRONG_STATE,
              "node " + node + " answers",
              "end its agent first; remuda drain only lets it get no more tasks"));
    }
    int placed = tasks.placedOn(node);
    if (placed > 0) {
      return Outcome.no(
          new Rejection(
              Rejection.Code.WRONG_STATE,
              "node " + node + " is silent and may still run " + placed + " tasks",
              "if it is off for good: remuda drain --gone " + node));
    }
    nodes.forget(node);
    return new Outcome<>(Reply.of(node), List.of(), List.of(new LogEntry.NodeDrained(node, false)));
  }

  Outcome<String> setUser(UserRow user) {
    tasks.share(user.name(), user.share());
    return new Outcome<>(Reply.of(user.name()), List.of(), List.of(new LogEntry.UserSet(user)));
  }

  Reply<Explanation> explain(JobId id, long now) {
    Optional<JobSpec> job = tasks.job(id);
    if (job.isEmpty()) {
      return Reply.no(
          Rejection.of(Rejection.Code.NOT_FOUND, "job " + id + " is over, or there is none"));
    }
    List<WaitReason> reasons =
        tasks
            .firstBefore(id)
            .map(TaskRecord::id)
            .map(task -> tasks.whyWaiting(task, now))
            .orElse(List.of());
    return Reply.of(
        new Explanation(
            id,
            tasks.stateOf(id).orElseThrow(),
            tasks.counts(id),
            job.get().request(),
            reasons,
            unended(id)));
  }

  private Map<TaskId, String> unended(JobId id) {
    Map<TaskState, Integer> counts = tasks.counts(id);
    if (!counts.containsKey(TaskState.UNKNOWN) && !counts.containsKey(TaskState.ENDING)) {
      return Map.of();
    }
    Map<TaskId, String> unended = new HashMap<>();
    tasks.of(id).stream()
        .filter(task -> task.whyNotOver().isPresent())
        .limit(MOST_UNENDED)
        .forEach(task -> unended.put(task.id(), task.whyNotOver().get()));
    return unended;
  }

  ClusterView view(Map<String, NodeSample> samples, long now) {
    Map<String, Integer> running = new HashMap<>();
    Map<String, List<TaskReport>> foreign = new HashMap<>();
    for (NodeRegistry.Node node : nodes.all()) {
      running.put(node.name(), tasks.placedOn(node.name()));
      foreign.put(node.name(), node.foreign());
    }
    return new ClusterView(
        tasks.offers(nodes.all(), now),
        running,
        tasks.holders(),
        tasks.promised(),
        samples,
        foreign);
  }
}
