package io.remuda.coordinator.cli.script;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import java.util.Set;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** How much a head asks for, and what it says of it in variables; all as Slurm 22.05 does. */
class SbatchAmountsTest {

  private static SbatchTranslation of(String line) {
    return of(line, Map.of());
  }

  /** A head beside options that were typed. */
  private static SbatchTranslation of(String line, Map<String, String> typed) {
    byte[] text = ("#!/bin/bash\n#SBATCH " + line + "\n").getBytes(StandardCharsets.UTF_8);
    JobScript script = JobScript.of(Path.of("job.sh"), text);
    return new SbatchTranslation(
        script,
        SbatchOptions.of(script),
        Set.of(),
        new SlurmFileNamePatterns(true, false),
        false,
        typed::get);
  }

  @ParameterizedTest
  @CsvSource({
    "-n 2 --ntasks-per-node=4, 4, 2",
    "-n 2 --ntasks-per-node=4 -c 2, 8, 4",
    "-n 2 --gpus=2 --cpus-per-gpu=3, 6, 3",
    "--cpus-per-gpu=1 -n 4 --gpus=2, 4, 1",
    "-n 2 --mincpus=6, 6, 3",
    "--overcommit -n 4, 1, 1",
    "-O -n 4 -c 2, 2, 1",
  })
  void cpus_are_those_that_sbatch_reserves_and_threads_a_tasks_part(
      String line, String cpus, int threads) {
    SbatchTranslation found = of(line);
    assertEquals(List.of(cpus), found.options().get("--cpus"));
    assertEquals(threads, found.threads());
    assertFalse(found.notes().toString().contains("ignored"), found.notes()::toString);
  }

  @ParameterizedTest
  @CsvSource({
    "--gpus=2 --cpus-per-gpu=8 --mem-per-cpu=4G, '', 16, 65536MiB",
    "--mincpus=8 --mem-per-cpu=2G, '', 8, 16384MiB",
    "--mem-per-cpu=4G -c 4, --cpus=16, 4, 65536MiB",
    "--mem-per-cpu=4G -c 4, --cpus=0.5, 4, 2048MiB",
    "--gpus=1 --mem-per-gpu=40G, --gpus=4, , 163840MiB",
    "--mem-per-gpu=40G, --gpus=4, , 163840MiB",
    "--cpus-per-gpu=8, --gpus=4, 32, ",
  })
  void memory_and_cpus_of_each_are_for_all_that_the_job_has_in_the_end(
      String line, String typed, String cpus, String memory) {
    String[] option = typed.split("=");
    SbatchTranslation found = of(line, typed.isEmpty() ? Map.of() : Map.of(option[0], option[1]));
    assertEquals(cpus, first(found, "--cpus"));
    assertEquals(memory, first(found, "--mem"));
  }

  private static String first(SbatchTranslation found, String option) {
    return found.options().getOrDefault(option, List.of()).stream().findFirst().orElse(null);
  }

  @ParameterizedTest
  @CsvSource({
    "--gres=gpu:a100 --cpus-per-gpu=8, 1, a100, 8, ",
    "'--gres=gpu:2,lscratch:200 --mem-per-gpu=16G', 2, , , 32768MiB",
    "--gres=lscratch:100 --gpus=2 --cpus-per-gpu=4, 2, , 8, ",
    "--gres=gpu --cpus-per-gpu=8, 1, , 8, ",
    "--gres=lscratch:100 -C x2695, , , , ",
    "--gres=gpu:v100:2 -n 1, 2, v100, , ",
    "'--gres=gpu:a100:2,gpu:a100:1', 3, a100, , ",
    "--gpus=8 --gpus-per-task=2, 8, , 4, ",
    "--gpus=8 --gpus-per-task=2 -c 3, 8, , 12, ",
    "--gpus-per-task=2 -n 3, 6, , 3, ",
  })
  void gpus_are_counted_by_their_numbers_and_not_by_their_names(
      String line, String gpus, String model, String cpus, String memory) {
    SbatchTranslation found = of(line);
    assertEquals(gpus, first(found, "--gpus"));
    assertEquals(model, first(found, "--gpu-model"));
    assertEquals(cpus, first(found, "--cpus"));
    assertEquals(memory, first(found, "--mem"));
  }

  @Test
  void a_signal_before_the_end_counts_if_the_time_limit_is_typed() {
    SbatchTranslation found = of("--signal=B:USR1@120", Map.of("--time-limit", "2h"));
    assertEquals("USR1@120s", first(found, "--signal"));
    assertEquals(List.of(), found.notes());
    assertTrue(of("--signal=B:USR1@120").notes().toString().contains("--signal is ignored"));
  }

  @Test
  void more_tasks_for_a_node_than_there_are_is_told_as_asked() {
    Map<String, String> variables = of("-n 2 --ntasks-per-node=4").variables();
    assertEquals("2", variables.get("SLURM_NTASKS"));
    assertEquals("4", variables.get("SLURM_NTASKS_PER_NODE"));
    assertEquals("4", variables.get("SLURM_TASKS_PER_NODE"));
    assertEquals("4", of("-n 4 --ntasks-per-node=2").variables().get("SLURM_NTASKS_PER_NODE"));
  }

  @Test
  void the_cpus_of_a_task_are_those_that_were_asked_for() {
    assertEquals("2", of("-O -n 4 -c 2").variables().get("SLURM_CPUS_PER_TASK"));
    assertEquals("2", of("-c 2 --mincpus=8").variables().get("SLURM_CPUS_PER_TASK"));
  }

  @Test
  void the_whole_environment_is_no_choice_and_a_dependency_is_told() {
    assertFalse(of("--export=all").variables().containsKey("SLURM_EXPORT_ENV"));
    assertFalse(of("--export=ALL").variables().containsKey("SLURM_GET_USER_ENV"));
    assertEquals("ALL,A=b", of("--export=ALL,A=b").variables().get("SLURM_EXPORT_ENV"));
    assertEquals("1", of("--export=ALL,A=b").variables().get("SLURM_GET_USER_ENV"));
    assertEquals("afterok:7:8", of("-d afterok:7:8").variables().get("SLURM_JOB_DEPENDENCY"));
  }

  @ParameterizedTest
  @CsvSource({
    "--ntasks=0, job.sh:2: --ntasks: it is at least 1",
    "--gpus=:, job.sh:2: --gpus: ':' lacks a type or a number of GPUs",
    "--gres=gpu:2:, job.sh:2: --gres: 'gpu:2:' lacks a type or a number of GPUs",
    "'--gpus-per-node=volta:3,kepler:5', job.sh:2: --gpus-per-node: a job has GPUs of one type",
    "-c 0, job.sh:2: --cpus-per-task: it is at least 1",
    "--ntasks-per-node=0, job.sh:2: --ntasks-per-node: it is at least 1",
    "--mem=4 --mem-per-cpu=1, job.sh: --mem and --mem-per-cpu exclude each other",
    "--mem-per-gpu=4 --mem=1, job.sh: --mem and --mem-per-gpu exclude each other",
  })
  void what_sbatch_refuses_is_refused(String line, String says) {
    String said = assertThrows(IllegalArgumentException.class, () -> of(line)).getMessage();
    assertTrue(said.startsWith(says), said);
  }

  @Test
  void a_line_without_options_makes_it_a_script_for_sbatch() {
    byte[] text = "#!/bin/bash\n#SBATCH\ntrue\n".getBytes(StandardCharsets.UTF_8);
    assertTrue(JobScript.of(Path.of("job.sh"), text).isForSbatch());
  }
}
