package io.remuda.agent.attempt;

import io.remuda.agent.protocol.DeviceVariables;
import io.remuda.agent.protocol.SbatchScriptVariables;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.stream.Collectors;
import java.util.stream.Stream;

/**
 * The variables that sbatch of Slurm 22.05 sets in a batch script on one node, for the tasks of a
 * job that asks for them by {@link SbatchScriptVariables#BATCH}. What follows from the head of the
 * script alone is in the job already; here is what only the node knows. docs/scripts.md has the
 * table, and what is kept back.
 */
final class BatchScriptVariables {

  private static final String CPUS_PER_TASK = "SLURM_CPUS_PER_TASK";
  private static final String ARRAY_INDEX = "REMUDA_ARRAY_INDEX";

  /** By these MPICH and Intel MPI start their ranks without an srun, on this node alone. */
  private static final Map<String, String> LAUNCHERS =
      Map.of("HYDRA_LAUNCHER", "fork", "I_MPI_HYDRA_BOOTSTRAP", "fork");

  /**
   * By these Open MPI, MPICH and Intel MPI start ranks as without Slurm: here, elsewhere by ssh.
   */
  private static final Map<String, String> NO_ALLOCATION =
      Map.of(
          "OMPI_MCA_ras", "^slurm",
          "OMPI_MCA_plm", "^slurm",
          "HYDRA_LAUNCHER", "ssh",
          "I_MPI_HYDRA_BOOTSTRAP", "ssh");

  /** Of this machine and its agent, read once; null if they cannot be read. */
  private static final String HOST = SbatchScriptVariables.hostName().orElse(null);

  private static final String UID = owner("unix:uid");
  private static final String GID = owner("unix:gid");

  private BatchScriptVariables() {}

  /**
   * Returns the variables of Slurm that a task gets.
   *
   * @param job variables of all tasks of the job; a variable of Slurm that is empty is filled in,
   *     and another one is left as it is
   * @param task variables of the task
   * @param number by which commands know this task alone
   */
  static Map<String, String> of(Map<String, String> job, Map<String, String> task, long number) {
    String started = job.get(SbatchScriptVariables.BATCH);
    if (started == null) {
      return named(job, task);
    }
    long cpus = Math.max(1, (long) Math.ceil(Double.parseDouble(job.get("REMUDA_CPUS"))));
    String devices = task.getOrDefault("REMUDA_DEVICES", "");
    int gpus = devices.isEmpty() ? 0 : devices.split(",").length;
    Map<String, String> all = new LinkedHashMap<>(LAUNCHERS);
    all.put("ENVIRONMENT", "BATCH");
    identity(all, job, number);
    place(all, job, HOST == null ? job.get("REMUDA_NODE") : HOST);
    all.put("SLURM_CPUS_ON_NODE", Long.toString(cpus));
    all.put("SLURM_JOB_CPUS_PER_NODE", Long.toString(cpus));
    all.put("SLURM_TASKS_PER_NODE", started);
    all.put("SLURM_MEM_PER_NODE", job.get("REMUDA_MEM_MIB"));
    all.put("SLURM_GPUS", Integer.toString(gpus));
    if (gpus > 0) {
      String numbers = task.getOrDefault(DeviceVariables.CUDA, "");
      all.put("SLURM_GPUS_ON_NODE", Integer.toString(gpus));
      all.put("SLURM_JOB_GPUS", ascending(numbers.isEmpty() ? devices : numbers));
    }
    int attempt = Integer.parseInt(task.getOrDefault("REMUDA_ATTEMPT", "1"));
    if (attempt > 1) {
      all.put("SLURM_RESTART_COUNT", Integer.toString(attempt - 1));
    }
    if (task.containsKey(ARRAY_INDEX)) {
      all.put("SLURM_ARRAY_JOB_ID", job.get("REMUDA_JOB"));
      all.put("SLURM_ARRAY_TASK_ID", task.get(ARRAY_INDEX));
      all.put("SLURM_ARRAY_TASK_COUNT", job.get("REMUDA_TASK_COUNT"));
    }
    all.put(CPUS_PER_TASK, Long.toString(Math.max(1, cpus / Long.parseLong(started))));
    return missing(all, job);
  }

  /**
   * Those that the script of another job names. Open MPI ends with an error where it finds a part
   * of what it reads of Slurm, and MPICH would call {@code srun}.
   */
  private static Map<String, String> named(Map<String, String> job, Map<String, String> task) {
    Map<String, String> found = SbatchScriptVariables.of(job, task);
    boolean whole =
        found.keySet().containsAll(List.of("SLURM_JOBID", "SLURM_NODELIST"))
            && job.containsKey("SLURM_TASKS_PER_NODE")
            && "1".equals(job.get("REMUDA_TASK_COUNT"));
    if (found.isEmpty() || whole) {
      return found;
    }
    Map<String, String> all = new LinkedHashMap<>(NO_ALLOCATION);
    all.keySet().removeAll(job.keySet());
    all.putAll(found);
    return all;
  }

  private static void identity(Map<String, String> all, Map<String, String> job, long number) {
    all.put("SLURM_JOB_ID", Long.toString(number));
    all.put("SLURM_JOBID", Long.toString(number));
    all.put("SLURM_JOB_NAME", job.get("REMUDA_JOB_NAME"));
    all.put("SLURM_JOB_USER", job.get("REMUDA_USER"));
    all.put("SLURM_JOB_UID", UID);
    all.put("SLURM_JOB_GID", GID);
  }

  /** The lists have the machine's name: Open MPI starts no rank where it cannot resolve it. */
  private static void place(Map<String, String> all, Map<String, String> job, String host) {
    all.put("SLURMD_NODENAME", job.get("REMUDA_NODE"));
    all.put("SLURM_JOB_NODELIST", host);
    all.put("SLURM_NODELIST", host);
    all.put("SLURM_TOPOLOGY_ADDR", host);
    all.put("SLURM_TOPOLOGY_ADDR_PATTERN", "node");
    all.put("SLURM_NODE_ALIASES", "(null)");
    all.put("SLURM_NNODES", "1");
    all.put("SLURM_JOB_NUM_NODES", "1");
    all.put("SLURM_PROCID", "0");
    all.put("SLURM_LOCALID", "0");
    all.put("SLURM_NODEID", "0");
    all.put("SLURM_GTIDS", "0");
    all.put("SLURM_PRIO_PROCESS", "0");
  }

  /** Leaves out what the job has chosen, and what is only there if it was asked for. */
  private static Map<String, String> missing(Map<String, String> all, Map<String, String> job) {
    all.entrySet().removeIf(one -> one.getValue() == null);
    all.keySet()
        .removeIf(
            name ->
                SbatchScriptVariables.ONLY_IF_ASKED.contains(name)
                    ? !job.getOrDefault(name, "?").isEmpty()
                    : job.containsKey(name));
    return all;
  }

  private static String ascending(String devices) {
    return devices.matches("[0-9,]+")
        ? Stream.of(devices.split(","))
            .map(Integer::valueOf)
            .sorted()
            .map(String::valueOf)
            .collect(Collectors.joining(","))
        : devices;
  }

  private static String owner(String attribute) {
    try {
      return Files.getAttribute(Path.of("/proc/self"), attribute).toString();
    } catch (IOException unknown) {
      return null;
    }
  }
}
