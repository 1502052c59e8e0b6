package io.remuda.worker.job;

import com.fasterxml.jackson.annotation.JsonIgnore;
import com.fasterxml.jackson.annotation.JsonInclude;
import java.util.List;
import java.util.Locale;
import java.util.Objects;
import java.util.function.Consumer;

/**
 * The scheduling terms of a job, besides the resources of its tasks.
 *
 * @param gang how its tasks belong together; null if each starts and ends by itself
 * @param policy how a node is selected among those that fit a task
 * @param priority jobs with higher values are scheduled first; the default is 0
 * @param after jobs that must end first, or of which one must, see {@code afterOne}
 * @param timeLimitMillis time limit of each attempt from its start, 0 for none
 * @param retries how often a task may run again after it failed or was interrupted
 * @param type name of jobs with similar resource needs, or null
 * @param ending how its attempts are ended; null is read as {@link EndingTerms#USUAL}, for jobs
 *     that an earlier build has stored
 * @param preemption when its tasks may be asked to leave their places; null for never
 * @param training what is known of its epochs; null if it is no training
 * @param maxRunning how many of its tasks run at once at most; 0 for all
 * @param jobTimeLimitMillis time limit of the whole job from the first start of a task, 0 for none
 * @param array what distinguishes its tasks; never null, {@link TaskArrayTerms#NONE} if they are
 *     alike
 * @param beginMillis when its first task may start, in milliseconds since 1970; 0 for at once
 * @param notice who is told what happens to it; null for nobody
 * @param neverAgain whether {@code retries} was given as 0, so that a task does not run again with
 *     more memory either after it lacked some; jobs that an earlier build has stored have false
 * @param afterOne whether it starts once one of {@code after} has ended as it should, not all; jobs
 *     that an earlier build has stored have false
 * @param comment what its user wants to remember of it, or null
 * @param qos its class; null for none. Scavengers are preemptible at once, however often
 */
