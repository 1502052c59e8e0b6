package io.remuda.coordinator.rest.answer;

import com.fasterxml.jackson.annotation.JsonInclude;
import io.remuda.worker.job.EndingTerms;
import io.remuda.worker.job.GangRoleSpec;
import io.remuda.worker.job.GangTerms;
import io.remuda.worker.job.JobDependency;
import io.remuda.worker.job.JobTerms;
import io.remuda.worker.job.NotificationTerms;
import io.remuda.worker.job.PreemptionTerms;
import io.remuda.worker.job.TaskArrayTerms;
import io.remuda.worker.job.TrainingTerms;
import io.remuda.worker.job.sweep.IndexRanges;
import io.remuda.worker.job.sweep.SweepAxis;
import java.time.Instant;
import java.util.List;
import java.util.Locale;

/**
 * How a job is scheduled and ended.
 *
 * @param gang whether all its tasks start together
 * @param policy how a node is selected
 * @param after jobs that must end first, as {@code JOB:ok|any|fail|each}
 * @param timeLimitMillis of each attempt, 0 for none
 * @param retries how often a task may run again
 * @param type name of jobs with similar needs, or null
 * @param preemption only of a job whose tasks may be asked to leave
 * @param training only of a training
 * @param members only of a gang and of a job with roles
 * @param maxRunning how many tasks run at once at most, 0 for all
 * @param jobTimeLimitMillis time limit of the whole job, 0 for none
 * @param begin when its first task may start, as an instant; absent for at once
 * @param array only of a sweep, and of a job that repeats another, gives up, or was put first
 * @param notice only of a job of which somebody is told, and only for its owner, since a URL may be
 *     a secret
 * @param neverAgain whether its tasks do not run again with more memory either; only if so
 * @param afterOneOf jobs of which one must end first, as {@code JOB:ok|any|fail}; absent unless one
 *     is enough, and then {@code after} is empty
 * @param comment what its user wants to remember of it; absent for nothing
 * @param qos its class, {@code scavenger} or {@code test}; absent for none
 */
