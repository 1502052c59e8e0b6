package io.remuda.agent.protocol;

import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;

/**
 * Variables of Slurm that a script for {@code sbatch} finds if it names them. Others are not set,
 * since libraries take the mere presence of some as a sign that {@code srun} works.
 */
public final class SbatchScriptVariables {

  /** Variable of a job with the names that its script uses, separated by commas. */
  public static final String WANTED = "REMUDA_SLURM_NAMES";

  private static final Map<String, String> MEANINGS =
      Map.ofEntries(
          Map.entry("SLURM_JOB_ID", "REMUDA_JOB"),
          Map.entry("SLURM_JOBID", "REMUDA_JOB"),
          Map.entry("SLURM_ARRAY_JOB_ID", "REMUDA_JOB"),
          Map.entry("SLURM_ARRAY_TASK_ID", "REMUDA_ARRAY_INDEX"),
          Map.entry("SLURM_ARRAY_TASK_COUNT", "REMUDA_TASK_COUNT"),
          Map.entry("SLURM_NTASKS", "REMUDA_TASK_COUNT"),
          Map.entry("SLURM_NPROCS", "REMUDA_TASK_COUNT"),
          Map.entry("SLURM_PROCID", "REMUDA_TASK_INDEX"),
          Map.entry("SLURM_JOB_NAME", "REMUDA_JOB_NAME"),
          Map.entry("SLURM_JOB_USER", "REMUDA_USER"),
          Map.entry("SLURM_CPUS_PER_TASK", "REMUDA_CPUS"),
          Map.entry("SLURM_CPUS_ON_NODE", "REMUDA_CPUS"),
          Map.entry("SLURM_MEM_PER_NODE", "REMUDA_MEM_MIB"),
          Map.entry("SLURM_JOB_NODELIST", "REMUDA_NODE"),
          Map.entry("SLURM_NODELIST", "REMUDA_NODE"),
          Map.entry("SLURMD_NODENAME", "REMUDA_NODE"));

  /** Names that tasks of a job can have. */
  public static final Set<String> KNOWN = MEANINGS.keySet();

  private SbatchScriptVariables() {}

  /**
   * Returns the variables of Slurm that a task's job wants and that have a value.
   *
   * @param job variables of all tasks of the job
   * @param task variables of the task
   */
  public static Map<String, String> of(Map<String, String> job, Map<String, String> task) {
    Map<String, String> found = new LinkedHashMap<>();
    for (String name : List.of(job.getOrDefault(WANTED, "").split(","))) {
      String meaning = MEANINGS.getOrDefault(name, "");
      String value = task.getOrDefault(meaning, job.get(meaning));
      if (value != null) {
        found.put(name, value);
      }
    }
    return found;
  }
}
