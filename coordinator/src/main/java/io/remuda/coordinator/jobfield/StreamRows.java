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

  public static final JobField<String> STDIN =
      ROWS.also(
              "--stdin FILE",
              "file on the node that each task reads as stdin; -: the stdin of this command"
                  + " (docs/output.md)")
          .says(
              "Path on the node of the file that each task reads as stdin, relative to workdir; %j %J"
                  + " %t %n %a %x are job, number of the task, task, node, array index and name.")
          .text("stdin", PATH, NEVER);
  public static final JobField<String> STDIN_DATA =
      ROWS.says("What each task reads as stdin, in base64; at most 256 KiB.")
          .text("stdinData", COMMAND, NEVER);
  public static final JobField<Boolean> STDIN_STREAM =
      ROWS.says("The first task gets its stdin by /jobs/{id}/channel, as with remuda run.")
          .flag("stdinStream", NEVER);
  public static final JobField<String> OUTPUT =
      ROWS.option(
              "-o --output FILE",
              "file on the node for the output, and errors without --error; %%j %%t %%n %%a %%x are"
                  + " job, task, node, array index and name")
          .says(
              "Path on the node of the file for stdout, and for stderr without error, as in stdin.")
          .text("output", PATH, NEVER);
  public static final JobField<String> ERROR =
      ROWS.option("-e --error FILE", "file on the node for the errors")
          .says("Path on the node of the file for stderr, as in stdin.")
          .text("error", PATH, NEVER);
  public static final JobField<String> OPEN_MODE =
      TO_FILE
          .option(
              "--open-mode MODE",
              "what becomes of a file that is there: truncate (default) or append")
          .says("What becomes of a file that is there.")
          .usual("truncate")
          .words("truncate", "append")
          .text("openMode", QUANTITY, NEVER);
  public static final JobField<String> TERMINAL =
      ROWS.says("Size of a terminal that the task gets, ROWSxCOLUMNS, as 24x80.")
          .text("terminal", QUANTITY, NEVER);

  private StreamRows() {}
}
