package io.remuda.coordinator.jobfield;

import static io.remuda.coordinator.jobfield.FieldLimit.COMMAND;
import static io.remuda.coordinator.jobfield.FieldLimit.PATH;
import static io.remuda.coordinator.jobfield.FieldLimit.WORD;
import static io.remuda.coordinator.jobfield.JobField.Changes.ALWAYS;
import static io.remuda.coordinator.jobfield.JobField.Changes.NEVER;

import java.util.List;
import java.util.Map;

/** What a job runs, and how many tasks it has. */
public final class WorkRows {

  static final FieldGroup ROWS = new FieldGroup();

  public static final JobField<String> NAME = ROWS.text("name", WORD, ALWAYS);
  public static final JobField<List<String>> ARGV = ROWS.texts("argv", 100_000, COMMAND, ALWAYS);
  public static final JobField<String> SHELL = ROWS.text("shell", COMMAND, ALWAYS);
  public static final JobField<Map<String, String>> ENV =
      ROWS.map("env", new FieldLimit(10_000, FieldLimit.NAME, COMMAND), ALWAYS);
  public static final JobField<String> WORKDIR = ROWS.text("workdir", PATH, ALWAYS);
  public static final JobField<String> UMASK = ROWS.text("umask", 4, ALWAYS);
  public static final JobField<Integer> COUNT = ROWS.integer("count", NEVER);
  public static final JobField<FieldValues> GANG = ROWS.gang("gang", ALWAYS);
  public static final JobField<Integer> MAX_RUNNING = ROWS.integer("maxRunning", ALWAYS);

  private WorkRows() {}
}
