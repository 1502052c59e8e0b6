package io.remuda.coordinator.api;

import static io.remuda.coordinator.jobfield.NeedsRows.GPUS;

import io.remuda.coordinator.jobfield.ContainerRows;
import io.remuda.coordinator.jobfield.FieldTable;
import io.remuda.coordinator.jobfield.JobField;
import io.remuda.coordinator.jobfield.JobField.Changes;
import io.remuda.coordinator.jobfield.NeedsRows;
import io.remuda.coordinator.jobfield.SubmissionRows;
import io.remuda.coordinator.jobfield.SweepRows;
import io.remuda.coordinator.jobfield.TimeRows;
import io.remuda.coordinator.jobfield.TrainingRows;
import io.remuda.coordinator.jobfield.WorkRows;
import io.remuda.worker.job.CommandWorkload;
import io.remuda.worker.job.EndingTerms;
import io.remuda.worker.job.JobSpec;
import io.remuda.worker.job.JobTerms;
import io.remuda.worker.job.JobTerms.Qos;
import io.remuda.worker.job.NodeConstraints;
import io.remuda.worker.job.PreemptionTerms;
import io.remuda.worker.job.ResourceRequest;
import io.remuda.worker.job.Workload;
import java.util.Collections;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeSet;
import java.util.stream.Stream;

/**
 * Other terms for a job that is there already.
 *
 * @param wanted a job with these terms; what no field stands for has no meaning
 * @param fields the fields of the request that are given, those that can change
 */
public record JobTermsChange(NewJob wanted, Set<String> fields) {

  public JobTermsChange {
    fields = Set.copyOf(fields);
    requireKnown(fields);
  }

  /**
   * Checks that all fields can change.
   *
   * @throws IllegalArgumentException if one cannot; the message is for users
   */
  public static void requireKnown(Set<String> fields) {
    for (String field : new TreeSet<>(fields)) {
      if (FieldTable.JOB.find(field).orElseThrow().changes() == Changes.NEVER) {
        throw new IllegalArgumentException(
            field + " cannot be changed: submit a new job with it in place of this one");
      }
    }
  }

  private boolean has(JobField<?>... some) {
    return Stream.of(some).map(JobField::name).anyMatch(fields::contains);
  }

  /** Returns what is wanted if one of the fields that say it is given, else what is there. */
  private <T> T pick(T old, T other, JobField<?>... some) {
    return has(some) ? other : old;
  }

  /** Returns whether it says where a task can run, or with what. */
  public boolean isOfNeeds() {
    return FieldTable.JOB.fields().stream()
        .anyMatch(field -> field.changes() == Changes.WAITING && has(field));
  }

  /** Returns whether it says when the first task can start. */
  public boolean isOfStart() {
    return has(SubmissionRows.BEGIN) || isOfDependencies();
  }

  /** Returns whether it says after which jobs it starts. */
  public boolean isOfDependencies() {
    return has(TimeRows.AFTER, TimeRows.AFTER_ONE_OF);
  }

  /**
   * Returns a job with these terms. Its place among others of its user is left as it is.
   *
   * @throws IllegalArgumentException if they make no sense for it; the message is for users
   */
  public JobSpec applied(JobSpec job) {
    boolean roles = job.terms().gang() != null && !job.terms().gang().roles().isEmpty();
    if (roles && isOfNeeds()) {
      throw new IllegalArgumentException(
          "job " + job.id() + " has roles, and what their tasks need cannot be changed");
    }
    ResourceRequest needs = isOfNeeds() ? needs(job.request()) : job.request();
    JobTerms terms = terms(job.terms(), needs.gpuShare().isMeasured());
    return new JobSpec(
        job.id(),
        job.uuid(),
        pick(job.name(), wanted.name(), WorkRows.NAME),
        job.user(),
        job.tied(),
        needs,
        pick(job.threads(), wanted.threads(), NeedsRows.CPUS),
        terms,
        tasks(job));
  }

  private ResourceRequest needs(ResourceRequest old) {
    ResourceRequest other = wanted.request();
    boolean none = has(GPUS) && other.gpus() == 0;
    boolean one = old.gpus() == 0 && other.gpus() > 0; // gpuMem alone means one
    long gpuMemory =
        none ? other.gpuMemory() : pick(old.gpuMemory(), other.gpuMemory(), NeedsRows.GPU_MEM);
    if (has(NeedsRows.SHARE_IF)) {
      NeedsRows.checkPromise(gpuMemory);
    }
    boolean promised = old.shareIf() > 0 && !has(NeedsRows.SHARE_IF);
    boolean ends =
        none
            || promised
                && (has(NeedsRows.PER_GPU, NeedsRows.EXCLUSIVE)
                    || gpuMemory != ResourceRequest.AUTO);
    return new ResourceRequest(
        pick(old.cpus(), other.cpus(), NeedsRows.CPUS),
        one ? other.gpus() : pick(old.gpus(), other.gpus(), GPUS),
        pick(old.memory(), other.memory(), NeedsRows.MEM),
        gpuMemory,
        none ? other.gpuModel() : pick(old.gpuModel(), other.gpuModel(), NeedsRows.GPU_MODEL),
        pick(old.labels(), other.labels(), NeedsRows.LABELS),
        ends
            ? other.perGpu()
            : pick(
                old.perGpu(),
                other.perGpu(),
                NeedsRows.PER_GPU,
                NeedsRows.EXCLUSIVE,
                NeedsRows.SHARE_IF),
        old.gpuPercent(),
        old.bound(),
        node(old.nodeNeeds(), other.nodeNeeds()),
        ends ? 0 : pick(old.shareIf(), other.shareIf(), NeedsRows.SHARE_IF));
  }

