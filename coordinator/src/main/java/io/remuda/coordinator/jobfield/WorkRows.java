package io.remuda.coordinator.jobfield;

import static io.remuda.coordinator.jobfield.FieldLimit.COMMAND;
import static io.remuda.coordinator.jobfield.FieldLimit.PATH;
import static io.remuda.coordinator.jobfield.FieldLimit.WORD;
import static io.remuda.coordinator.jobfield.JobField.Changes.ALWAYS;
import static io.remuda.coordinator.jobfield.JobField.Changes.NEVER;

import io.remuda.worker.job.JobSpec;
import java.util.List;
import java.util.Map;

/** What a job runs, and how many tasks it has. */
public final class WorkRows {

  static final FieldGroup ROWS = new FieldGroup();

  public static final JobField<String> NAME =
      ROWS.says("Name in lists, and in the after of other jobs; the program's name unless given.")
          .option("-J --name TEXT", "name of the job in lists (default: the program's name)")
          .set("name of the job in lists")
          .text("name", WORD, ALWAYS);
  public static final JobField<List<String>> ARGV =
      ROWS.says("Program and arguments; with env 500,000 characters at most.")
          .texts("argv", 100_000, COMMAND, ALWAYS);
  public static final JobField<String> SHELL =
      ROWS.says("A line for /bin/sh, in place of argv.")
          .option("--shell", "run the command as one line by /bin/sh")
          .text("shell", COMMAND, ALWAYS);
  public static final JobField<Map<String, String>> ENV =
      ROWS.says("The whole environment; in a job file that of the submitting shell unless given.")
          .option(
              "--env KEY=VALUE...", "variable to add to this shell's environment; may be repeated")
          .map("env", new FieldLimit(10_000, FieldLimit.NAME, COMMAND), ALWAYS);
  public static final JobField<String> WORKDIR =
      ROWS.says("Working folder; in a job file relative to the folder of the file, its default.")
          .option("--workdir DIR", "working folder (default: the current one)")
          .text("workdir", PATH, ALWAYS);
  public static final JobField<String> UMASK =
      ROWS.says("Octal digits; in a job file those of the shell unless given.")
          .text("umask", 4, ALWAYS);
  public static final JobField<Integer> COUNT =
      ROWS.option("-n --count N", "number of tasks (default: 1)")
          .usual("1")
          .integer("count", 1, JobSpec.MOST_TASKS, NEVER);
  public static final JobField<FieldValues> GANG =
      ROWS.says("Start all tasks together or none; if one fails, end all. A map says more.")
          .option("--gang", "start all tasks together; if one fails, end all")
          .gang("gang", ALWAYS);
  public static final JobField<Integer> MAX_RUNNING =
      ROWS.option("--max-running N", "run at most N of its tasks at once")
          .set("run at most N tasks at once")
          .integer("maxRunning", 1, Integer.MAX_VALUE, ALWAYS);

  private WorkRows() {}
}
