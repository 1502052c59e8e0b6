package io.remuda.agent.protocol;

import static org.junit.jupiter.api.Assertions.assertEquals;

import java.util.Map;
import org.junit.jupiter.api.Test;

class SbatchScriptVariablesTest {

  private static final Map<String, String> TASK =
      Map.of("REMUDA_ARRAY_INDEX", "30", "REMUDA_TASK_INDEX", "2");

  @Test
  void a_task_finds_those_that_its_script_names() {
    Map<String, String> job =
        Map.of(
            "REMUDA_JOB",
            "7",
            SbatchScriptVariables.WANTED,
            "SLURM_ARRAY_TASK_ID,SLURM_JOB_ID,SLURM_X");
    assertEquals(
        Map.of("SLURM_ARRAY_TASK_ID", "30", "SLURM_JOB_ID", "7"),
        SbatchScriptVariables.of(job, TASK));
  }

  @Test
  void without_an_array_there_is_no_index_and_without_a_wish_there_is_nothing() {
    Map<String, String> job =
        Map.of("REMUDA_JOB", "7", SbatchScriptVariables.WANTED, "SLURM_ARRAY_TASK_ID");
    assertEquals(Map.of(), SbatchScriptVariables.of(job, Map.of()));
    assertEquals(Map.of(), SbatchScriptVariables.of(Map.of("REMUDA_JOB", "7"), TASK));
  }
}
