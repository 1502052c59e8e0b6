package io.remuda.coordinator.api;

import io.remuda.coordinator.profile.JobType;
import io.remuda.worker.job.GangRoleSpec;
import io.remuda.worker.job.JobDependency;
import io.remuda.worker.job.JobId;
import io.remuda.worker.job.JobSpec;
import io.remuda.worker.job.JobTerms;
import io.remuda.worker.job.ResourceRequest;
import io.remuda.worker.job.Workload;
import io.remuda.worker.job.sweep.Sweep;
import java.util.Collections;
import java.util.List;
import java.util.Objects;
import java.util.Optional;
import java.util.UUID;
import java.util.stream.Stream;

/**
 * A job without a number.
 *
 * @param tasks the workload of each task
 * @param threads number of threads of each task
 * @param tied whether its tasks end when they lose contact with the coordinator
 * @param hold whether it waits until its user releases it
 * @param clientKey idempotency key of the submission, or null
 * @param siblings dependencies on other jobs of the same submission
 * @param named dependencies on earlier jobs of the user by name, until they are looked up
 */
public record NewJob(
    String name,
    String user,
    ResourceRequest request,
    JobTerms terms,
    List<Workload> tasks,
    int threads,
    boolean tied,
    boolean hold,
    String clientKey,
    List<SiblingDependency> siblings,
    List<NamedDependency> named) {

  /** A dependency on the user's newest job of a name. */
  public record NamedDependency(String name, JobDependency.When when) {

    /** Stands for all unfinished jobs of the user with the name of the job itself. */
    public static final String SINGLETON = "@singleton";
  }

  /**
   * A dependency on an earlier job of the same submission.
   *
   * @param position of that job, from 0
   */
  public record SiblingDependency(int position, JobDependency.When when) {}

  public NewJob {
    siblings = List.copyOf(siblings);
    named = List.copyOf(named);
    requireCount(tasks.size());
    Sweep sweep = terms.array().sweep();
    if (sweep != null && sweep.size() != tasks.size()) {
      throw new IllegalArgumentException(
          "the sweep has " + sweep.size() + " tasks, the job has " + tasks.size());
    }
    if (terms.startsTogether()
        && Stream.concat(
                siblings.stream().map(SiblingDependency::when),
                named.stream().map(NamedDependency::when))
            .anyMatch(JobDependency.When.EACH::equals)) {
      throw new IllegalArgumentException(JobTerms.GANG_AS_A_WHOLE);
    }
    if (terms.gang() != null && !terms.gang().roles().isEmpty()) {
      long wanted = terms.gang().roles().stream().mapToLong(GangRoleSpec::tasks).sum();
      if (wanted != tasks.size()) {
        throw new IllegalArgumentException(
            "the roles have " + wanted + " tasks, the job has " + tasks.size());
      }
    }
  }

  /** Creates a job that depends on no other by name. */
  public NewJob(
      String name,
      String user,
      ResourceRequest request,
      JobTerms terms,
      List<Workload> tasks,
      int threads,
      boolean tied,
      boolean hold,
      String clientKey,
      List<SiblingDependency> siblings) {
    this(name, user, request, terms, tasks, threads, tied, hold, clientKey, siblings, List.of());
  }

  /**
   * Creates a job with alike tasks, which lose nothing when the coordinator ends.
   *
   * @param workload of each task
   * @param tasks number of tasks
   */
  public NewJob(
      String name,
      String user,
      ResourceRequest request,
      JobTerms terms,
      Workload workload,
      int tasks,
      boolean hold,
      String clientKey,
      List<SiblingDependency> siblings) {
    this(
        name,
        user,
        request,
        terms,
        Collections.nCopies(requireCount(tasks), Objects.requireNonNull(workload, "workload")),
        Math.max(1, (int) Math.ceil(request.cpus())),
        false,
        hold,
        clientKey,
        siblings);
  }

  /** Returns a job without a number that is like another one. */
  public static NewJob like(JobSpec job) {
    return new NewJob(
        job.name(),
        job.user(),
        job.request(),
        job.terms(),
        job.tasks(),
        job.threads(),
        job.tied(),
        false,
        null,
        List.of());
  }

  /**
   * Returns a valid number of tasks.
   *
   * @throws IllegalArgumentException if it is not one
   */
  public static int requireCount(int tasks) {
    if (tasks < 1 || tasks > JobSpec.MOST_TASKS) {
      throw new IllegalArgumentException(
          "count must be 1 to " + JobSpec.MOST_TASKS + ", got " + tasks);
    }
    return tasks;
  }

  /** Returns the workload of its first task. */
  public Workload workload() {
    return tasks.get(0);
  }

  /** Returns the type that sizes its part of a device; empty if the job states the size. */
  public Optional<JobType> type() {
    return request.gpuShare().isMeasured()
        ? Optional.of(new JobType(user, terms.type()))
        : Optional.empty();
  }

  /** Returns a copy with an equal workload, so that the environment is kept once. */
  public NewJob doing(Workload equal) {
    Workload first = workload();
    return new NewJob(
        name,
        user,
        request,
        terms,
        tasks.stream().map(task -> task == first ? equal : task).toList(),
        threads,
        tied,
        hold,
        clientKey,
        siblings,
        named);
  }

  /** Returns a copy that depends on these jobs, too, and on none by name. */
  public NewJob after(List<JobDependency> others) {
    return new NewJob(
        name,
        user,
        request,
        terms.withAfter(Stream.concat(terms.after().stream(), others.stream()).toList()),
        tasks,
        threads,
        tied,
        hold,
        clientKey,
        siblings);
  }

  /**
   * Returns the text that names one job of a submission.
   *
   * @param position from 0
   * @param name null if it is not known
   */
  public static String said(int position, String name) {
    return "job number " + (position + 1) + (name == null ? "" : ", '" + name + "'");
  }

  /**
   * Returns the job with its number.
   *
   * @param before numbers of the earlier jobs of the submission
   */
  public JobSpec numbered(JobId id, List<JobId> before) {
    List<JobDependency> own =
        siblings.stream()
            .map(sibling -> new JobDependency(before.get(sibling.position()), sibling.when()))
            .toList();
    JobTerms all = terms.withAfter(Stream.concat(terms.after().stream(), own.stream()).toList());
    return new JobSpec(id, UUID.randomUUID(), name, user, tied, request, threads, all, tasks);
  }
}
