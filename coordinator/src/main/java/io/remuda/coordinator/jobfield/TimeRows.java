package io.remuda.coordinator.jobfield;

import static io.remuda.coordinator.jobfield.FieldLimit.QUANTITY;
import static io.remuda.coordinator.jobfield.FieldLimit.WORD;
import static io.remuda.coordinator.jobfield.JobField.Changes.ALWAYS;

import io.remuda.worker.job.EndingTerms;
import io.remuda.worker.job.JobTerms;
import io.remuda.worker.job.JobTerms.Qos;
import io.remuda.worker.job.PreemptionTerms;
import io.remuda.worker.job.SizeAndTimeParser;
import io.remuda.worker.job.WarningSignal;
import io.remuda.worker.job.signal.SignalReach;
import java.util.List;
import java.util.Map;

/** When a job starts and is ended, and when its tasks start again or leave. */
public final class TimeRows {

  static final FieldGroup ROWS = new FieldGroup();
  private static final FieldGroup IF_PREEMPTIBLE = ROWS.beside(Map.of("preemptible", true));
  private static final int OTHER_JOB = WORD + ":fail".length();

  public static final JobField<List<String>> AFTER =
      ROWS.says(
              "Jobs that must end first, as JOB or JOB:ok|any|fail|each; JOB is a number, the name"
                  + " of an earlier job of the submission, that of a job of the user, of which the"
                  + " newest counts, or last.")
          .option(
              "--after JOB[:ok|any|fail|each],...",
              "start after that job has ended this way (default: ok); each: as --after-each;"
                  + " several as 2:ok,1:any, or repeated")
          .also(
              "--after-each JOB,...",
              "start each task once the task of the same number of that job has succeeded, as"
                  + " --after JOB:each; may be repeated")
          .set(
              "start after these jobs and no others, as 2:ok,1:any or repeated; none: after no job")
          .texts("after", 10_000, OTHER_JOB, ALWAYS);
  public static final JobField<List<String>> AFTER_ONE_OF =
      ROWS.says("Jobs of which one must end first, as in after without :each; excludes after.")
          .option(
              "--after-one-of JOB[:ok|any|fail],...",
              "start once one of these jobs has ended this way (default: ok), as 2:ok,1:any or"
                  + " repeated; --after waits for all of its jobs")
          .set()
          .texts("afterOneOf", 10_000, OTHER_JOB, ALWAYS);
  public static final JobField<String> TIME_LIMIT =
      ROWS.option(
              "-t --time-limit D",
              "time limit of each attempt, such as 90s, 6h, 1h30m, 01:30:00 or 2d")
          .set("time limit of each attempt, such as 90s, 6h, 1d")
          .text("timeLimit", QUANTITY, ALWAYS);
  public static final JobField<String> JOB_TIME_LIMIT =
      ROWS.option(
              "--job-time-limit D", "time limit of the whole job from the start of its first task")
          .set()
          .text("jobTimeLimit", QUANTITY, ALWAYS);
  public static final JobField<String> GRACE =
      ROWS.option("--grace D", "from SIGTERM to SIGKILL when it is ended (30s); at most 1h")
          .usual("30s")
          .text("grace", QUANTITY, ALWAYS);
  public static final JobField<String> SIGNAL =
      ROWS.says(
              "A signal that its first process gets some time before the time limit, as USR1@5m:"
                  + " HUP, INT, QUIT, USR1, USR2 or TERM; all:USR1@5m for every process that"
                  + " handles it, children:USR1@5m for all but the first.")
          .option(
              "--signal SIG@D",
              "a signal that its first process gets D before the time limit, as USR1@5m; HUP, INT,"
                  + " QUIT, USR1, USR2 or TERM; all:USR1@5m: every process that handles it")
          .text("signal", QUANTITY, ALWAYS);
  public static final JobField<Integer> RETRIES =
      ROWS.option(
              "--retries N",
              "how often a task that fails or is interrupted runs again; 0: never, not with more"
                  + " memory either (default: only with more memory)")
          .set("how often a task may run again; 0: never, not with more memory either")
          .usual("0")
          .integer("retries", 0, JobTerms.MOST_RETRIES, ALWAYS);
  public static final JobField<Boolean> PREEMPTIBLE =
      ROWS.option(
              "--preemptible",
              "its tasks may be asked to leave for tasks of higher priority, and wait again")
          .flag("preemptible", ALWAYS);
  public static final JobField<String> PREEMPT_SIGNAL =
      IF_PREEMPTIBLE
          .option(
              "--preempt-signal SIG",
              "the signal that asks (TERM), or all:SIG; SIGKILL follows after --grace")
          .says(
              "The signal that asks: HUP, INT, QUIT, USR1, USR2 or TERM, or all: or children:"
                  + " before it.")
          .usual("TERM")
          .text("preemptSignal", QUANTITY, ALWAYS);
  public static final JobField<String> ON_PREEMPT =
      IF_PREEMPTIBLE
          .option(
              "--on-preempt WHAT",
              "what becomes of a task that has left: requeue (default), hold or cancel")
          .says("What becomes of a task that has left.")
          .usual("requeue")
          .words("requeue", "hold", "cancel")
          .text("onPreempt", QUANTITY, ALWAYS);
  public static final JobField<String> PREEMPT_AFTER =
      IF_PREEMPTIBLE
          .option("--preempt-after D", "how long an attempt runs before it may be asked (1m)")
          .usual("1m")
          .text("preemptAfter", QUANTITY, ALWAYS);
  public static final JobField<Integer> MAX_PREEMPTIONS =
      IF_PREEMPTIBLE
          .option("--max-preemptions N", "how often a task may be asked (1000)")
          .usual("1000")
          .integer("maxPreemptions", 1, PreemptionTerms.MOST_TIMES, ALWAYS);

