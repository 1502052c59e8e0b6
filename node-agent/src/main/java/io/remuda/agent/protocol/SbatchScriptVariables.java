package io.remuda.agent.protocol;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;

/**
 * Variables of Slurm that a script for {@code sbatch} finds. A job that is one batch script for
 * each of its tasks has all that sbatch sets. The members of a gang, each of which is a task to
 * Slurm's libraries, have those that the script names, since libraries take the mere presence of
 * some as a sign that {@code srun} works; so have jobs that earlier builds have stored.
 */
public final class SbatchScriptVariables {

  /** Variable of a job with the names that its script uses, separated by commas. */
  public static final String WANTED = "REMUDA_SLURM_NAMES";

  /**
   * Variable of a job whose tasks get all variables of a batch script: how many tasks the script is
   * to start, 1 or more.
   */
  public static final String BATCH = "REMUDA_SBATCH";

  /**
   * Variable of a submitted job with the files of its streams as sbatch has them: an object of JSON
   * with the fields {@code output}, {@code error}, {@code stdin} and {@code openMode} of the HTTP
   * interface. They count before those of the job, which a server of an earlier build follows; an
   * output that is here alone is one that nobody has chosen. The server takes it out.
   */
  public static final String FILES = "REMUDA_SBATCH_FILES";

  /**
   * Variable of a job of several members, each of which runs a script that calls {@code srun}: they
   * find one, which runs its command once in each of them.
   */
  public static final String SRUN = "REMUDA_SRUN";

  /** Those that a batch script has only if its head asks for what they say; empty for any value. */
  public static final Set<String> ONLY_IF_ASKED =
      Set.of("SLURM_CPUS_PER_TASK", "SLURM_MEM_PER_NODE", "SLURM_GPUS");

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

  /** Those that each batch script has. */
  private static final Set<String> OF_BATCH =
      Set.of(
          "SLURMD_NODENAME",
          "SLURM_CPUS_ON_NODE",
          "SLURM_GTIDS",
          "SLURM_JOBID",
          "SLURM_JOB_CPUS_PER_NODE",
          "SLURM_JOB_GID",
          "SLURM_JOB_ID",
          "SLURM_JOB_NAME",
          "SLURM_JOB_NODELIST",
          "SLURM_JOB_NUM_NODES",
          "SLURM_JOB_PARTITION",
          "SLURM_JOB_UID",
          "SLURM_JOB_USER",
          "SLURM_LOCALID",
          "SLURM_NNODES",
          "SLURM_NODEID",
          "SLURM_NODELIST",
          "SLURM_NODE_ALIASES",
          "SLURM_PRIO_PROCESS",
          "SLURM_PROCID",
          "SLURM_TASKS_PER_NODE",
          "SLURM_TOPOLOGY_ADDR",
          "SLURM_TOPOLOGY_ADDR_PATTERN");

  private SbatchScriptVariables() {}

  /** Returns whether a task of a job with {@link #BATCH} has a variable, whatever its head says. */
  public static boolean isOfBatch(String name) {
    return OF_BATCH.contains(name);
  }

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

  /** Returns the name of this machine as Slurm has it, without its domain; empty if unknown. */
  public static Optional<String> hostName() {
    try {
      String host = Files.readString(Path.of("/proc/sys/kernel/hostname")).strip();
      int dot = host.indexOf('.');
      boolean domain = dot > 0 && !host.matches("[0-9.]+");
      return Optional.of(domain ? host.substring(0, dot) : host);
    } catch (IOException unknown) {
      return Optional.empty();
    }
  }
}
