package io.remuda.coordinator.doctor;

import static org.junit.jupiter.api.Assertions.assertEquals;

import io.remuda.coordinator.doctor.DoctorFinding.Verdict;
import java.util.List;
import org.junit.jupiter.api.Test;

class DoctorTest {
  private static final DoctorFinding GOOD = DoctorFinding.good("java", "Java 17");
  private static final DoctorFinding WARNING = DoctorFinding.warning("cpus", "one", "ask for more");
  private static final DoctorFinding BROKEN =
      DoctorFinding.broken("cache", "cannot write", "make room");

  @Test
  void the_worst_finding_counts_wherever_it_stands() {
    assertEquals(Verdict.GOOD, Doctor.worst(List.of(GOOD, GOOD)));
    assertEquals(Verdict.WARNING, Doctor.worst(List.of(GOOD, WARNING, GOOD)));
    assertEquals(Verdict.BROKEN, Doctor.worst(List.of(BROKEN, WARNING, GOOD)));
    assertEquals(Verdict.BROKEN, Doctor.worst(List.of(WARNING, BROKEN)));
  }

  @Test
  void no_finding_is_good() {
    assertEquals(Verdict.GOOD, Doctor.worst(List.of()));
  }

  @Test
  void each_verdict_has_its_exit_code() {
    assertEquals(0, Verdict.GOOD.exitCode());
    assertEquals(3, Verdict.WARNING.exitCode());
    assertEquals(1, Verdict.BROKEN.exitCode());
  }
}
