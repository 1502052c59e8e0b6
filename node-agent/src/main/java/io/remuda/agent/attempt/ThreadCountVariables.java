package io.remuda.agent.attempt;

import java.util.HashMap;
import java.util.List;
import java.util.Map;

/**
 * The variables by which libraries choose the number of their threads, and the CPUs of their ranks.
 * Without them each process starts as many as the machine has cores, whatever it was promised.
 *
 * <p>MKL, OpenBLAS, BLIS and numexpr have a variable of their own and, without it, take {@code
 * OMP_NUM_THREADS}. Their own ones are left alone: they win, so that {@code export
 * OMP_NUM_THREADS=1} in a script, the one that {@code torchrun} sets for several processes, and the
 * part of the CPUs that joblib gives each of its workers would count for nothing.
 */
public final class ThreadCountVariables {

  /** Their names; docs/job-service.md documents them. */
  public static final List<String> NAMES =
      List.of(
          "OMP_NUM_THREADS",
          "NUMBA_NUM_THREADS",
          "RAYON_NUM_THREADS",
          "POLARS_MAX_THREADS",
          "JULIA_NUM_THREADS",
          "GOMAXPROCS",
          "NUMEXPR_MAX_THREADS",
          "LOKY_MAX_CPU_COUNT",
          "PYTHON_CPU_COUNT",
          "MC_CORES");

  /**
   * Open MPI binds its ranks to the first cores of the machine, also outside of the CPUs that
   * mpirun has, and two tasks to the same ones. Told so, they inherit the CPUs of the task.
   */
  private static final String BINDING_OF_OPEN_MPI = "OMPI_MCA_hwloc_base_binding_policy";

  /** Set by agents before this build, whose tasks may still submit jobs. */
  private static final List<String> FORMER =
      List.of("MKL_NUM_THREADS", "OPENBLAS_NUM_THREADS", "BLIS_NUM_THREADS", "NUMEXPR_NUM_THREADS");

  private static final String TASK = "REMUDA_TASK";
  private static final String CPUS = "REMUDA_CPUS";

  private ThreadCountVariables() {}

  /** numexpr complains if the first is above the second, which is left to a user who has set it. */
  private static final String THREADS_OF_NUMEXPR = "NUMEXPR_NUM_THREADS";

  private static final String MAXIMUM_OF_NUMEXPR = "NUMEXPR_MAX_THREADS";

  /**
   * R's mclapply forks two processes without it. Told to use one it calls the function itself, and
   * an error then ends the script that would have become a value: a single CPU is not told.
   */
  private static final String OF_R = "MC_CORES";

  /** Sets those that the user has not set. */
  static void addTo(Map<String, String> environment, double cpus) {
    String threads = threads(cpus);
    boolean ownNumexpr = environment.containsKey(THREADS_OF_NUMEXPR);
    NAMES.stream()
        .filter(name -> !ownNumexpr || !name.equals(MAXIMUM_OF_NUMEXPR))
        .filter(name -> !name.equals(OF_R) || cpus > 1)
        .forEach(name -> environment.putIfAbsent(name, threads));
    environment.putIfAbsent(BINDING_OF_OPEN_MPI, "none");
  }

  private static String threads(double cpus) {
    return Long.toString(Math.max(1, (long) Math.ceil(cpus)));
  }

  /**
   * Returns the variables of a shell without those that were set here for the task that it is, if
   * it is one: a job that a task submits gets those of its own CPUs.
   */
  public static Map<String, String> withoutTask(Map<String, String> shell) {
    String cpus = shell.get(CPUS);
    if (!shell.containsKey(TASK) || cpus == null || !cpus.matches("\\d{1,9}(\\.\\d{1,9})?")) {
      return shell;
    }
    String set = threads(Double.parseDouble(cpus));
    Map<String, String> rest = new HashMap<>(shell);
    NAMES.forEach(name -> rest.remove(name, set));
    FORMER.forEach(name -> rest.remove(name, set));
    return rest;
  }
}
