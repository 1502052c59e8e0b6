package io.remuda.coordinator.job;

import io.remuda.agent.protocol.GangStart;
import io.remuda.coordinator.api.AcceptedJobs;
import io.remuda.coordinator.api.CoordinatorCommand;
import io.remuda.coordinator.api.CoordinatorCommand.Caller;
import io.remuda.coordinator.api.NewJob;
import io.remuda.coordinator.api.ReferencedStoredJobs;
import io.remuda.coordinator.api.Rejection;
import io.remuda.coordinator.api.Reply;
import io.remuda.coordinator.api.WaitText;
import io.remuda.coordinator.commit.Decision;
import io.remuda.coordinator.commit.DurableLog;
import io.remuda.coordinator.lifecycle.TaskState;
import io.remuda.coordinator.registry.NodeRegistry;
import io.remuda.coordinator.registry.TaskRegistry;
import io.remuda.coordinator.registry.task.ImmediateOrHeldStart;
import io.remuda.coordinator.schedule.FitCheck;
import io.remuda.coordinator.schedule.model.Gang;
import io.remuda.coordinator.schedule.model.NodeOffer;
import io.remuda.coordinator.schedule.model.WaitReason;
import io.remuda.coordinator.settings.NoticeSettings;
import io.remuda.coordinator.store.JobChangeRowConverter;
import io.remuda.coordinator.store.JournalWriter;
import io.remuda.coordinator.store.row.StoreChange;
import io.remuda.telemetry.model.DeviceInfo;
import io.remuda.worker.job.GangRoleSpec;
import io.remuda.worker.job.JobDependency;
import io.remuda.worker.job.JobId;
import io.remuda.worker.job.JobSpec;
import io.remuda.worker.job.ResourceRequest;
import io.remuda.worker.job.TaskArrayTerms;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.Set;

/**
 * Decides which jobs are accepted: checks them, adds them to the registry, and returns their rows.
 * Used only by the coordinator's actor.
 */
public final class JobAdmission {

  /**
   * Jobs that are in the registry from now on.
   *
   * @param rows to be committed before the jobs are acknowledged; empty if all were known already
   */
  record Admitted(AcceptedJobs jobs, List<StoreChange> rows) {}

  /** Stands for the number of a job that has none yet. */
  private static final JobId UNNUMBERED = new JobId(1);

  private final TaskRegistry tasks;
  private final NodeRegistry nodes;
  private final JobChangeRowConverter jobRows;
  private final DurableLog durableLog;
  private final LiveJobLimiter load;
  private final DependencyCheck dependencies;
  private final long completeAt;
  private final UserLimitCheck users;
  private final NoticePolicy notices;
  private final JobTurnCheck turns;
  private boolean closed;

  /**
   * @param load of the live jobs
   * @param completeAt time on the monotonic clock; before it, nodes of an earlier server may not
   *     have joined again, so no job is rejected because it fits on no node
   * @param notices whom jobs may tell what happens to them
   */
  public JobAdmission(
      TaskRegistry tasks,
      NodeRegistry nodes,
      JobChangeRowConverter jobRows,
      DurableLog durableLog,
      LiveJobLimiter load,
      EndedJobEviction endedJobs,
      long completeAt,
      NoticeSettings notices) {
    this.tasks = tasks;
    this.nodes = nodes;
    this.jobRows = jobRows;
    this.durableLog = durableLog;
    this.load = load;
    this.dependencies = new DependencyCheck(tasks, endedJobs);
    this.completeAt = completeAt;
    this.users = new UserLimitCheck(tasks, load);
    this.notices = new NoticePolicy(notices);
    this.turns = new JobTurnCheck(tasks.userUse().tests(), jobRows::wallMillis);
  }

  /** Submits all of these jobs or none. */
  public Decision submit(CoordinatorCommand.SubmitJobs command, long now) {
    Reply<Admitted> outcome = admit(command.jobs(), command.stored(), command.caller(), now);
    if (outcome instanceof Reply.No<Admitted> refused) {
      return Decision.refuse(command.replyTo(), refused.rejection());
    }
    Admitted admitted = ((Reply.Yes<Admitted>) outcome).value();
    return Decision.ofRows(admitted.rows())
        .thenAnswer(command.replyTo(), Reply.of(admitted.jobs()))
        .placing();
  }

