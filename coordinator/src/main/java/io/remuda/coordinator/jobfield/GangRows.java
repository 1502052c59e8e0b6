package io.remuda.coordinator.jobfield;

import static io.remuda.coordinator.jobfield.FieldLimit.QUANTITY;
import static io.remuda.coordinator.jobfield.FieldLimit.WORD;
import static io.remuda.coordinator.jobfield.JobField.Changes.NEVER;

import io.remuda.worker.job.JobSpec;
import java.util.List;
import java.util.Map;

/** How the tasks of a job belong together; a role says what differs from the job. */
public final class GangRows {

  static final FieldGroup ROWS = new FieldGroup();

  public static final JobField<String> FAILURE =
      ROWS.says("What becomes of the others if one fails; fail unless given, restart with retries.")
          .words("fail", "restart", "ignore")
          .option(
              "--gang-failure WHAT",
              "if a task of the gang fails: fail (end all, default), restart (all, as often as"
                  + " --retries says, 3 by default) or ignore")
          .text("failure", QUANTITY, NEVER);
  public static final JobField<Boolean> MIXED =
      ROWS.option("--mixed", "the gang may have GPUs of different models").flag("mixed", NEVER);
  public static final JobField<Boolean> TOGETHER =
      ROWS.says("All start together or none.").usual("true").flag("together", NEVER);
  public static final JobField<Map<String, FieldValues>> ROLES =
      ROWS.says("Kinds of tasks by name, by rank; each has what differs from the job.")
          .roles("roles", new FieldLimit(100, WORD, 1));

  private static final FieldGroup OWN_OF_ROLE = new FieldGroup();
  public static final JobField<Integer> COMPLETIONS =
      OWN_OF_ROLE
          .says("Number of tasks of each member, of roles that do not start together.")
          .usual("1")
          .integer("completions", 1, JobSpec.MOST_TASKS, NEVER);
  public static final JobField<Integer> PARALLELISM =
      OWN_OF_ROLE
          .says("How many of these run at once at most.")
          .integer("parallelism", 1, Integer.MAX_VALUE, NEVER);

  static final List<JobField<?>> OF_ROLE =
      List.of(
          WorkRows.COUNT,
          COMPLETIONS,
          PARALLELISM,
          WorkRows.ARGV,
          WorkRows.SHELL,
          WorkRows.ENV,
          NeedsRows.CPUS,
          NeedsRows.MEM,
          NeedsRows.GPUS,
          NeedsRows.GPU_MEM,
          NeedsRows.GPU_MODEL,
          NeedsRows.LABELS,
          ContainerRows.SHM_SIZE,
          ContainerRows.CPU_LIMIT);

  private GangRows() {}
}
