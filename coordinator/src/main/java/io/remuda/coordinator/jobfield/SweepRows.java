package io.remuda.coordinator.jobfield;

import static io.remuda.coordinator.jobfield.FieldLimit.COMMAND;
import static io.remuda.coordinator.jobfield.FieldLimit.LINE;
import static io.remuda.coordinator.jobfield.FieldLimit.WORD;
import static io.remuda.coordinator.jobfield.JobField.Changes.ALWAYS;
import static io.remuda.coordinator.jobfield.JobField.Changes.NEVER;

import io.remuda.worker.job.sweep.CompactTextList;
import io.remuda.worker.job.sweep.Sweep;
import java.util.Map;

/** In what the tasks of a job differ, and its place among others. */
public final class SweepRows {

  static final FieldGroup ROWS = new FieldGroup();

  public static final JobField<String> ARRAY = ROWS.text("array", LINE, NEVER);
  public static final JobField<CompactTextList> LINES =
      ROWS.eachTask("lines", JobField.Type.LINES, FieldLimit.list(Sweep.MOST, LINE));
  public static final JobField<CompactTextList> ENTRIES =
      ROWS.eachTask("entries", JobField.Type.ENTRIES, FieldLimit.list(Sweep.MOST, LINE));
  public static final JobField<Map<String, String>> PARAMS =
      ROWS.map("params", new FieldLimit(100, WORD, COMMAND), NEVER);
  public static final JobField<Integer> MAX_FAILS = ROWS.integer("maxFails", ALWAYS);
  public static final JobField<Boolean> FIRST = ROWS.flag("first", ALWAYS);

  private SweepRows() {}
}
