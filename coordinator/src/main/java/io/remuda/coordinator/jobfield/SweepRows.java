package io.remuda.coordinator.jobfield;

import static io.remuda.coordinator.jobfield.FieldLimit.COMMAND;
import static io.remuda.coordinator.jobfield.FieldLimit.LINE;
import static io.remuda.coordinator.jobfield.FieldLimit.QUANTITY;
import static io.remuda.coordinator.jobfield.FieldLimit.WORD;
import static io.remuda.coordinator.jobfield.JobField.Changes.ALWAYS;
import static io.remuda.coordinator.jobfield.JobField.Changes.NEVER;

import io.remuda.worker.job.sweep.CompactTextList;
import io.remuda.worker.job.sweep.Sweep;
import java.util.Map;

/** In what the tasks of a job differ, and its place among others. */
public final class SweepRows {

  static final FieldGroup ROWS = new FieldGroup();

  public static final JobField<String> ARRAY =
      ROWS.option(
              "--array INDICES",
              "one task for each index, as 3,7-20:2, which it finds in REMUDA_ARRAY_INDEX and as"
                  + " {index} in its arguments; behind a percent sign may stand --max-running, as"
                  + " Slurm has it")
          .text("array", LINE, NEVER);
  public static final JobField<CompactTextList> LINES =
      ROWS.also(
              "--each-line FILE",
              "one task for each line of a file (- for stdin), which it finds in REMUDA_LINE and as"
                  + " {line} in its arguments")
          .says("One task for each text, in REMUDA_LINE and for {line}.")
          .eachTask("lines", JobField.Type.LINES, FieldLimit.list(Sweep.MOST, LINE));
  public static final JobField<CompactTextList> ENTRIES =
      ROWS.also(
              "--from-json FILE",
              "one task for each value of a JSON file (- for stdin), which is a list or has a value"
                  + " on each line, which it finds in REMUDA_ENTRY and as {entry}; a field x of an"
                  + " object in REMUDA_PARAM_X and as {x}")
          .also(
              "--from-csv FILE",
              "one task for each row of a table with comma-separated values (- for stdin), whose"
                  + " first row has names; column x is found in REMUDA_PARAM_X and as {x}")
          .says(
              "One task for each value, in REMUDA_ENTRY and for {entry}; a field x of an object in"
                  + " REMUDA_PARAM_X and for {x}.")
          .eachTask("entries", JobField.Type.ENTRIES, FieldLimit.list(Sweep.MOST, LINE));
  public static final JobField<Map<String, String>> PARAMS =
      ROWS.also(
              "--param NAME=VALUES...",
              "one task for each value, as lr=0.1,0.2 or seed=1..5, which it finds in"
                  + " REMUDA_PARAM_NAME and as {NAME} in its arguments and in values of --env;"
                  + " several are combined with each other and with the options above")
          .says("Values of parameters by name, as 0.1,0.2 or 1..5; one task for each combination.")
          .map("params", new FieldLimit(100, WORD, COMMAND), NEVER);
  public static final JobField<Integer> MAX_FAILS =
      ROWS.option("--max-fails N", "cancel the other tasks once N have failed")
          .set()
          .integer("maxFails", 1, Integer.MAX_VALUE, ALWAYS);
  public static final JobField<Boolean> FIRST =
      ROWS.option("--first", "start before your other waiting jobs of equal priority")
          .set()
          .flag("first", ALWAYS);
  public static final JobField<String> FIRST_UNTIL =
      ROWS.beside(Map.of("first", true))
          .says(
              "With first: only until this time, as 2026-11-26T22:00:00Z; then in its place as if"
                  + " it had not been first. In a job file also a time of this machine, as in"
                  + " begin.")
          .option(
              "--until TIME",
              "with --first: only until this time of this machine, as 14:00, now+2h, tomorrow"
                  + " 06:00; then it falls back to its place")
          .set()
          .text("firstUntil", QUANTITY, ALWAYS);

  private SweepRows() {}
}
