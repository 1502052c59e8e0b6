package io.remuda.coordinator.cli.jobfile;

import io.remuda.agent.attempt.ReservedVariables;
import io.remuda.agent.settings.file.BadSettingsException;
import io.remuda.telemetry.render.PrintableText;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.function.Predicate;
import java.util.regex.Pattern;

/**
 * The variables of a shell that say where it is: its allocation of a batch system, its place among
 * the processes of an MPI program or a distributed training, its make, its own task of Remuda. A
 * job is none of these, and libraries would believe that it is. What only configures stays. {@code
 * docs/job-service.md} has the table, and the Python package has the same rules.
 */
public final class LauncherVariables {

  /** Variable by which a user has jobs get the shell's environment with all of these. */
  public static final String SETTING = "REMUDA_SUBMIT_ENVIRONMENT";

  private static final String ALL = "all";

  /** They are no job's, whatever else is set; of some families there are names that configure. */
  private static final Predicate<String> NEVER =
      matches(
              "SLURM_.*|SLURMD_.*",
              "PMI2?_.*|PMIX_.*",
              "OMPI_(COMM_WORLD_.*|WORLD_.*|UNIVERSE_SIZE|APP_CTX_NUM_PROCS|FIRST_RANKS"
                  + "|NUM_APP_CTX|COMMAND|ARGV|FILE_LOCATION)",
              "OMPI_MCA_(orte_.*|ess|ess_.*|pmix|initial_wdir|shmem_RUNTIME_QUERY_hint)",
              "PRTE_LAUNCHED|MPI_LOCALNRANKS|MPI_LOCALRANKID|HYDI_CONTROL_FD"
                  + "|MPIR_CVAR_CH3_INTERFACE_HOSTNAME",
              "(MV2|MVP)_COMM_WORLD_.*|ALPS_APP_.*|JSM_.*",
              "PALS_(RANKID|NODEID|APID|APINFO|LOCAL_.*|SPOOL_DIR|STARTUP_.*)",
              "FLUX_(JOB_.*|TASK_.*|KVS_NAMESPACE|PMI_.*|URI|PROXY_REMOTE|TERMINUS_SESSION"
                  + "|INSTANCE_.*)",
              "PBS_.*|LSB_.*|LS_JOBPID|LS_SUBCWD|LSFUSER",
              "_CONDOR_(JOB_AD|MACHINE_AD|SCRATCH_DIR|SLOT|SLOT_NAME|JOB_IWD|JOB_PIDS"
                  + "|CHIRP_CONFIG|WRAPPER_ERROR_FILE|CREDS|PROCNO|NPROCS|REMOTE_SPOOL_DIR|BIN)",
              "TORCHELASTIC_(RUN_ID|RESTART_COUNT|MAX_RESTARTS|USE_AGENT_STORE|ERROR_FILE)",
              "HOROVOD_(RANK|SIZE|LOCAL_RANK|LOCAL_SIZE|CROSS_RANK|CROSS_SIZE|HOSTNAME"
                  + "|GLOO_RENDEZVOUS_.*)")
          .and(
              matches(
                      "SLURM_(CONF|CONF_SERVER|CLUSTERS|JWT|TIME_FORMAT|BITSTR_LEN|DEBUG_FLAGS"
                          + "|MPI_TYPE|ROOT|HOME|PREFIX)",
                      "PMI_(DEBUG|MMAP_SYNC_WAIT_TIME)|PMIX_(MCA_.*|DEBUG|HOME|ROOT|DIR|PREFIX)",
                      "PBS_(CONF_FILE|SERVER|DEFAULT|EXEC|HOME|DPREFIX)|LSB_DEFAULT.*")
                  .negate());

  /** Variables of which one says that a launcher has started the shell as one of several. */
  private static final Set<String> RANKED =
      Set.of(
          "TORCHELASTIC_RUN_ID",
          "SLURM_PROCID",
          "PMI_RANK",
          "PMIX_RANK",
          "OMPI_COMM_WORLD_RANK",
          "MV2_COMM_WORLD_RANK",
          "PALS_RANKID",
          "JSM_NAMESPACE_RANK",
          "FLUX_TASK_RANK",
          "HOROVOD_RANK");

