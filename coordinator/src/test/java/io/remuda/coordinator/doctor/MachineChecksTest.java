package io.remuda.coordinator.doctor;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.remuda.coordinator.doctor.DoctorFinding.Verdict;
import io.remuda.telemetry.model.HostInfo;
import java.time.Instant;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

class MachineChecksTest {
  private static final long MIB = 1L << 20;

  private static HostInfo host(double cpus, long memory) {
    return new HostInfo("h1", "a CPU", 16, cpus, 64L << 30, memory);
  }

  @ParameterizedTest
  @CsvSource({"11, BROKEN", "16, BROKEN", "17, GOOD", "25, GOOD"})
  void java_is_17_or_newer(int feature, Verdict verdict) {
    DoctorFinding finding = MachineChecks.java(feature, "/opt/jdk");
    assertEquals(verdict, finding.verdict());
    assertEquals("Java " + feature + " in /opt/jdk", finding.found());
    assertEquals(verdict == Verdict.BROKEN, finding.todo().contains("JAVA_HOME"));
  }

  @ParameterizedTest
  @CsvSource({"0.5, WARNING", "1.9, WARNING", "2, GOOD", "16, GOOD"})
  void fewer_than_two_cpus_are_few(double cpus, Verdict verdict) {
    DoctorFinding finding = MachineChecks.cpus(host(cpus, 8L << 30));
    assertEquals(verdict, finding.verdict());
    assertEquals(cpus + " of 16 CPUs allowed", finding.found());
  }

  @ParameterizedTest
  @CsvSource({
    "1200, BROKEN, 0",
    "1231, WARNING, 1",
    "2460, WARNING, 1",
    "2461, GOOD, 2",
    "8192, GOOD, 6"
  })
  void memory_for_one_training_is_needed_and_for_two_is_good(
      long mebibytes, Verdict verdict, int trainings) {
    DoctorFinding finding = MachineChecks.memory(host(4, mebibytes * MIB));
    assertEquals(verdict, finding.verdict());
    assertTrue(
        finding.found().endsWith("enough for " + trainings + " trainings at once"),
        finding.found());
  }

  @Test
  void what_is_allowed_is_told_beside_what_there_is() {
    assertTrue(
        MachineChecks.memory(host(4, 8L << 30)).found().startsWith("8.0 of 64.0 GiB allowed"));
  }

  @ParameterizedTest
  @CsvSource({
    "1970-01-01T00:00:07Z, WARNING",
    "2025-10-09T08:53:19Z, WARNING",
    "2025-10-09T08:53:20Z, GOOD",
    "2040-01-01T00:00:00Z, GOOD"
  })
  void a_clock_before_this_program_has_lost_the_time(Instant now, Verdict verdict) {
    DoctorFinding finding = MachineChecks.clock(now.toEpochMilli());
    assertEquals(verdict, finding.verdict());
    assertTrue(finding.found().contains(now.toString()), finding.found());
  }
}
