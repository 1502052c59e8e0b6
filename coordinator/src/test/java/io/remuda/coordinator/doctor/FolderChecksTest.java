package io.remuda.coordinator.doctor;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.remuda.coordinator.doctor.DoctorFinding.Verdict;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.PosixFilePermissions;
import java.util.List;
import java.util.Map;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class FolderChecksTest {
  @TempDir private Path folder;

  private static List<Path> in(Path folder) throws IOException {
    try (Stream<Path> all = Files.list(folder)) {
      return all.toList();
    }
  }

  private Path file() throws IOException {
    return Files.writeString(folder.resolve("a-file"), "hello");
  }

  private static DoctorFinding locks(Path folder) {
    return FolderChecks.deviceLocks(Map.of("REMUDA_DEVICE_LOCKS", folder.toString()));
  }

  @Test
  void a_folder_is_made_closed_to_others_and_left_empty() throws IOException {
    Path state = folder.resolve("deep/state");
    DoctorFinding finding = FolderChecks.state(state);
    assertTrue(finding.verdict() != Verdict.BROKEN, finding.toString());
    assertTrue(finding.found().matches(state + " on \\S+, \\d+\\.\\d GiB free.*"), finding.found());
    assertEquals(
        PosixFilePermissions.fromString("rwx------"), Files.getPosixFilePermissions(state));
    assertEquals(List.of(), in(state));
  }

  @Test
  void a_state_folder_that_cannot_be_is_named_with_the_variable() throws IOException {
    DoctorFinding finding = FolderChecks.state(file());
    assertEquals(Verdict.BROKEN, finding.verdict());
    assertEquals("state", finding.subject());
    assertTrue(finding.found().contains(file().toString()), finding.found());
    assertTrue(finding.todo().contains("REMUDA_HOME"), finding.todo());
  }

  @Test
  void a_cache_below_a_file_is_named_with_the_variable() throws IOException {
    DoctorFinding finding = FolderChecks.cache(file().resolve("cache"));
    assertEquals(Verdict.BROKEN, finding.verdict());
    assertEquals("cache", finding.subject());
    assertTrue(finding.todo().contains("REMUDA_CACHE"), finding.todo());
  }

  @Test
  void programs_may_lie_in_the_cache_and_none_is_left_there() throws IOException {
    assertEquals(Verdict.GOOD, FolderChecks.programs(folder).verdict());
    assertEquals(List.of(), in(folder));
  }

  @Test
  void a_cache_for_code_that_is_no_folder_is_named() throws IOException {
    Path none = file();
    DoctorFinding finding = FolderChecks.programs(none);
    assertEquals(Verdict.BROKEN, finding.verdict());
    assertTrue(finding.found().contains(none.toString()), finding.found());
  }

  @Test
  void device_locks_that_are_there_or_can_be_made_are_good() throws IOException {
    assertEquals(Verdict.GOOD, locks(folder).verdict());
    assertEquals(Verdict.GOOD, locks(folder.resolve("locks")).verdict());
    assertEquals(List.of(), in(folder), "looking makes nothing");
  }

  @Test
  void device_locks_that_cannot_be_made_are_named_with_the_variable() throws IOException {
    for (Path bad : List.of(folder.resolve("none/locks"), file().resolve("locks"))) {
      DoctorFinding finding = locks(bad);
      assertEquals(Verdict.BROKEN, finding.verdict(), finding.toString());
      assertTrue(finding.found().contains(bad.toString()), finding.found());
      assertTrue(finding.todo().contains("REMUDA_DEVICE_LOCKS"), finding.todo());
    }
  }

  @Test
  void a_file_or_a_link_in_place_of_the_folder_of_device_locks_is_refused_as_the_keeper_does()
      throws IOException {
    Path link = Files.createSymbolicLink(folder.resolve("a-link"), folder);
    for (Path bad : List.of(file(), link)) {
      DoctorFinding finding = locks(bad);
      assertEquals(Verdict.BROKEN, finding.verdict(), finding.toString());
      assertTrue(finding.found().contains(bad.toString()), finding.found());
    }
  }

  @Test
  void it_says_where_trainings_find_their_folders_and_leaves_nothing() throws IOException {
    DoctorFinding finding = FolderChecks.ofTrainings(folder);
    assertEquals(DoctorFinding.Verdict.GOOD, finding.verdict());
    assertTrue(finding.found().contains("REMUDA_SNAPSHOTS"), finding::found);
    try (Stream<Path> left = Files.list(folder)) {
      assertEquals(List.of(), left.toList());
    }
    assertEquals(
        DoctorFinding.Verdict.WARNING,
        FolderChecks.ofTrainings(folder.resolve("missing")).verdict());
  }
}
