package io.remuda.coordinator.cli.script;

import java.util.LinkedHashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.stream.Stream;

/**
 * The variables of Slurm that follow from the head of a script alone, as sbatch of 22.05 sets them;
 * what only the node knows is set there. An empty value stands for what the node fills in.
 */
final class SbatchStatedVariables {

  /** Options whose value is that of a variable, word for word. */
  private static final Map<String, String> AS_WRITTEN =
      Map.ofEntries(
          Map.entry("account", "SLURM_JOB_ACCOUNT"),
          Map.entry("acctg-freq", "SLURM_ACCTG_FREQ"),
          Map.entry("cpus-per-gpu", "SLURM_CPUS_PER_GPU"),
          Map.entry("distribution", "SLURM_DISTRIBUTION"),
          Map.entry("export", "SLURM_EXPORT_ENV"),
          Map.entry("gpu-bind", "SLURM_GPU_BIND"),
          Map.entry("gpu-freq", "SLURM_GPU_FREQ"),
          Map.entry("gpus", "SLURM_GPUS"),
          Map.entry("gpus-per-node", "SLURM_GPUS_PER_NODE"),
          Map.entry("gpus-per-socket", "SLURM_GPUS_PER_SOCKET"),
          Map.entry("gpus-per-task", "SLURM_GPUS_PER_TASK"),
          Map.entry("hint", "SLURM_HINT"),
          Map.entry("ntasks-per-core", "SLURM_NTASKS_PER_CORE"),
          Map.entry("ntasks-per-gpu", "SLURM_NTASKS_PER_GPU"),
          Map.entry("ntasks-per-socket", "SLURM_NTASKS_PER_SOCKET"),
          Map.entry("threads-per-core", "SLURM_THREADS_PER_CORE"));

  /** Those that sbatch sets only for some heads; a script may ask whether they are there. */
  static final List<String> ONLY_SOMETIMES =
      Stream.concat(
              AS_WRITTEN.values().stream(),
              Stream.of(
                  "SLURM_ARRAY_JOB_ID",
                  "SLURM_ARRAY_TASK_COUNT",
                  "SLURM_ARRAY_TASK_ID",
                  "SLURM_ARRAY_TASK_MAX",
                  "SLURM_ARRAY_TASK_MIN",
                  "SLURM_ARRAY_TASK_STEP",
                  "SLURM_CPUS_PER_TASK",
                  "SLURM_GET_USER_ENV",
                  "SLURM_GPUS_ON_NODE",
                  "SLURM_JOB_GPUS",
                  "SLURM_MEM_PER_CPU",
                  "SLURM_MEM_PER_GPU",
                  "SLURM_MEM_PER_NODE",
                  "SLURM_NPROCS",
                  "SLURM_NTASKS",
                  "SLURM_NTASKS_PER_NODE",
                  "SLURM_OPEN_MODE",
                  "SLURM_OVERCOMMIT",
                  "SLURM_RESTART_COUNT"))
          .toList();

  private SbatchStatedVariables() {}

  /**
   * Returns the variables.
   *
   * @param tasks how many tasks the script starts itself, on one node
   */
  static Map<String, String> of(SbatchOptions sbatch, long tasks) {
    Map<String, String> all = new LinkedHashMap<>();
    AS_WRITTEN.forEach(
        (option, variable) -> {
          if (sbatch.value(option) != null) {
            all.put(variable, sbatch.value(option));
          }
        });
    all.put("SLURM_NNODES", "1");
    all.put("SLURM_JOB_NUM_NODES", "1");
    all.put("SLURM_TASKS_PER_NODE", Long.toString(tasks));
    all.put("SLURM_JOB_PARTITION", partition(sbatch));
    boolean asked =
        Stream.of("ntasks", "ntasks-per-node", "ntasks-per-gpu")
            .anyMatch(option -> sbatch.value(option) != null);
    if (asked || tasks > 1) {
      all.put("SLURM_NTASKS", Long.toString(tasks));
      all.put("SLURM_NPROCS", Long.toString(tasks));
    }
    if (sbatch.value("ntasks-per-node") != null) {
      all.put("SLURM_NTASKS_PER_NODE", Long.toString(tasks)); // all of them are on this one
    }
    if (sbatch.value("cpus-per-task") != null) {
      all.put("SLURM_CPUS_PER_TASK", "");
    }
    if (sbatch.value("export") != null) {
      all.put("SLURM_GET_USER_ENV", "1");
    }
    if (sbatch.value("overcommit") != null) {
      all.put("SLURM_OVERCOMMIT", "1");
    }
    if (sbatch.value("open-mode") != null) {
      String mode = sbatch.value("open-mode");
      all.put("SLURM_OPEN_MODE", mode.substring(0, Math.min(1, mode.length())));
    }
    if ("nomultithread".equals(sbatch.value("hint"))) {
      all.put("SLURM_THREADS_PER_CORE", "1");
    }
    memory(sbatch, all);
    return all;
  }

  private static void memory(SbatchOptions sbatch, Map<String, String> all) {
    for (String option : List.of("mem-per-cpu", "mem-per-gpu")) {
      if (sbatch.value(option) != null) {
        all.put(
            "SLURM_" + option.toUpperCase(Locale.ROOT).replace('-', '_'),
            Long.toString(SlurmQuantities.mebibytes(sbatch.value(option))));
      }
    }
    if (sbatch.value("mem") != null && SlurmQuantities.mebibytes(sbatch.value("mem")) > 0) {
      all.put("SLURM_MEM_PER_NODE", "");
    }
  }

  /** Returns the first one that is asked for; there is none here, and scripts print it. */
  private static String partition(SbatchOptions sbatch) {
    String stated = sbatch.value("partition");
    return stated == null || stated.isEmpty() ? "remuda" : stated.replaceFirst(",.*", "");
  }
}