  public static final List<JobField<?>> OF_PREEMPTION =
      List.of(PREEMPTIBLE, PREEMPT_SIGNAL, ON_PREEMPT, PREEMPT_AFTER, MAX_PREEMPTIONS);

  private TimeRows() {}

  /**
   * Returns how its attempts are ended.
   *
   * @throws IllegalArgumentException if a field is wrong; the message has its name and value
   */
  public static EndingTerms ending(FieldValues values) {
    long millis = values.read(GRACE, FieldValues::millis, EndingTerms.USUAL.graceMillis());
    if (millis > EndingTerms.MOST_GRACE_MILLIS) {
      throw new IllegalArgumentException(
          "grace must be at most "
              + SizeAndTimeParser.words(EndingTerms.MOST_GRACE_MILLIS)
              + ", got "
              + values.get(GRACE));
    }
    return new EndingTerms(millis, values.has(SIGNAL) ? warning(values.get(SIGNAL)) : null);
  }

  private static WarningSignal warning(String signal) {
    try {
      return WarningSignal.parse(signal);
    } catch (IllegalArgumentException wrong) {
      throw new IllegalArgumentException("signal: " + wrong.getMessage(), wrong);
    }
  }

  /** Returns when its tasks may be asked to leave; null for never. */
  public static PreemptionTerms preemption(FieldValues values) {
    boolean limited = values.hasAny(PREEMPT_AFTER, MAX_PREEMPTIONS);
    return NeedsRows.qos(values) == Qos.SCAVENGER
        ? ofScavenger(preemption(values, true), limited)
        : preemption(values, values.has(TrainingRows.EPOCHS));
  }

  private static PreemptionTerms preemption(FieldValues values, boolean usually) {
    if (!values.or(PREEMPTIBLE, usually)) {
      values.refuseWithout(PREEMPTIBLE, "preemptible");
      return null;
    }
    boolean training = values.has(TrainingRows.EPOCHS);
    SignalReach.Aim aim = aim(values);
    PreemptionTerms usual = training ? PreemptionTerms.TRAINING : PreemptionTerms.USUAL;
    int most = values.or(MAX_PREEMPTIONS, usual.most());
    if (most < 1 || most > PreemptionTerms.MOST_TIMES) {
      throw new IllegalArgumentException(
          "maxPreemptions must be 1 to " + PreemptionTerms.MOST_TIMES + ", got " + most);
    }
    return new PreemptionTerms(
        aim == null ? null : signalName(aim.rest()),
        values.has(ON_PREEMPT)
            ? ON_PREEMPT.word(PreemptionTerms.Then.values(), values.get(ON_PREEMPT))
            : usual.then(),
        values.read(PREEMPT_AFTER, FieldValues::millis, usual.afterMillis()),
        most,
        aim == null ? usual.reach() : aim.reach());
  }

  /**
   * Returns the terms of a scavenger, which may always be asked, and at once.
   *
   * @param given as those of any other job; null for never
   * @param limited whether the fields say when it may be asked, or how often
   * @throws IllegalArgumentException if they are none of a scavenger; the message is for users
   */
  public static PreemptionTerms ofScavenger(PreemptionTerms given, boolean limited) {
    if (given == null) {
      throw new IllegalArgumentException("qos scavenger is preemptible: leave out preemptible");
    }
    if (limited) {
      throw new IllegalArgumentException(
          "qos scavenger leaves at once, however often: leave out preemptAfter and maxPreemptions");
    }
    return given.atOnce();
  }

  /** Returns the signal that asks, with which processes it reaches; null if none is given. */
  private static SignalReach.Aim aim(FieldValues values) {
    try {
      return !values.has(PREEMPT_SIGNAL) ? null : SignalReach.aim(values.get(PREEMPT_SIGNAL));
    } catch (IllegalArgumentException wrong) {
      throw new IllegalArgumentException("preemptSignal: " + wrong.getMessage(), wrong);
    }
  }

  private static String signalName(String text) {
    try {
      return WarningSignal.checkedName(text);
    } catch (IllegalArgumentException wrong) {
      throw new IllegalArgumentException("preemptSignal: " + wrong.getMessage(), wrong);
    }
  }
}