  private NodeConstraints node(NodeConstraints old, NodeConstraints other) {
    return new NodeConstraints(
        pick(old.only(), other.only(), SubmissionRows.NODES),
        pick(old.except(), other.except(), SubmissionRows.EXCLUDE_NODES),
        pick(old.counted(), other.counted(), SubmissionRows.RESOURCES));
  }

  private JobTerms terms(JobTerms old, boolean measured) {
    JobTerms other = wanted.terms();
    String type = pick(old.type(), other.type(), SubmissionRows.TYPE);
    EndingTerms ending =
        new EndingTerms(
            pick(old.ending().graceMillis(), other.ending().graceMillis(), TimeRows.GRACE),
            pick(old.ending().warning(), other.ending().warning(), TimeRows.SIGNAL));
    return old.with(
        terms -> {
          terms.gang = pick(old.gang(), other.gang(), WorkRows.GANG);
          terms.policy = pick(old.policy(), other.policy(), NeedsRows.POLICY);
          terms.priority = pick(old.priority(), other.priority(), NeedsRows.PRIORITY);
          terms.after = isOfDependencies() ? other.after() : old.after();
          terms.afterOne = isOfDependencies() ? other.afterOne() : old.afterOne();
          terms.timeLimitMillis =
              pick(old.timeLimitMillis(), other.timeLimitMillis(), TimeRows.TIME_LIMIT);
          terms.jobTimeLimitMillis =
              pick(old.jobTimeLimitMillis(), other.jobTimeLimitMillis(), TimeRows.JOB_TIME_LIMIT);
          terms.retries = pick(old.retries(), other.retries(), TimeRows.RETRIES);
          terms.neverAgain = pick(old.neverAgain(), other.neverAgain(), TimeRows.RETRIES);
          terms.type = type == null && measured ? other.type() : type;
          terms.ending = ending;
          terms.preemption = hasAny(TimeRows.OF_PREEMPTION) ? preemption(old) : old.preemption();
          terms.training = hasAny(TrainingRows.ALL) ? other.training() : old.training();
          terms.maxRunning = pick(old.maxRunning(), other.maxRunning(), WorkRows.MAX_RUNNING);
          terms.comment = pick(old.comment(), other.comment(), SubmissionRows.COMMENT);
          terms.beginMillis = pick(old.beginMillis(), other.beginMillis(), SubmissionRows.BEGIN);
          if (has(SweepRows.MAX_FAILS)) {
            terms.array = old.array().withMaxFails(other.array().maxFails());
          }
        });
  }

  private PreemptionTerms preemption(JobTerms old) {
    PreemptionTerms other = wanted.terms().preemption();
    return old.qos() == Qos.SCAVENGER
        ? TimeRows.ofScavenger(other, has(TimeRows.PREEMPT_AFTER, TimeRows.MAX_PREEMPTIONS))
        : other;
  }

  private List<Workload> tasks(JobSpec job) {
    boolean changes =
        has(WorkRows.ARGV, WorkRows.SHELL, WorkRows.ENV, WorkRows.WORKDIR, WorkRows.UMASK)
            || hasAny(ContainerRows.ALL);
    if (!changes) {
      return job.tasks();
    }
    Workload first = job.tasks().get(0);
    boolean alike = job.tasks().stream().allMatch(task -> task == first);
    if (!alike || !(first instanceof CommandWorkload command)) {
      throw new IllegalArgumentException(
          "the tasks of job " + job.id() + " do different things: submit it anew to change them");
    }
    CommandWorkload other = (CommandWorkload) wanted.workload();
    Map<String, String> environment = new HashMap<>(command.environment());
    if (has(WorkRows.ENV)) {
      environment.putAll(other.environment());
    }
    Workload mixed =
        new CommandWorkload(
            pick(command.argv(), other.argv(), WorkRows.ARGV, WorkRows.SHELL),
            environment,
            pick(command.folder(), other.folder(), WorkRows.WORKDIR),
            pick(command.umask(), other.umask(), WorkRows.UMASK),
            hasAny(ContainerRows.ALL) ? other.container() : command.container(),
            command.launch(),
            command.streams());
    return Collections.nCopies(job.tasks().size(), mixed);
  }

  private boolean hasAny(List<JobField<?>> some) {
    return some.stream().anyMatch(this::has);
  }
}