public record JobTerms(
    GangTerms gang,
    PlacementPolicy policy,
    int priority,
    List<JobDependency> after,
    long timeLimitMillis,
    int retries,
    String type,
    EndingTerms ending,
    @JsonInclude(JsonInclude.Include.NON_NULL) PreemptionTerms preemption,
    @JsonInclude(JsonInclude.Include.NON_NULL) TrainingTerms training,
    @JsonInclude(JsonInclude.Include.NON_DEFAULT) int maxRunning,
    @JsonInclude(JsonInclude.Include.NON_DEFAULT) long jobTimeLimitMillis,
    @JsonInclude(value = JsonInclude.Include.CUSTOM, valueFilter = TaskArrayTerms.LeftOut.class)
        TaskArrayTerms array,
    @JsonInclude(JsonInclude.Include.NON_DEFAULT) long beginMillis,
    @JsonInclude(JsonInclude.Include.NON_NULL) NotificationTerms notice,
    @JsonInclude(JsonInclude.Include.NON_DEFAULT) boolean neverAgain,
    @JsonInclude(JsonInclude.Include.NON_DEFAULT) boolean afterOne,
    @JsonInclude(JsonInclude.Include.NON_NULL) String comment,
    @JsonInclude(JsonInclude.Include.NON_NULL) Qos qos) {

  /**
   * The class of a job that stands apart from all others, as Slurm's quality of service; most jobs
   * have none.
   */
  public enum Qos {
    /**
     * It fills holes: its tasks start where no other task wants the place, leave at once for any
     * other, and count neither for its user's share nor for limits.
     */
    SCAVENGER,
    /**
     * It is for tests of minutes: it starts ahead of all others, within the bounds of the server.
     */
    TEST;

    private static final String OF_TESTS = " (test)";

    /**
     * Returns the name under which tasks count for limits: the user's, or one of the user's tests.
     *
     * @param rank of the job, as {@link #rank}
     * @return null if they count for none
     */
    public static String account(int rank, String user) {
      if (fillsHoles(rank)) {
        return null;
      }
      return rank > TOP_PRIORITY ? user + OF_TESTS : user;
    }

    /** Returns whether an account is that of a user's tests. */
    public static boolean isOfTests(String account) {
      return account.endsWith(OF_TESTS);
    }

    /** Returns whether a job of this rank is a scavenger. */
    public static boolean fillsHoles(int rank) {
      return rank < -TOP_PRIORITY;
    }
  }

  /** The default terms. */
  public static final JobTerms USUAL =
      new JobTerms(false, PlacementPolicy.PACK, 0, List.of(), 0, 0, null);

  /** The highest priority; its negative is the lowest. */
  public static final int TOP_PRIORITY = 1_000_000;

  /** Why a gang depends on no job task by task. */
  public static final String GANG_AS_A_WHOLE =
      "after JOB:each starts task by task, and a gang starts as a whole: use JOB:ok";

  /** Why a job does not start task by task after one of several. */
  public static final String ONE_AS_A_WHOLE =
      "JOB:each starts task by task, and a job starts as a whole after one of several: use JOB:ok";

  /** The maximum number of retries of a task. */
  public static final int MOST_RETRIES = 1000;

  /** Terms with the usual way to end. */
  public JobTerms(
      boolean gang,
      PlacementPolicy policy,
      int priority,
      List<JobDependency> after,
      long timeLimitMillis,
      int retries,
      String type) {
    this(
        GangTerms.of(gang),
        policy,
        priority,
        after,
        timeLimitMillis,
        retries,
        type,
        EndingTerms.USUAL,
        null,
        null,
        0,
        0,
        TaskArrayTerms.NONE,
        0,
        null,
        false,
        false,
        null,
        null);
  }

  public JobTerms {
    array = array == null ? TaskArrayTerms.NONE : array;
    ending = ending == null ? EndingTerms.USUAL : ending;
    Objects.requireNonNull(policy, "policy");
    after = List.copyOf(after);
    if (Math.abs((long) priority) > TOP_PRIORITY) {
      throw new IllegalArgumentException(
          "priority must be " + -TOP_PRIORITY + " to " + TOP_PRIORITY + ", got " + priority);
    }
    if (qos != null && priority != 0) {
      throw new IllegalArgumentException(
          "priority and qos exclude each other, got "
              + priority
              + " and "
              + qos.name().toLowerCase(Locale.ROOT));
    }
    if (qos == Qos.SCAVENGER && !PreemptionTerms.isAtOnce(preemption)) {
      throw new IllegalArgumentException(
          "qos scavenger leaves at once, however often, got " + preemption);
    }
    if (timeLimitMillis < 0) {
      throw new IllegalArgumentException(
          "timeLimitMillis must be 0 or more, got " + timeLimitMillis);
    }
    RecordChecks.within("retries", 0, MOST_RETRIES, retries);
    if (neverAgain && retries > 0) {
      throw new IllegalArgumentException("neverAgain and retries exclude each other");
    }
    RecordChecks.atLeast("maxRunning", 0, maxRunning);
    RecordChecks.notNegative("jobTimeLimitMillis", jobTimeLimitMillis);
    RecordChecks.notNegative("beginMillis", beginMillis);
    if (gang != null && gang.together() && after.stream().anyMatch(JobDependency::isTaskByTask)) {
      throw new IllegalArgumentException(GANG_AS_A_WHOLE);
    }
    if (afterOne && after.stream().anyMatch(JobDependency::isTaskByTask)) {
      throw new IllegalArgumentException(ONE_AS_A_WHOLE);
    }
    if (maxRunning > 0 && gang != null) {
      throw new IllegalArgumentException(
          "maxRunning and gang exclude each other: a gang runs at once, roles have parallelism");
    }
    WarningSignal warning = ending.warning();
    if (warning != null && warning.leadMillis() >= timeLimitMillis) {
      throw new IllegalArgumentException(
          "signal: "
              + warning.name()
              + " "
              + SizeAndTimeParser.words(warning.leadMillis())
              + " before the time limit needs a longer time limit, got "
              + (timeLimitMillis == 0 ? "none" : SizeAndTimeParser.words(timeLimitMillis)));
    }
  }

  /** Returns its priority among all jobs: tests are above every priority, scavengers below. */
  @JsonIgnore
  public int rank() {
    if (qos == null) {
      return priority;
    }
    return qos == Qos.TEST ? TOP_PRIORITY + 1 : -TOP_PRIORITY - 1;
  }

  /** Returns whether all its tasks start together or none does. */
  @JsonIgnore
  public boolean startsTogether() {
    return gang != null && gang.together();
  }

  /** Returns whether one task that fails ends all others. */
  @JsonIgnore
  public boolean failsTogether() {
    return gang != null && gang.failure() != GangTerms.Failure.IGNORE;
  }

  /** Returns the default terms with another placement policy. */
  public static JobTerms placed(PlacementPolicy policy) {
    return new JobTerms(false, policy, 0, List.of(), 0, 0, null);
  }

  /** Returns the terms with another placement policy. */
  public JobTerms withPolicy(PlacementPolicy other) {
    return with(terms -> terms.policy = other);
  }

  /** Returns the terms with other jobs that must end first, or of which one must. */
  public JobTerms withAfter(List<JobDependency> others) {
    return with(terms -> terms.after = others);
  }

  /** Returns the terms with other ones for what distinguishes its tasks. */
  public JobTerms withArray(TaskArrayTerms other) {
    return with(terms -> terms.array = other);
  }

  /** Returns the terms with another time before which none of its tasks starts; 0 for none. */
  public JobTerms withBegin(long millis) {
    return with(terms -> terms.beginMillis = millis);
  }

  /** Returns the terms with some of them changed. */
  public JobTerms with(Consumer<Draft> change) {
    Draft draft = new Draft(this);
    change.accept(draft);
    return draft.terms();
  }

  /** The terms, to be copied with some of them changed. */
  public static final class Draft {
    public GangTerms gang;
    public PlacementPolicy policy;
    public int priority;
    public List<JobDependency> after;
    public long timeLimitMillis;
    public int retries;
    public String type;
    public EndingTerms ending;
    public PreemptionTerms preemption;
    public TrainingTerms training;
    public int maxRunning;
    public long jobTimeLimitMillis;
    public TaskArrayTerms array;
    public long beginMillis;
    public NotificationTerms notice;
    public boolean neverAgain;
    public boolean afterOne;
    public String comment;
    public Qos qos;

    private Draft(JobTerms terms) {
      gang = terms.gang;
      policy = terms.policy;
      priority = terms.priority;
      after = terms.after;
      timeLimitMillis = terms.timeLimitMillis;
      retries = terms.retries;
      type = terms.type;
      ending = terms.ending;
      preemption = terms.preemption;
      training = terms.training;
      maxRunning = terms.maxRunning;
      jobTimeLimitMillis = terms.jobTimeLimitMillis;
      array = terms.array;
      beginMillis = terms.beginMillis;
      notice = terms.notice;
      neverAgain = terms.neverAgain;
      afterOne = terms.afterOne;
      comment = terms.comment;
      qos = terms.qos;
    }

    private JobTerms terms() {
      return new JobTerms(
          gang,
          policy,
          priority,
          after,
          timeLimitMillis,
          retries,
          type,
          ending,
          preemption,
          training,
          maxRunning,
          jobTimeLimitMillis,
          array,
          beginMillis,
          notice,
          neverAgain,
          afterOne,
          comment,
          qos);
    }
  }
}
