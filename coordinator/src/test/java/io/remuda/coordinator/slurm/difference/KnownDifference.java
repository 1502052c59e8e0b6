package io.remuda.coordinator.slurm.difference;

import java.util.Set;
import java.util.function.Predicate;
import java.util.regex.Matcher;
import java.util.stream.Collectors;
import java.util.stream.Stream;

/**
 * What differs from Slurm and is meant to: a rule for what may differ, and the row of
 * docs/scripts.md that tells users. {@link ScriptsPage} writes the page from it.
 */
enum KnownDifference {
  NUMBERS(
      "`SLURM_JOB_ID`, `SLURM_JOBID`",
      "of each task of an array a number of its own: those that follow the job's."
          + " `SLURM_ARRAY_JOB_ID` is the job's",
      "Slurm gives the array's number to one of its tasks; a script that cancels itself would"
          + " cancel the array",
      null),
  ONE_NODE(
      "`SLURM_NNODES` and what `--nodes` counts",
      "1 node, which has all tasks, their CPUs and their GPUs; `SLURM_NTASKS` is there",
      "the script runs on one node",
      one -> one.isOnSeveralNodes() && one.isOfNodes()),
  COUNTED_CPUS(
      "`SLURM_TASKS_PER_NODE`",
      "the number of tasks",
      "with `--cpus-per-gpu` or `--mincpus` and no tasks Slurm counts CPUs",
      one ->
          one.isOfVariable("SLURM_TASKS_PER_NODE")
              && "1".equals(one.remuda())
              && one.slurm() != null
              && one.slurm().equals(one.beside("SLURM_CPUS_ON_NODE"))),
  HOST(
      "`SLURM_JOB_NODELIST`, `SLURM_NODELIST`, `SLURM_TOPOLOGY_ADDR`",
      "the machine's host name; `SLURMD_NODENAME` is the node's name in `remuda nodes`",
      "Open MPI starts ranks only where it can resolve the name; the two differ only with"
          + " `--name`",
      null), // a name is compared as the name of the same machine
  PARTITION(
      "`SLURM_JOB_PARTITION`",
      "the first one of `--partition`, else `remuda`",
      "there is none here",
      one -> one.isOfVariable("SLURM_JOB_PARTITION") && "remuda".equals(one.remuda())),
  USER(
      "`SLURM_JOB_USER`",
      "the user of Remuda; `SLURM_JOB_UID` is the agent's",
      "tasks run as the agent's Unix user",
      null), // who runs the test is both
  NAME(
      "`SLURM_JOB_NAME` of a script from stdin",
      "`stdin`",
      "Slurm sets none",
      one ->
          one.isOfVariable("SLURM_JOB_NAME")
              && one.head().wishes("stdin")
              && one.slurm() == null
              && "stdin".equals(one.remuda())),
  DAEMONS(
      "`SLURM_TASK_PID`, `SLURM_CONF`, `SLURM_CLUSTER_NAME`, `SLURM_WORKING_CLUSTER`",
      "kept back",
      "there is no daemon of Slurm to ask, and the first is not known before the start",
      one ->
          one.isOfVariable("SLURM_(TASK_PID|CONF|CLUSTER_NAME|WORKING_CLUSTER)")
              && one.remuda() == null),
  STEPS(
      "`SLURM_STEP_*` and all else that `srun` sets",
      "absent, as under `sbatch`, but in what [`srun`](#srun) starts",
      "JAX takes `SLURM_JOB_ID`, and Lightning `SLURM_NTASKS`, for a sign of `srun`, here as"
          + " there; start such a program with `srun`, or `unset` them",
      null),
  PORTS(
      "`SLURM_SRUN_COMM_PORT`, `SLURM_STEP_LAUNCHER_PORT`, `SLURM_CPU_BIND*`,"
          + " `SLURMD_TRES_BIND`, `SLURM_JOB_CPUS_PER_NODE_PACK_GROUP_0` in what `srun` starts",
      "absent",
      "nothing listens, nothing is bound, and the last one is a slip of 22.05",
      one ->
          one.isOfVariable(
                  "SLURM_(SRUN_COMM_PORT|STEP_LAUNCHER_PORT|CPU_BIND.*"
                      + "|JOB_CPUS_PER_NODE_PACK_GROUP_0)|SLURMD_TRES_BIND")
              && one.remuda() == null),
  STEP_ADDRESS(
      "`SLURM_SRUN_COMM_HOST`, `SLURM_LAUNCH_NODE_IPADDR`, `SLURM_TASK_PID` in what `srun` starts",
      "an address and a process of this machine",
      "they are of one start",
      one ->
          one.isOfVariable("SLURM_(SRUN_COMM_HOST|LAUNCH_NODE_IPADDR|TASK_PID)")
              && one.remuda() != null),
  STEP_CPUS(
      "`SLURM_CPUS_ON_NODE` in what `srun --exact` starts",
      "the job's",
      "a step inside of it counts by them",
      one ->
          one.isOf(Aspect.Kind.VARIABLE, "steps-with-files-of-their-own")
              && one.aspect().name().equals("SLURM_CPUS_ON_NODE")),
  GPU_NUMBERS(
      "`SLURM_JOB_GPUS`, `SLURM_STEP_GPUS`, `CUDA_VISIBLE_DEVICES`",
      "as many numbers, of GPUs that are free here; `CUDA_VISIBLE_DEVICES` is empty without GPUs",
      "Slurm leaves it unset then, and a program sees all GPUs of the node",
      one ->
          one.isOfVariable("SLURM_(JOB|STEP)_GPUS|CUDA_VISIBLE_DEVICES")
              && gpus(one.slurm()) == gpus(one.remuda())),
  OTHER_GPUS(
      "`GPU_DEVICE_ORDINAL`, `ROCR_VISIBLE_DEVICES`, `ZE_AFFINITY_MASK`",
      "those of AMD on a node with such GPUs, else absent",
      "Slurm sets them beside `CUDA_VISIBLE_DEVICES` whatever the GPUs are",
      one ->
          one.isOfVariable("GPU_DEVICE_ORDINAL|ROCR_VISIBLE_DEVICES|ZE_AFFINITY_MASK")
              && one.remuda() == null),
  THREADS(
      "`OMP_NUM_THREADS` and its like",
      "the CPUs of one task, unless set",
      "Slurm sets none, and programs start as many threads as the machine has CPUs",
      one ->
          one.isOfVariable("OMP_NUM_THREADS")
              && one.slurm() == null
              && (one.isOnSeveralNodes()
                  || one.beside("SLURM_STEP_ID") != null
                  || threads(one).equals(one.remuda()))),
  LAUNCHERS(
      "`HYDRA_LAUNCHER`, `I_MPI_HYDRA_BOOTSTRAP`",
      "`fork`, unless set",
      "MPICH and Intel MPI would call `srun` where the node list is set, which Open MPI cannot do"
          + " without. Both work by our `srun`, too, but not by that of a Slurm on the machine,"
          + " which knows no such job, nor in a container",
      one ->
          one.isOfVariable("HYDRA_LAUNCHER|I_MPI_HYDRA_BOOTSTRAP")
              && one.slurm() == null
              && "fork".equals(one.remuda())),
  OWN_PATH(
      "`$0`",
      "the script's path",
      "Slurm runs a copy, `slurm_script` in a folder of its own",
      one ->
          one.aspect().kind() == Aspect.Kind.FILE
              && one.slurm() != null
              && one.remuda() != null
              && one.remuda().equals(ofTheScript(one))),
  MISSING_FOLDER(
      "the output in a folder that is not there",
      "the folder is made",
      "the job of Slurm fails with `0:53`, and nothing says why",
      one -> one.head().name().equals("output-in-a-missing-folder")),
  MESSAGES(
      "lines of `slurmstepd` in the output, and of `srun` about its cluster",
      "none",
      "`remuda show` says why a task ended",
      one ->
          one.aspect().kind() == Aspect.Kind.FILE
              && one.slurm() != null
              && one.slurm()
                  .replaceAll("(?m)^(slurmstepd|srun: cluster configuration lacks).*\n", "")
                  .equals(one.remuda())),
  PLAIN_SCRIPTS(
      "all these variables in a script without a `#SBATCH` line that names none of them",
      "absent",
      "it is no script for `sbatch`",
      one ->
          one.isOf(Aspect.Kind.VARIABLE, "no-sbatch-line-at-all")
              && one.slurm() != null
              && (one.remuda() == null || one.isOfVariable("HOSTNAME"))),
  NO_FILE(
      "the output of a script without a `#SBATCH` line and without `--output`",
      "at the node, as of every job: `remuda logs`",
      "Slurm writes `slurm-12.out` for each script",
      one ->
          one.isOf(Aspect.Kind.FILE, "no-sbatch-line-.*")
              && one.aspect().name().matches("slurm-\\d+\\.out")
              && one.remuda() == null),
  KEPT_OUTPUT(
      "the output file of a job that was requeued",
      "goes on, also with `--open-mode=truncate`",
      "Slurm empties it, and the output of the first attempt is lost",
      one ->
          one.isOf(Aspect.Kind.FILE, "requeue-and-(truncate|default-mode)")
              && "attempt 1\n".equals(one.slurm())
              && "attempt 0\nattempt 1\n".equals(one.remuda())),
  SIGNAL_BY_HAND(
      "`remuda signal`, for `scancel --signal`",
      "reaches the script's shell, too, if it has a trap",
      "Slurm's reaches what `srun` has started, and the script with `--batch`",
      one -> one.head().name().equals("signal-to-the-script")),
  NO_TRAP(
      "`--signal=B:` and a script without a trap for it",
      "the script lives on, and what it runs gets the signal",
      "Slurm's script dies of it",
      one -> one.head().name().equals("signal-with-B-and-no-trap")),
  REFUSED(
      "`--exclusive`, an empty `--job-name`",
      "refused, with the way here",
      "a node is shared, and each job has a name",
      one -> one.isOf(Aspect.Kind.ACCEPTED, "exclusive|empty-value") && "no".equals(one.remuda())),
  IGNORED(
      "an option that `sbatch` does not know, a feature that no node has",
      "ignored with a warning",
      "`sbatch` refuses them",
      one ->
          one.isOf(Aspect.Kind.ACCEPTED, "constraint|unknown-option")
              && "yes".equals(one.remuda())),
  NEVER(
      "a dependency that cannot come true",
      "refused, or the job is cancelled",
      "Slurm lets it wait for ever, or cancels it with `--kill-on-invalid-dep`",
      one -> one.isOf(Aspect.Kind.ACCEPTED, "dependency-that-never-comes"));