public record JobTermsAnswer(
    boolean gang,
    String policy,
    int priority,
    List<String> after,
    long timeLimitMillis,
    int retries,
    String type,
    Ending ending,
    @JsonInclude(JsonInclude.Include.NON_NULL) Preemption preemption,
    @JsonInclude(JsonInclude.Include.NON_NULL) Training training,
    @JsonInclude(JsonInclude.Include.NON_NULL) Members members,
    int maxRunning,
    long jobTimeLimitMillis,
    @JsonInclude(JsonInclude.Include.NON_NULL) String begin,
    @JsonInclude(JsonInclude.Include.NON_NULL) Array array,
    @JsonInclude(JsonInclude.Include.NON_NULL) Notice notice,
    @JsonInclude(JsonInclude.Include.NON_DEFAULT) boolean neverAgain,
    @JsonInclude(JsonInclude.Include.NON_EMPTY) List<String> afterOneOf,
    @JsonInclude(JsonInclude.Include.NON_NULL) String comment,
    @JsonInclude(JsonInclude.Include.NON_NULL) String qos) {

  /**
   * Who is told what happens to it.
   *
   * @param to a URL, an address, or a program
   * @param on {@code start}, {@code end}, {@code fail}
   */
  public record Notice(String to, List<String> on) {

    private static Notice of(NotificationTerms terms) {
      return terms == null
          ? null
          : new Notice(
              terms.to(),
              terms.on().stream().map(one -> one.name().toLowerCase(Locale.ROOT)).toList());
    }
  }

  /**
   * What distinguishes its tasks, and its place among its user's jobs.
   *
   * @param maxFails after so many failed tasks the others are cancelled; 0 for never
   * @param again the job that it repeats, or null
   * @param first whether it was put before its user's other jobs
   * @param firstUntil until when, as an instant; absent for good
   * @param sweep in what its tasks differ; empty if they are alike
   * @param indices array indices of its tasks in their order, as 3,7-20:2; absent if they are the
   *     tasks' numbers, or several tasks have one, or they are too many to list
   * @param picked which tasks of the whole sweep it repeats, by number from 0; absent for all
   * @param numbered true if each task has a number of its own: those that follow the job's, in the
   *     order of the tasks; else absent
   */
  public record Array(
      int maxFails,
      Long again,
      boolean first,
      @JsonInclude(JsonInclude.Include.NON_NULL) String firstUntil,
      List<Axis> sweep,
      @JsonInclude(JsonInclude.Include.NON_NULL) String indices,
      @JsonInclude(JsonInclude.Include.NON_NULL) String picked,
      @JsonInclude(JsonInclude.Include.NON_NULL) Boolean numbered) {

    private static Array of(TaskArrayTerms terms) {
      return terms.equals(TaskArrayTerms.NONE)
          ? null
          : new Array(
              terms.maxFails(),
              terms.again() == 0 ? null : terms.again(),
              terms.first() > 0,
              JobAnswer.time(terms.firstUntilMillis()),
              terms.sweep() == null
                  ? List.of()
                  : terms.sweep().axes().stream().map(Axis::of).toList(),
              terms.sweep() == null
                  ? null
                  : terms.sweep().indices().map(IndexRanges::toString).orElse(null),
              terms.sweep() == null || terms.sweep().picked() == null
                  ? null
                  : terms.sweep().picked().toString(),
              terms.numbered() ? true : null);
    }
  }

  /**
   * One thing in which tasks differ.
   *
   * @param by index, line, entry or parameter
   * @param name of the parameter, or null
   * @param values how many there are
   */
  public record Axis(String by, String name, int values) {

    private static Axis of(SweepAxis axis) {
      return new Axis(
          axis.by(), axis instanceof SweepAxis.Parameter one ? one.name() : null, axis.size());
    }
  }

  /**
   * How its tasks belong together.
   *
   * @param failure what becomes of the others when one fails: {@code fail}, {@code restart} or
   *     {@code ignore}
   * @param together whether all start together or none
   * @param mixed whether they may have GPUs of different models
   * @param roles in the order of their tasks; empty if all are alike
   */
  public record Members(String failure, boolean together, boolean mixed, List<Role> roles) {

    private static Members of(GangTerms terms) {
      return terms == null
          ? null
          : new Members(
              terms.failure().name().toLowerCase(Locale.ROOT),
              terms.together(),
              terms.mixed(),
              terms.roles().stream().map(Role::of).toList());
    }
  }

  /**
   * One kind of members.
   *
   * @param completions number of tasks of each member
   * @param parallelism how many of these run at once at most, 0 for all
   */
  public record Role(String name, int count, int completions, int parallelism, NeedsAnswer needs) {

    private static Role of(GangRoleSpec role) {
      return new Role(
          role.name(),
          role.count(),
          role.completions(),
          role.parallelism(),
          NeedsAnswer.of(role.request()));
    }
  }

  /**
   * How its attempts are ended.
   *
   * @param graceMillis between SIGTERM and SIGKILL
   * @param warning signal before the time limit, or null
   */
  public record Ending(long graceMillis, Warning warning) {

    private static Ending of(EndingTerms terms) {
      return new Ending(
          terms.graceMillis(),
          terms.warning() == null
              ? null
              : new Warning(
                  terms.warning().reach().prefix() + terms.warning().name(),
                  terms.warning().leadMillis()));
    }
  }

  /**
   * A signal before the time limit.
   *
   * @param name without {@code SIG}, with its reach unless that is the first process, as all:USR1
   * @param leadMillis from the signal to the time limit
   */
  public record Warning(String name, long leadMillis) {}

  /**
   * When its tasks may be asked to leave.
   *
   * @param signal that asks, or null for SIGTERM
   * @param then what becomes of it: {@code requeue}, {@code hold} or {@code cancel}
   * @param afterMillis least run time
   * @param most how often a task may be asked
   */
  public record Preemption(String signal, String then, long afterMillis, int most) {

    private static Preemption of(PreemptionTerms terms) {
      return terms == null
          ? null
          : new Preemption(
              terms.signal() == null ? null : terms.reach().prefix() + terms.signal(),
              terms.then().name().toLowerCase(Locale.ROOT),
              terms.afterMillis(),
              terms.most());
    }
  }

  /**
   * What is known of its epochs.
   *
   * @param epochs number of epochs to be done
   * @param snapshots folder, or null, as the next two
   * @param batchSize or null, as the next
   * @param maxGpus highest number of GPUs, 0 for the number that it asks for
   * @param estimatedHours the user's estimate, or null
   */
  public record Training(
      int epochs,
      String snapshots,
      String custom,
      String data,
      Integer batchSize,
      Integer trainingSetSize,
      int maxGpus,
      Double estimatedHours) {

    private static Training of(TrainingTerms terms) {
      return terms == null
          ? null
          : new Training(
              terms.epochs(),
              terms.snapshots(),
              terms.custom(),
              terms.data(),
              terms.batchSize(),
              terms.trainingSetSize(),
              terms.maxGpus(),
              terms.estimatedHours());
    }
  }

  /**
   * @param own whether it is for the job's owner
   */
  public static JobTermsAnswer of(JobTerms terms, boolean own) {
    return new JobTermsAnswer(
        terms.startsTogether(),
        terms.policy().toString(),
        terms.priority(),
        terms.afterOne() ? List.of() : after(terms),
        terms.timeLimitMillis(),
        terms.retries(),
        terms.type(),
        Ending.of(terms.ending()),
        Preemption.of(terms.preemption()),
        Training.of(terms.training()),
        Members.of(terms.gang()),
        terms.maxRunning(),
        terms.jobTimeLimitMillis(),
        terms.beginMillis() == 0 ? null : Instant.ofEpochMilli(terms.beginMillis()).toString(),
        Array.of(terms.array()),
        own ? Notice.of(terms.notice()) : null,
        terms.neverAgain(),
        terms.afterOne() ? after(terms) : List.of(),
        terms.comment(),
        terms.qos() == null ? null : terms.qos().name().toLowerCase(Locale.ROOT));
  }

  private static List<String> after(JobTerms terms) {
    return terms.after().stream().map(JobDependency::toString).toList();
  }
}
