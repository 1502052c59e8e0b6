package io.remuda.agent.attempt;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertNull;

import io.remuda.agent.protocol.SbatchScriptVariables;
import java.util.HashMap;
import java.util.Map;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** What a task of a script for sbatch finds. */
class BatchScriptVariablesTest {

  private static final Map<String, String> TASK =
      Map.of("REMUDA_ATTEMPT", "1", "REMUDA_TASK_INDEX", "1", "REMUDA_ARRAY_INDEX", "30");

  private static Map<String, String> job(String... more) {
    Map<String, String> job =
        new HashMap<>(
            Map.of(
                "REMUDA_JOB",
                "7",
                "REMUDA_JOB_NAME",
                "train.sh",
                "REMUDA_USER",
                "ann",
                "REMUDA_NODE",
                "n1",
                "REMUDA_TASK_COUNT",
                "3",
                "REMUDA_CPUS",
                "4",
                "REMUDA_MEM_MIB",
                "100",
                SbatchScriptVariables.BATCH,
                "2"));
    for (int i = 0; i < more.length; i += 2) {
      job.put(more[i], more[i + 1]);
    }
    return job;
  }

  @ParameterizedTest
  @CsvSource({
    "SLURM_JOB_ID,9",
    "SLURM_JOBID,9",
    "SLURM_ARRAY_JOB_ID,7",
    "SLURM_ARRAY_TASK_ID,30",
    "SLURM_ARRAY_TASK_COUNT,3",
    "SLURM_JOB_NAME,train.sh",
    "SLURM_JOB_USER,ann",
    "SLURMD_NODENAME,n1",
    "SLURM_CPUS_ON_NODE,4",
    "SLURM_JOB_CPUS_PER_NODE,4",
    "SLURM_TASKS_PER_NODE,2",
    "SLURM_PROCID,0",
    "SLURM_LOCALID,0",
    "SLURM_NODEID,0",
    "SLURM_GTIDS,0",
    "SLURM_NNODES,1",
    "SLURM_TOPOLOGY_ADDR_PATTERN,node",
    "HYDRA_LAUNCHER,fork",
  })
  void a_task_of_an_array_has_what_sbatch_sets(String name, String value) {
    assertEquals(value, BatchScriptVariables.of(job(), TASK, 9).get(name));
  }

  @Test
  void what_was_not_asked_for_is_absent() {
    Map<String, String> all = BatchScriptVariables.of(job(), Map.of("REMUDA_ATTEMPT", "1"), 7);
    for (String name :
        "SLURM_NTASKS SLURM_CPUS_PER_TASK SLURM_MEM_PER_NODE SLURM_GPUS SLURM_GPUS_ON_NODE SLURM_JOB_GPUS SLURM_RESTART_COUNT SLURM_ARRAY_JOB_ID SLURM_STEP_NODELIST"
            .split(" ")) {
      assertFalse(all.containsKey(name), name);
    }
  }

  @Test
  void an_empty_one_is_filled_in_and_a_chosen_one_stays() {
    Map<String, String> all =
        BatchScriptVariables.of(
            job("SLURM_CPUS_PER_TASK", "", "SLURM_MEM_PER_NODE", "", "SLURM_JOB_NAME", "mine"),
            TASK,
            7);
    assertEquals("2", all.get("SLURM_CPUS_PER_TASK"));
    assertEquals("100", all.get("SLURM_MEM_PER_NODE"));
    assertNull(all.get("SLURM_JOB_NAME"), "as the job has it");
  }

  @Test
  void a_later_attempt_counts_its_restarts_and_gpus_have_their_numbers() {
    Map<String, String> all =
        BatchScriptVariables.of(
            job(),
            Map.of(
                "REMUDA_ATTEMPT", "3",
                "REMUDA_DEVICES", "GPU-a,GPU-b",
                "CUDA_VISIBLE_DEVICES", "10,3"),
            7);
    assertEquals("2", all.get("SLURM_RESTART_COUNT"));
    assertEquals("2", all.get("SLURM_GPUS_ON_NODE"));
    assertEquals("3,10", all.get("SLURM_JOB_GPUS"));
  }

  @Test
  void other_jobs_have_those_that_their_script_names() {
    assertEquals("7", named("SLURM_JOB_ID").get("SLURM_JOB_ID"));
    assertFalse(named("SLURM_JOB_ID").containsKey("SLURM_PROCID"));
    assertEquals(Map.of(), named(""));
  }

  /** It would end with an internal error, or count one rank as all that a node has. */
  @Test
  void open_mpi_takes_a_part_of_the_variables_for_no_allocation() {
    Map<String, String> some = named("SLURM_JOBID");
    assertEquals("^slurm", some.get("OMPI_MCA_ras"));
    assertEquals("^slurm", some.get("OMPI_MCA_plm"));
    assertEquals("ssh", some.get("HYDRA_LAUNCHER"), "fork would start all ranks on this node");
    Map<String, String> chosen = named("SLURM_JOBID", "OMPI_MCA_ras", "mine");
    assertFalse(chosen.containsKey("OMPI_MCA_ras"));
    assertFalse(BatchScriptVariables.of(job(), TASK, 9).containsKey("OMPI_MCA_ras"), "has all");
  }

  @Test
  void one_task_with_all_that_open_mpi_reads_is_an_allocation_to_it() {
    String all = "SLURM_JOBID,SLURM_NODELIST";
    Map<String, String> whole = named(all, "SLURM_TASKS_PER_NODE", "2", "REMUDA_TASK_COUNT", "1");
    assertFalse(whole.containsKey("OMPI_MCA_ras"));
    Map<String, String> several = named(all, "SLURM_TASKS_PER_NODE", "2", "REMUDA_TASK_COUNT", "2");
    assertEquals("^slurm", several.get("OMPI_MCA_ras"));
  }

  /** Returns what a task has whose script names these, with more variables of its job. */
  private static Map<String, String> named(String names, String... more) {
    Map<String, String> job = job(more);
    job.remove(SbatchScriptVariables.BATCH);
    if (!names.isEmpty()) {
      job.put(SbatchScriptVariables.WANTED, names);
    }
    return BatchScriptVariables.of(job, TASK, 9);
  }
}