  private final String variable;
  private final String here;
  private final String why;
  private final Predicate<Difference> rule;

  /**
   * @param rule null if no test can show the difference
   */
  KnownDifference(String variable, String here, String why, Predicate<Difference> rule) {
    this.variable = variable;
    this.here = here;
    this.why = why;
    this.rule = rule;
  }

  /** Returns whether this is one of what may differ. */
  boolean allows(Difference difference) {
    return rule != null && rule.test(difference);
  }

  /** Returns all that allow it. */
  static Set<KnownDifference> of(Difference difference) {
    return Stream.of(values()).filter(one -> one.allows(difference)).collect(Collectors.toSet());
  }

  /** Returns those that a test can show. */
  static Set<KnownDifference> tested() {
    return Stream.of(values()).filter(one -> one.rule != null).collect(Collectors.toSet());
  }

  /** Returns its row of the page. */
  String row() {
    return "| " + variable + " | " + here + " | " + why + " |\n";
  }

  /** Returns what Slurm's script wrote with the path of the script in place of the copy's. */
  private static String ofTheScript(Difference one) {
    return one.slurm()
        .replaceAll("(?m)^/\\S*/slurm_script", Matcher.quoteReplacement(one.script()))
        .replace("slurm_script", one.head().name() + ".sh");
  }

  /** Returns how many devices a variable has. */
  private static int gpus(String value) {
    return value == null || value.isEmpty() ? 0 : value.split(",").length;
  }

  private static String threads(Difference one) {
    String tasks = one.beside("SLURM_NTASKS");
    String cpus = one.beside("SLURM_CPUS_ON_NODE");
    return cpus == null
        ? ""
        : "" + Math.max(1, Integer.parseInt(cpus) / Integer.parseInt(tasks == null ? "1" : tasks));
  }
}
