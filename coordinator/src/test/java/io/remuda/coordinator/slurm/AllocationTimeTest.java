package io.remuda.coordinator.slurm;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.remuda.coordinator.slurm.SlurmStepAgents.AllocationEndText;
import java.time.Duration;
import java.time.ZoneOffset;
import java.time.ZonedDateTime;
import java.util.Map;
import java.util.Optional;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

class AllocationTimeTest {

  private static AllocationTime left(String text) {
    return AllocationTime.of("17|RUNNING|" + text + "\n", "17");
  }

  @ParameterizedTest
  @CsvSource({"4:56,PT4M56S", "0:00,PT0S", "2:00:00,PT2H", "1-12:30:05,PT36H30M5S", "INVALID,PT0S"})
  void the_time_left_is_read_as_squeue_writes_it(String text, Duration expected) {
    assertEquals(new AllocationTime(true, Optional.of(expected)), left(text));
  }

  @ParameterizedTest
  @ValueSource(strings = {"UNLIMITED", "NOT_SET", "N/A"})
  void a_job_may_have_no_limit(String text) {
    assertEquals(new AllocationTime(true, Optional.empty()), left(text));
  }

  @Test
  void a_job_that_is_being_ended_does_not_run() {
    assertEquals(AllocationTime.OVER, AllocationTime.of("17|COMPLETING|4:56\n", "17"));
    assertEquals(AllocationTime.OVER, AllocationTime.of("", "17"));
  }

  @Test
  void of_a_heterogeneous_job_the_first_component_that_ends_counts() {
    String lines = "17|RUNNING|2:00:00\n18|RUNNING|5:00\n19|RUNNING|UNLIMITED\n";
    AllocationTime all =
        AllocationTime.of(lines, "17")
            .and(AllocationTime.of(lines, "18"))
            .and(AllocationTime.of(lines, "19"));
    assertEquals(new AllocationTime(true, Optional.of(Duration.ofMinutes(5))), all);
    assertTrue(!all.and(AllocationTime.OVER).running());
  }

  @Test
  void the_agents_keep_some_seconds_of_what_is_left_or_half() {
    assertEquals(Duration.ofSeconds(54), SlurmStepAgents.forTasks(Duration.ofSeconds(60)));
    assertEquals(Duration.ofSeconds(2), SlurmStepAgents.forTasks(Duration.ofSeconds(4)));
  }

  @Test
  void an_end_is_said_with_its_day_unless_that_is_today() {
    ZonedDateTime now = ZonedDateTime.of(2026, 11, 25, 23, 0, 0, 0, ZoneOffset.UTC);
    assertEquals("at 23:30", AllocationEndText.of(Duration.ofMinutes(30), now));
    assertEquals("at 2026-11-26 01:00", AllocationEndText.of(Duration.ofHours(2), now));
  }

  @Test
  void what_is_missing_in_the_environment_is_named_with_the_option_that_does_without() {
    Map<String, String> environment = Map.of("SLURM_JOB_ID", "17", "SLURM_NNODES", "2");
    IllegalArgumentException refused =
        assertThrows(
            IllegalArgumentException.class, () -> SlurmAllocation.of(environment, "--no-srun"));
    assertEquals(
        "in a Slurm job, but SLURM_JOB_NODELIST is not set: give --no-srun to run on this machine"
            + " alone",
        refused.getMessage());
  }
}
