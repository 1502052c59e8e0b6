package io.remuda.coordinator.jobfield;

import static io.remuda.coordinator.jobfield.FieldLimit.QUANTITY;
import static io.remuda.coordinator.jobfield.FieldLimit.WORD;
import static io.remuda.coordinator.jobfield.JobField.Changes.ALWAYS;

import java.util.List;
import java.util.Map;

/** When a job starts and is ended, and when its tasks start again or leave. */
public final class TimeRows {

  static final FieldGroup ROWS = new FieldGroup();
  private static final FieldGroup IF_PREEMPTIBLE = ROWS.beside(Map.of("preemptible", true));
  private static final int OTHER_JOB = WORD + ":fail".length();

  public static final JobField<List<String>> AFTER = ROWS.texts("after", 10_000, OTHER_JOB, ALWAYS);
  public static final JobField<List<String>> AFTER_ONE_OF =
      ROWS.texts("afterOneOf", 10_000, OTHER_JOB, ALWAYS);
  public static final JobField<String> TIME_LIMIT = ROWS.text("timeLimit", QUANTITY, ALWAYS);
  public static final JobField<String> JOB_TIME_LIMIT = ROWS.text("jobTimeLimit", QUANTITY, ALWAYS);
  public static final JobField<String> GRACE = ROWS.text("grace", QUANTITY, ALWAYS);
  public static final JobField<String> SIGNAL = ROWS.text("signal", QUANTITY, ALWAYS);
  public static final JobField<Integer> RETRIES = ROWS.integer("retries", ALWAYS);
  public static final JobField<Boolean> PREEMPTIBLE = ROWS.flag("preemptible", ALWAYS);
  public static final JobField<String> PREEMPT_SIGNAL =
      IF_PREEMPTIBLE.text("preemptSignal", QUANTITY, ALWAYS);
  public static final JobField<String> ON_PREEMPT =
      IF_PREEMPTIBLE.text("onPreempt", QUANTITY, ALWAYS);
  public static final JobField<String> PREEMPT_AFTER =
      IF_PREEMPTIBLE.text("preemptAfter", QUANTITY, ALWAYS);
  public static final JobField<Integer> MAX_PREEMPTIONS =
      IF_PREEMPTIBLE.integer("maxPreemptions", ALWAYS);

  public static final List<JobField<?>> OF_PREEMPTION =
      List.of(PREEMPTIBLE, PREEMPT_SIGNAL, ON_PREEMPT, PREEMPT_AFTER, MAX_PREEMPTIONS);

  private TimeRows() {}
}
