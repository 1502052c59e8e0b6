package io.remuda.coordinator.slurm.difference;

import java.util.function.Predicate;
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
      one -> false),
  PARTITION(
      "`SLURM_JOB_PARTITION`",
      "the first one of `--partition`, else `remuda`",
      "there is none here",
      one -> one.isOfVariable("SLURM_JOB_PARTITION") && "remuda".equals(one.remuda())),
  DAEMONS(
      "`SLURM_TASK_PID`, `SLURM_CONF`, `SLURM_CLUSTER_NAME`, `SLURM_WORKING_CLUSTER`",
      "kept back",
      "there is no daemon of Slurm to ask, and the first is not known before the start",
      one ->
          one.isOfVariable("SLURM_(TASK_PID|CONF|CLUSTER_NAME|WORKING_CLUSTER)")
              && one.remuda() == null),
  LAUNCHERS(
      "`HYDRA_LAUNCHER`, `I_MPI_HYDRA_BOOTSTRAP`",
      "`fork`, unless set",
      "MPICH and Intel MPI would call `srun` where the node list is set, which Open MPI cannot do"
          + " without",
      one ->
          one.isOfVariable("HYDRA_LAUNCHER|I_MPI_HYDRA_BOOTSTRAP")
              && one.slurm() == null
              && "fork".equals(one.remuda())),
  THREADS(
      "`OMP_NUM_THREADS` and its like",
      "the CPUs of one task, unless set",
      "Slurm sets none, and a program takes all CPUs that it sees",
      one ->
          one.isOfVariable("OMP_NUM_THREADS")
              && one.slurm() == null
              && one.remuda().equals(threads(one)));

  private final String variable;
  private final String here;
  private final String why;
  private final Predicate<Difference> rule;

  KnownDifference(String variable, String here, String why, Predicate<Difference> rule) {
    this.variable = variable;
    this.here = here;
    this.why = why;
    this.rule = rule;
  }

  /** Returns whether this is one of what may differ. */
  boolean allows(Difference difference) {
    return rule.test(difference);
  }

  /** Returns whether any allows it. */
  static boolean isKnown(Difference difference) {
    return Stream.of(values()).anyMatch(one -> one.allows(difference));
  }

  /** Returns its row of the page. */
  String row() {
    return "| " + variable + " | " + here + " | " + why + " |\n";
  }

  private static String threads(Difference one) {
    String tasks = one.beside("SLURM_NTASKS");
    int cpus = Integer.parseInt(one.beside("SLURM_CPUS_ON_NODE"));
    return Integer.toString(cpus / (tasks == null ? 1 : Integer.parseInt(tasks)));
  }
}
