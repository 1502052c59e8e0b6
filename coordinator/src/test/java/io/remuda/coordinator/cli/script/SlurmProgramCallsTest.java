package io.remuda.coordinator.cli.script;

import static org.junit.jupiter.api.Assertions.assertEquals;

import java.util.List;
import java.util.Set;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

class SlurmProgramCallsTest {

  private static Set<String> calls(String text) {
    return SlurmProgramCalls.of(text).programs();
  }

  @ParameterizedTest
  @ValueSource(
      strings = {
        "scancel $SLURM_JOB_ID",
        "  scancel",
        "true && scancel 7",
        "trap 'scancel 7' USR1",
        "x=$(scancel 7)",
        "x=`scancel 7`",
        "if ! scancel 7; then :; fi",
        "A=1 B='2' scancel 7",
        "exec scancel 7",
        "/usr/bin/scancel 7",
        "false || { scancel 7; }",
        "case $x in y) scancel 7;; esac",
        "srun true # then\nscancel 7"
      })
  void a_call_is_found_wherever_a_shell_has_commands(String text) {
    assertEquals(Set.of("scancel"), Set.copyOf(SlurmProgramCalls.of(text).withoutCounterpart()));
  }

  @ParameterizedTest
  @ValueSource(
      strings = {
        "# scancel 7",
        "echo scancel 7",
        "true # scancel 7",
        "my-scancel 7",
        "scancel=1",
        "scancel_all 7",
        "echo 'to end it: scancel 7'",
        "print(scancel(7))",
        "python scancel.py"
      })
  void what_is_no_call_is_not_one(String text) {
    assertEquals(Set.of(), calls(text));
  }

  @Test
  void what_the_job_has_of_slurm_here_needs_no_word() {
    SlurmProgramCalls calls =
        SlurmProgramCalls.of("hosts=$(scontrol show hostnames $SLURM_JOB_NODELIST)\nsrun true\n");
    assertEquals(List.of(), calls.withoutCounterpart());
    assertEquals(Set.of("scontrol show hostnames", "srun"), calls.programs());
  }

  @Test
  void another_verb_of_scontrol_is_named_with_it() {
    assertEquals(
        List.of("scontrol requeue"),
        SlurmProgramCalls.of("scontrol requeue $SLURM_JOB_ID").withoutCounterpart());
  }

  @Test
  void programs_are_named_once_and_in_order_with_what_to_write() {
    assertEquals(
        "scancel, squeue and sbatch of Slurm do not know jobs of Remuda: write remuda cancel, remuda"
            + " queue, remuda submit",
        SlurmProgramCalls.of("squeue\nscancel 1\nsbatch next.sh\nscancel 2\n")
            .warning()
            .orElseThrow());
  }
}