  /** Adds jobs to the registry, unless one of them is rejected. */
  Reply<Admitted> admit(List<NewJob> jobs, ReferencedStoredJobs stored, Caller caller, long now) {
    List<JobId> known = known(jobs, stored);
    if (!known.isEmpty()) {
      return Reply.of(new Admitted(new AcceptedJobs(known, true), List.of()));
    }
    Optional<Rejection> no = refusal(jobs, stored, caller, now);
    if (no.isPresent()) {
      return Reply.no(no.get());
    }
    List<JobId> ids = new ArrayList<>();
    List<StoreChange> rows = new ArrayList<>();
    for (NewJob job : jobs) {
      JobSpec spec =
          turns.bounded(
              placed(
                  load.shared(job)
                      .numbered(
                          jobRows.newId(job.terms().array().numbers(job.tasks().size())), ids),
                  job));
      ids.add(spec.id());
      load.add(spec);
      Set<JobDependency> open = dependencies.open(spec.terms(), stored);
      ImmediateOrHeldStart start =
          job.hold() ? ImmediateOrHeldStart.ON_HOLD : ImmediateOrHeldStart.AT_ONCE;
      tasks.submit(spec, open, start, now);
      TaskState first = tasks.stateOf(spec.id()).orElseThrow();
      rows.addAll(jobRows.added(spec, first, List.copyOf(open), job.clientKey()));
    }
    return Reply.of(new Admitted(AcceptedJobs.of(ids), rows));
  }

  /** Returns a job before its user's others if {@code wanted} is to be first. */
  JobSpec placed(JobSpec job, NewJob wanted) {
    TaskArrayTerms array = job.terms().array();
    return wanted.terms().array().first() == 0
        ? job
        : job.withTerms(
            job.terms()
                .withArray(
                    array.withFirst(
                        tasks.requests().nextFirst(job.user()),
                        wanted.terms().array().firstUntilMillis())));
  }

  /** Returns why a job with other terms may not be ahead of others; empty if it may, or is not. */
  Optional<Rejection> refusalOfTurn(JobSpec before, JobSpec job) {
    return turns.refusal(NewJob.like(before), NewJob.like(job));
  }

  /** Returns a job with the time limit that its class has where it states none. */
  JobSpec bounded(JobSpec job) {
    return turns.bounded(job);
  }

  /** Returns why no node can ever run a job that waits; empty if one can. */
  Optional<Rejection> refusal(JobSpec job, long now) {
    return now - completeAt < 0
        ? Optional.empty()
        : refusal(NewJob.like(job), tasks.offers(nodes.all(), now));
  }

  /** Returns why a job with other dependencies would never start; empty if it may. */
  Optional<Rejection> refusal(JobSpec job, ReferencedStoredJobs stored) {
    return dependencies.neverStarts(NewJob.like(job), stored);
  }

  /** Returns the dependencies for which a job with new terms waits. */
  Set<JobDependency> open(JobSpec job, ReferencedStoredJobs stored) {
    return dependencies.open(job.terms(), stored);
  }

  /** Notes that a live job takes more memory of the server, or less. */
  void changed(JobSpec before, JobSpec after) {
    load.remove(before);
    load.add(after);
  }

  /** Answers whether the jobs would be accepted, with an empty list: they have no numbers. */
  public Decision check(CoordinatorCommand.CheckJobs command, long now) {
    return Decision.answer(
        command.replyTo(),
        refusal(command.jobs(), command.stored(), command.caller(), now)
            .<Reply<AcceptedJobs>>map(Reply::no)
            .orElse(Reply.of(AcceptedJobs.of(List.of()))));
  }

  /** Returns the jobs with these idempotency keys; empty unless there is one for each job. */
  private List<JobId> known(List<NewJob> jobs, ReferencedStoredJobs stored) {
    List<JobId> known = new ArrayList<>();
    for (NewJob job : jobs) {
      if (job.clientKey() != null) {
        jobRows
            .byKey(job.user(), job.clientKey())
            .or(() -> Optional.ofNullable(stored.byKey().get(job.clientKey())))
            .ifPresent(known::add);
      }
    }
    return known.size() == jobs.size() ? known : List.of();
  }

  /** Stops the acceptance of jobs and, by {@link #isClosed}, their placement. */
  void close() {
    closed = true;
  }

  public boolean isClosed() {
    return closed;
  }

