package io.remuda.coordinator.jobfield;

import static io.remuda.coordinator.jobfield.FieldLimit.COMMAND;
import static io.remuda.coordinator.jobfield.FieldLimit.PATH;
import static io.remuda.coordinator.jobfield.FieldLimit.QUANTITY;
import static io.remuda.coordinator.jobfield.JobField.Changes.NEVER;

import java.util.Map;

/** Where the standard streams of a task come from and go to. */
public final class StreamRows {

  static final FieldGroup ROWS = new FieldGroup();
  private static final FieldGroup TO_FILE = ROWS.beside(Map.of("output", "x"));

  public static final JobField<String> STDIN = ROWS.text("stdin", PATH, NEVER);
  public static final JobField<String> STDIN_DATA = ROWS.text("stdinData", COMMAND, NEVER);
  public static final JobField<Boolean> STDIN_STREAM = ROWS.flag("stdinStream", NEVER);
  public static final JobField<String> OUTPUT = ROWS.text("output", PATH, NEVER);
  public static final JobField<String> ERROR = ROWS.text("error", PATH, NEVER);
  public static final JobField<String> OPEN_MODE = TO_FILE.text("openMode", QUANTITY, NEVER);
  public static final JobField<String> TERMINAL = ROWS.text("terminal", QUANTITY, NEVER);

  private StreamRows() {}
}
