package io.remuda.coordinator.cli.jobfile;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;

import io.remuda.agent.settings.file.BadSettingsException;
import java.util.HashMap;
import java.util.Map;
import java.util.Set;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

class LauncherVariablesTest {

  /** The names that are left of these; each has the value 1. */
  private static Set<String> left(String... names) {
    Map<String, String> shell = new HashMap<>();
    for (String name : names) {
      shell.put(name, "1");
    }
    return LauncherVariables.without(shell).keySet();
  }

  @ParameterizedTest
  @ValueSource(
      strings = {
        "SLURM_JOB_ID",
        "SLURM_PROCID",
        "SLURMD_NODENAME",
        "PMI_RANK",
        "PMI2_RANK",
        "PMIX_NAMESPACE",
        "OMPI_COMM_WORLD_RANK",
        "OMPI_UNIVERSE_SIZE",
        "OMPI_MCA_orte_hnp_uri",
        "OMPI_MCA_ess",
        "OMPI_MCA_ess_base_vpid",
        "HYDI_CONTROL_FD",
        "MPI_LOCALRANKID",
        "MV2_COMM_WORLD_SIZE",
        "PALS_RANKID",
        "JSM_NAMESPACE_SIZE",
        "FLUX_JOB_ID",
        "FLUX_TASK_RANK",
        "PBS_JOBID",
        "PBS_NODEFILE",
        "LSB_JOBID",
        "LSB_DJOB_RANKFILE",
        "_CONDOR_SCRATCH_DIR",
        "TORCHELASTIC_RUN_ID",
        "TORCHELASTIC_USE_AGENT_STORE",
        "HOROVOD_RANK",
        "MAKELEVEL"
      })
  void what_says_that_the_shell_is_a_part_of_something_is_no_jobs(String name) {
    assertEquals(Set.of("A"), left("A", name));
  }

  @ParameterizedTest
  @ValueSource(
      strings = {
        "SLURM_CONF",
        "SLURM_CLUSTERS",
        "SBATCH_ACCOUNT",
        "PMIX_MCA_gds",
        "OMPI_MCA_btl",
        "OMPI_CC",
        "OMPI_ALLOW_RUN_AS_ROOT",
        "I_MPI_FABRICS",
        "MPIR_CVAR_DEBUG",
        "FLUX_CONF_DIR",
        "PBS_CONF_FILE",
        "LSB_DEFAULTQUEUE",
        "LSF_ENVDIR",
        "CONDOR_CONFIG",
        "_CONDOR_COLLECTOR_HOST",
        "SGE_ROOT",
        "PET_MASTER_PORT",
        "MAKEFLAGS",
        "RANK",
        "WORLD_SIZE",
        "MASTER_PORT",
        "JOB_NAME",
        "JOB_UUID",
        "NSLOTS",
        "REMUDA_HOME",
        "REMUDA_SNAPSHOTS",
        "BASH_FUNC_module%%"
      })
  void what_configures_or_may_be_the_users_own_stays(String name) {
    assertEquals(Set.of("A", name), left("A", name));
  }

  @ParameterizedTest
  @ValueSource(strings = {"TORCHELASTIC_RUN_ID", "SLURM_PROCID", "OMPI_COMM_WORLD_RANK"})
  void a_process_of_a_launcher_passes_on_no_place_of_its_own(String sign) {
    assertEquals(
        Set.of("A"),
        left("A", sign, "RANK", "LOCAL_RANK", "WORLD_SIZE", "MASTER_ADDR", "NODE_RANK"));
  }

  @Test
  void below_make_its_flags_stay_behind_and_a_job_server_always_does() {
    assertEquals(Set.of(), left("MAKELEVEL", "MAKEFLAGS", "MFLAGS", "MAKE_TERMOUT"));
    assertEquals(
        Map.of("MAKEFLAGS", " -j8"),
        LauncherVariables.without(
            Map.of(
                "MAKEFLAGS",
                " -j8",
                "CARGO_MAKEFLAGS",
                "-j --jobserver-fds=8,9 --jobserver-auth=8,9")));
  }

  @Test
  void a_task_passes_on_nothing_of_its_own_that_its_jobs_would_take_for_theirs() {
    assertEquals(
        Set.of("REMUDA_HOME", "A"),
        left(
            "REMUDA_TASK", "REMUDA_LINE", "REMUDA_PARAM_LR", "REMUDA_HOME", "A", "REMUDA_DEVICES"));
    assertEquals(Set.of("A"), left("REMUDA_LEASE", "REMUDA_DEVICES", "REMUDA_GPU_MEM_MIB", "A"));
    assertEquals(
        Set.of("A"), left("REMUDA_TRAINING_HOST", "JOB_UUID", "EPOCHS_DONE", "MASTER_PORT", "A"));
    assertEquals(Set.of("REMUDA_LINE"), left("REMUDA_LINE"), "a variable of the user's");
  }

  @Test
  void a_grid_engines_general_names_go_with_its_own() {
    assertEquals(Set.of("SGE_ROOT"), left("SGE_ROOT", "SGE_TASK_ID", "NSLOTS", "PE_HOSTFILE"));
  }

  @Test
  void a_setting_passes_everything_on() {
    Map<String, String> all = Map.of("SLURM_JOB_ID", "5", LauncherVariables.SETTING, "all");
    assertEquals(all, LauncherVariables.without(all));
    Map<String, String> own = Map.of("SLURM_JOB_ID", "5", LauncherVariables.SETTING, "own");
    assertEquals(Map.of(LauncherVariables.SETTING, "own"), LauncherVariables.without(own));
    String refusal =
        assertThrows(
                BadSettingsException.class,
                () -> LauncherVariables.without(Map.of(LauncherVariables.SETTING, "none")))
            .getMessage();
    assertEquals("REMUDA_SUBMIT_ENVIRONMENT must be own or all, got 'none'", refusal);
  }
}