  private Optional<Rejection> refusal(
      List<NewJob> jobs, ReferencedStoredJobs stored, Caller caller, long now) {
    if (closed) {
      return Optional.of(Rejection.of(Rejection.Code.WRONG_STATE, "the server is being stopped"));
    }
    Optional<String> trouble = durableLog.trouble();
    if (trouble.isPresent()) {
      return Optional.of(
          new Rejection(
              Rejection.Code.DISK,
              "the state cannot be written: " + trouble.get(),
              trouble.get().contains(JournalWriter.STANDS_STILL)
                  ? "try again once it responds; running tasks continue"
                  : "make room on the disk; running tasks continue"));
    }
    Optional<Rejection> tooMany = load.refusal(jobs).or(() -> users.tooMany(jobs));
    if (tooMany.isPresent()) {
      return tooMany;
    }
    boolean complete = now - completeAt >= 0;
    List<NodeOffer> offers = complete ? tasks.offers(nodes.all(), now) : List.of();
    for (int i = 0; i < jobs.size(); i++) {
      NewJob job = jobs.get(i);
      Optional<Rejection> no =
          notices
              .refusal(job, caller)
              .or(() -> dependencies.neverStarts(job, stored))
              .or(() -> DependencyCheck.differs(job, jobs))
              .or(() -> tooMany(job))
              .or(() -> turns.refusal(job))
              .or(() -> users.neverStarts(job))
              .or(() -> UnknownNodeCheck.refusal(job, offers))
              .or(() -> refusal(job, offers));
      if (no.isPresent()) {
        return jobs.size() == 1 ? no : Optional.of(no.get().about(job, i));
      }
    }
    return Optional.empty();
  }

  /** Returns the rejection of a gang whose members are too many to be told to all of them. */
  private static Optional<Rejection> tooMany(NewJob job) {
    if (!job.terms().startsTogether()) {
      return Optional.empty();
    }
    List<GangRoleSpec> roles = job.terms().gang().roles();
    long members = job.tasks().size();
    long devices =
        roles.isEmpty()
            ? members * job.request().gpus()
            : roles.stream().mapToLong(role -> role.tasks() * role.request().gpus()).sum();
    if (GangStart.usualBytes(members, devices) <= GangStart.MOST_BYTES) {
      return Optional.empty();
    }
    return Optional.of(
        new Rejection(
            Rejection.Code.TOO_MANY,
            "a gang of "
                + members
                + " members with "
                + devices
                + " GPUs is too large: each member is told the places of all; at most "
                + GangStart.MOST_BYTES / GangStart.usualBytes(1, 0)
                + " without GPUs, fewer with",
            "make several gangs of it, or let its tasks start one by one"));
  }

  private Optional<Rejection> refusal(NewJob job, List<NodeOffer> offers) {
    if (offers.isEmpty()) {
      return Optional.empty(); // it waits for nodes to join
    }
    List<WaitReason> reasons = neverFits(job, offers);
    return reasons.isEmpty()
        ? Optional.empty()
        : Optional.of(
            new Rejection(
                Rejection.Code.NEVER_FITS,
                "no node can ever run this: " + String.join("; ", WaitText.lines(reasons)),
                WaitText.advice(reasons)));
  }

  /** Returns what the nodes lack for the job, even if they were empty; empty if it fits. */
  private List<WaitReason> neverFits(NewJob job, List<NodeOffer> offers) {
    ResourceRequest needs = tasks.needs(job.request(), job.type());
    if (job.terms().startsTogether()) {
      return FitCheck.everRefused(
          offers,
          Gang.of(UNNUMBERED, job.terms().gang()),
          needs,
          job.tasks().size(),
          job.terms().policy());
    }
    List<GangRoleSpec> roles = job.terms().gang() == null ? List.of() : job.terms().gang().roles();
    for (GangRoleSpec role : roles) {
      List<WaitReason> reasons = FitCheck.everRefused(offers, role.request());
      if (!reasons.isEmpty()) {
        return reasons;
      }
    }
    return roles.isEmpty() ? FitCheck.everRefused(offers, needs) : List.of();
  }

  /** Returns why a known node can never run a job, whether or not other nodes join later. */
  Optional<Rejection> neverOn(String node, NewJob job, long now) {
    List<NodeOffer> offers =
        tasks.offers(nodes.all(), now).stream().filter(one -> one.node().equals(node)).toList();
    return refusal(job, offers);
  }

  /** Returns the devices of a node; none if it is not known. */
  List<DeviceInfo> devicesOf(String node) {
    return nodes.find(node).map(NodeRegistry.Node::devices).orElse(List.of());
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
}
