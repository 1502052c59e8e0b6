package io.remuda.agent.attempt;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertNull;

import io.remuda.agent.keeper.SpawnRequest;
import io.remuda.agent.protocol.TaskStartOrder;
import io.remuda.agent.settings.AgentSettings;
import io.remuda.agent.settings.TrainingCallers;
import io.remuda.agent.testkit.TestAgents;
import io.remuda.worker.job.AttemptId;
import io.remuda.worker.job.CommandWorkload;
import io.remuda.worker.job.ResourceRequest;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import java.util.UUID;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

/** The numbers of threads that commands are told. */
class ThreadCountVariablesTest {
  private static final AgentSettings SETTINGS = TestAgents.settings(Path.of("/run/n1"));

  private static SpawnRequest launched(
      AgentSettings settings, double cpus, Map<String, String> env) {
    CommandWorkload command = new CommandWorkload(List.of("true"), env, "/", 022);
    TaskStartOrder order =
        new TaskStartOrder(
            AttemptId.parse("1.0.1"),
            "ann",
            false,
            0,
            command,
            List.of(),
            1,
            false,
            new TaskStartOrder.JobFacts(new UUID(0, 1), "job", 1, new ResourceRequest(cpus, 0)));
    return new CommandSpawnRequestBuilder(settings, new OwnInterfaces("127.0.0.1"), List::of)
        .of(order, command, TaskFolder.of(settings, order.attempt()), LaunchAdditions.NONE);
  }

  @ParameterizedTest
  @CsvSource({"0,1", "0.5,1", "1,1", "2.5,3", "16,16"})
  void a_command_has_as_many_threads_as_cpus_rounded_up_and_at_least_one(
      double cpus, String threads) {
    SpawnRequest request = launched(SETTINGS, cpus, Map.of());
    ThreadCountVariables.NAMES.stream()
        .filter(name -> !name.equals("MC_CORES"))
        .forEach(name -> assertEquals(threads, request.variable(name), name));
  }

  @Test
  void what_the_user_has_set_stays() {
    SpawnRequest request = launched(SETTINGS, 4, Map.of("OMP_NUM_THREADS", "7"));
    assertEquals("7", request.variable("OMP_NUM_THREADS"));
    assertEquals("4", request.variable("LOKY_MAX_CPU_COUNT"));
  }

  /**
   * OpenBLAS 0.3.21, BLIS 0.9.0, MKL and numexpr 2.8.4 take theirs before OMP_NUM_THREADS, and
   * joblib 1.2.0 leaves alone what it finds set: two workers of two CPUs would have four threads.
   */
  @ParameterizedTest
  @ValueSource(
      strings = {
        "MKL_NUM_THREADS",
        "OPENBLAS_NUM_THREADS",
        "BLIS_NUM_THREADS",
        "NUMEXPR_NUM_THREADS"
      })
  void a_number_that_a_script_gives_openmp_is_not_overruled(String name) {
    assertNull(launched(SETTINGS, 4, Map.of()).variable(name));
    assertEquals("2", launched(SETTINGS, 4, Map.of(name, "2")).variable(name));
  }

  /** numexpr 2.8.4 prints an error where the one that we would set is below the user's. */
  @Test
  void who_sets_numexprs_threads_sets_their_maximum() {
    SpawnRequest request = launched(SETTINGS, 4, Map.of("NUMEXPR_NUM_THREADS", "8"));
    assertEquals("8", request.variable("NUMEXPR_NUM_THREADS"));
    assertEquals("4", request.variable("OMP_NUM_THREADS"));
    assertNull(request.variable("NUMEXPR_MAX_THREADS"));
    SpawnRequest maximum = launched(SETTINGS, 4, Map.of("NUMEXPR_MAX_THREADS", "8"));
    assertEquals("8", maximum.variable("NUMEXPR_MAX_THREADS"));
  }

  @Test
  void joblib_python_and_r_are_told_their_cpus() {
    for (String name : List.of("LOKY_MAX_CPU_COUNT", "PYTHON_CPU_COUNT", "MC_CORES")) {
      assertEquals("3", launched(SETTINGS, 3, Map.of()).variable(name), name);
    }
  }

  /** With one core mclapply lets an error end the script, with more it becomes a value. */
  @Test
  void r_is_told_of_several_cpus_and_not_of_one() {
    assertEquals("2", launched(SETTINGS, 1.5, Map.of()).variable("MC_CORES"));
    assertNull(launched(SETTINGS, 1, Map.of()).variable("MC_CORES"));
    assertEquals("1", launched(SETTINGS, 1, Map.of("MC_CORES", "1")).variable("MC_CORES"));
  }

  /** Open MPI 4.1.4 binds ranks to the machine's first cores, whatever CPUs mpirun itself has. */
  @Test
  void ranks_of_open_mpi_stay_on_the_cpus_of_their_task_unless_the_user_binds_them() {
    String binding = "OMPI_MCA_hwloc_base_binding_policy";
    assertEquals("none", launched(SETTINGS, 2, Map.of()).variable(binding));
    assertEquals("core", launched(SETTINGS, 2, Map.of(binding, "core")).variable(binding));
  }

  @Test
  void a_setting_turns_them_off() {
    AgentSettings off =
        new AgentSettings(
            "n1",
            "r1",
            SETTINGS.access(),
            SETTINGS.folder(),
            SETTINGS.cache(),
            SETTINGS.tie(),
            SETTINGS.timing(),
            false,
            true,
            SETTINGS.askToEnd(),
            TrainingCallers.OWN,
            Map.of());
    assertNull(launched(off, 4, Map.of()).variable("OMP_NUM_THREADS"));
    assertNull(launched(off, 4, Map.of()).variable("OMPI_MCA_hwloc_base_binding_policy"));
  }

  @Test
  void a_task_that_submits_a_job_passes_on_only_what_its_user_has_set() {
    Map<String, String> task =
        Map.of(
            "REMUDA_TASK",
            "1.0",
            "REMUDA_CPUS",
            "1.5",
            "OMP_NUM_THREADS",
            "2",
            "GOMAXPROCS",
            "9",
            "MKL_NUM_THREADS",
            "2"); // by an older agent
    Map<String, String> passed = ThreadCountVariables.withoutTask(task);
    assertFalse(passed.containsKey("OMP_NUM_THREADS"), passed::toString);
    assertFalse(passed.containsKey("MKL_NUM_THREADS"), passed::toString);
    assertEquals("9", passed.get("GOMAXPROCS"));
    Map<String, String> shell = Map.of("REMUDA_CPUS", "1", "OMP_NUM_THREADS", "1");
    assertEquals(shell, ThreadCountVariables.withoutTask(shell), "it is no task");
  }
}