  private static final Predicate<String> OF_RANKED =
      matches(
          "RANK|WORLD_SIZE|LOCAL_RANK|LOCAL_WORLD_SIZE|LOCAL_SIZE|NODE_RANK|CROSS_RANK|CROSS_SIZE",
          "GROUP_RANK|GROUP_WORLD_SIZE|ROLE_RANK|ROLE_WORLD_SIZE|ROLE_NAME",
          "MASTER_ADDR|MASTER_PORT");

  private static final Set<String> GRID_ENGINE = Set.of("SGE_TASK_ID");

  private static final Predicate<String> OF_GRID_ENGINE =
      matches(
          "SGE_(TASK_.*|O_.*|JOB_.*|STD(IN|OUT|ERR)_PATH|CWD_PATH|BINDING|ACCOUNT)",
          "PE|PE_HOSTFILE|NSLOTS|NHOSTS|NQUEUES|JOB_ID|JOB_NAME|JOB_SCRIPT|QUEUE|REQUEST|RESTARTED"
              + "|ARC|ENVIRONMENT");

  private static final Set<String> MAKE = Set.of("MAKELEVEL");

  private static final Predicate<String> OF_MAKE =
      matches("MAKELEVEL|MAKEFLAGS|MFLAGS|MAKE_TERMOUT|MAKE_TERMERR");

  /** Variables that may be of the user, unless they tell of a make that has its own jobs. */
  private static final Predicate<String> OF_JOB_SERVER =
      matches("MAKEFLAGS|MFLAGS|CARGO_MAKEFLAGS");

  private static final Set<String> TASK = Set.of("REMUDA_TASK", "REMUDA_LEASE");

  private static final Predicate<String> OF_TASK =
      matches(
          "REMUDA_(LEASE|ARRAY_INDEX|LINE|ENTRY|PARAM_.*|SLURM_NAMES|SBATCH.*|LIMITS|SUBMIT_DIR",
          "METRICS)");

  private static final Set<String> TRAINING = Set.of("REMUDA_TRAINING_HOST");

  private static final Predicate<String> OF_TRAINING =
      matches(
          "REMUDA_TRAINING_HOST|JOB_UUID|JOB_RESTARTED|EPOCHS_TO_BE_DONE|EPOCHS_DONE|BATCH_SIZE",
          "TRAINING_SET_SIZE|HEARTBEAT_FREQ|NUM_GPUS|NUM_NODES|WORLD_SIZE|NODE_RANK|NODELIST",
          "LOCAL_RANK|MASTER_ADDR|MASTER_PORT|TF_CONFIG|PL_TORCH_DISTRIBUTED_BACKEND|RESERVED_MEM",
          "REMUDA_(SNAPSHOTS|CUSTOM|DATA)");

  private LauncherVariables() {}

  private static Predicate<String> matches(String... expressions) {
    return Pattern.compile(String.join("|", expressions)).asMatchPredicate();
  }

  /**
   * Returns the variables of a shell that a job may have.
   *
   * @throws BadSettingsException if {@link #SETTING} has a value that it cannot have
   */
  public static Map<String, String> without(Map<String, String> shell) {
    String setting = shell.getOrDefault(SETTING, "");
    if (!List.of("", "own", ALL).contains(setting)) {
      throw new BadSettingsException(
          SETTING + " must be own or all, got '" + PrintableText.of(setting) + "'");
    }
    if (setting.equals(ALL)) {
      return shell;
    }
    Map<String, String> rest = new HashMap<>(shell);
    rest.keySet().removeIf(NEVER);
    remove(rest, shell, RANKED, OF_RANKED);
    remove(rest, shell, GRID_ENGINE, OF_GRID_ENGINE);
    remove(rest, shell, MAKE, OF_MAKE);
    remove(
        rest, shell, TASK, OF_TASK.or(name -> ReservedVariables.refusal(name, false).isPresent()));
    remove(rest, shell, TRAINING, OF_TRAINING);
    rest.entrySet()
        .removeIf(
            one -> OF_JOB_SERVER.test(one.getKey()) && one.getValue().contains("--jobserver"));
    return rest;
  }

  /** Removes variables if one of some others says whose they are. */
  private static void remove(
      Map<String, String> rest,
      Map<String, String> shell,
      Set<String> signs,
      Predicate<String> names) {
    if (signs.stream().anyMatch(shell::containsKey)) {
      rest.keySet().removeIf(names);
    }
  }
}
