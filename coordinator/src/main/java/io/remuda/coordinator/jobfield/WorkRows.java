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

  public static final JobField<String> NAME =
      ROWS.option("-J --name TEXT", "name of the job in lists (default: the program's name)")
          .set("name of the job in lists")
          .text("name", WORD, ALWAYS);
  public static final JobField<List<String>> ARGV = ROWS.texts("argv", 100_000, COMMAND, ALWAYS);
  public static final JobField<String> SHELL =
      ROWS.option("--shell", "run the command as one line by /bin/sh")
          .text("shell", COMMAND, ALWAYS);
  public static final JobField<Map<String, String>> ENV =
      ROWS.option(
              "--env KEY=VALUE...", "variable to add to this shell's environment; may be repeated")
          .map("env", new FieldLimit(10_000, FieldLimit.NAME, COMMAND), ALWAYS);
  public static final JobField<String> WORKDIR =
      ROWS.option("--workdir DIR", "working folder (default: the current one)")
          .text("workdir", PATH, ALWAYS);
  public static final JobField<String> UMASK = ROWS.text("umask", 4, ALWAYS);
  public static final JobField<Integer> COUNT =
      ROWS.option("-n --count N", "number of tasks (default: 1)").integer("count", NEVER);
  public static final JobField<FieldValues> GANG =
      ROWS.option("--gang", "start all tasks together; if one fails, end all").gang("gang", ALWAYS);
  public static final JobField<Integer> MAX_RUNNING =
      ROWS.option("--max-running N", "run at most N of its tasks at once")
          .set("run at most N tasks at once")
          .integer("maxRunning", ALWAYS);

  private WorkRows() {}
}
