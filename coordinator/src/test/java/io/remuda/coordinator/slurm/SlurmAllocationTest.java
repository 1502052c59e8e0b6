package io.remuda.coordinator.slurm;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

class SlurmAllocationTest {
  private static final Map<String, String> PLAIN =
      Map.of(
          "SLURM_JOB_ID", "17",
          "SLURM_JOB_NODELIST", "gpu[1-3]",
          "SLURM_JOB_NUM_NODES", "3");

  private static final Map<String, String> HETEROGENEOUS =
      Map.of(
          "SLURM_JOB_ID", "20",
          "SLURM_HET_SIZE", "2",
          "SLURM_JOB_ID_HET_GROUP_0", "20",
          "SLURM_JOB_NODELIST_HET_GROUP_0", "gpu[1-2]",
          "SLURM_JOB_NUM_NODES_HET_GROUP_0", "2",
          "SLURM_JOB_ID_HET_GROUP_1", "21",
          "SLURM_JOB_NODELIST_HET_GROUP_1", "cpu7",
          "SLURM_JOB_NUM_NODES_HET_GROUP_1", "1");

  private static Map<String, String> with(Map<String, String> environment, String... more) {
    Map<String, String> all = new HashMap<>(environment);
    for (int i = 0; i < more.length; i += 2) {
      all.put(more[i], more[i + 1]);
    }
    return all;
  }

  private static Map<String, String> without(Map<String, String> environment, String name) {
    Map<String, String> all = new HashMap<>(environment);
    all.remove(name);
    return all;
  }

  private static String refusal(Map<String, String> environment) {
    return assertThrows(IllegalArgumentException.class, () -> SlurmAllocation.of(environment))
        .getMessage();
  }

  @Test
  void outside_of_slurm_there_is_none() {
    assertEquals(Optional.empty(), SlurmAllocation.of(Map.of("PATH", "/bin")));
    assertEquals(Optional.empty(), SlurmAllocation.of(with(PLAIN, "SLURM_JOB_ID", " ")));
  }

  @Test
  void a_plain_job_has_one_component_without_a_group() {
    SlurmAllocation allocation = SlurmAllocation.of(PLAIN).orElseThrow();
    assertEquals(
        List.of(new SlurmAllocation.Component(Optional.empty(), "17", "gpu[1-3]", 3)),
        allocation.components());
    assertEquals(3, allocation.nodes());
  }

  @Test
  void a_heterogeneous_job_has_a_component_for_each_group() {
    SlurmAllocation allocation = SlurmAllocation.of(HETEROGENEOUS).orElseThrow();
    assertEquals(
        List.of(
            new SlurmAllocation.Component(Optional.of(0), "20", "gpu[1-2]", 2),
            new SlurmAllocation.Component(Optional.of(1), "21", "cpu7", 1)),
        allocation.components());
    assertEquals(3, allocation.nodes());
  }

  @Test
  void an_old_name_of_the_number_of_nodes_is_understood() {
    Map<String, String> old = with(without(PLAIN, "SLURM_JOB_NUM_NODES"), "SLURM_NNODES", "4");
    assertEquals(4, SlurmAllocation.of(old).orElseThrow().nodes());
  }

  @ParameterizedTest
  @CsvSource({"SLURM_JOB_NODELIST, SLURM_JOB_NODELIST", "SLURM_JOB_NUM_NODES, SLURM_NNODES"})
  void what_slurm_has_not_set_is_named_with_the_way_out(String missing, String named) {
    String refusal = refusal(without(PLAIN, missing));
    assertTrue(refusal.contains(named + " is not set"), refusal);
    assertTrue(refusal.contains("--nodes 1"), refusal);
  }

  @ParameterizedTest
  @ValueSource(strings = {"SLURM_JOB_ID_HET_GROUP_1", "SLURM_JOB_NODELIST_HET_GROUP_0"})
  void what_a_group_lacks_is_named_with_the_group(String missing) {
    String refusal = refusal(without(HETEROGENEOUS, missing));
    assertTrue(refusal.contains(missing + " is not set"), refusal);
    assertTrue(refusal.contains("--nodes 1"), refusal);
  }

  @Test
  void to_be_started_by_srun_several_times_is_refused() {
    String refusal = refusal(with(PLAIN, "SLURM_STEP_ID", "0", "SLURM_STEP_NUM_TASKS", "3"));
    assertTrue(refusal.contains("3 times"), refusal);
    assertTrue(refusal.contains("without srun"), refusal);
  }

  @ParameterizedTest(name = "step {0} with {1} tasks")
  @CsvSource({"0, 1", "4294967291, 3", "4294967290, 3"})
  void one_task_the_batch_script_and_the_interactive_step_may_start_a_run(
      String step, String tasks) {
    Map<String, String> environment =
        with(PLAIN, "SLURM_STEP_ID", step, "SLURM_STEP_NUM_TASKS", tasks);
    assertEquals(3, SlurmAllocation.of(environment).orElseThrow().nodes());
  }

  @Test
  void a_step_that_does_not_tell_its_tasks_has_one() {
    assertTrue(SlurmAllocation.of(with(PLAIN, "SLURM_STEP_ID", "0")).isPresent());
  }

  @Test
  void an_allocation_without_components_cannot_be() {
    assertThrows(IllegalArgumentException.class, () -> new SlurmAllocation(List.of()));
  }
}
