package io.remuda.agent.output;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.FileTime;
import java.nio.file.attribute.PosixFilePermissions;
import java.time.Clock;
import java.time.Duration;
import java.time.Instant;
import java.time.ZoneOffset;
import java.util.List;
import java.util.Set;
import java.util.TreeSet;
import java.util.stream.Stream;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class EndedTaskFoldersTest {
  private static final Instant NOW = Instant.parse("2026-11-21T12:00:00Z");
  private static final Duration DAY = Duration.ofDays(1);
  private static final TaskRetentionLimit LIMIT = new TaskRetentionLimit(DAY, 100_000, 4);

  @TempDir private Path root;

  /** The folder of a task that has printed so much and ended so long ago. */
  private Path ended(String attempt, int bytes, Duration ago) throws IOException {
    Path folder = Files.createDirectories(root.resolve(attempt));
    Files.write(folder.resolve("out"), new byte[bytes]);
    return age(folder, ago);
  }

  private static Path age(Path folder, Duration ago) throws IOException {
    return Files.setLastModifiedTime(folder, FileTime.from(NOW.minus(ago)));
  }

  private EndedTaskFolders.Swept sweep() {
    return new EndedTaskFolders(root, LIMIT, Clock.fixed(NOW, ZoneOffset.UTC)).sweep();
  }

  private Set<String> left() throws IOException {
    try (Stream<Path> files = Files.list(root)) {
      return new TreeSet<>(files.map(file -> file.getFileName().toString()).toList());
    }
  }

  @Test
  void what_is_too_old_goes() throws IOException {
    ended("1.0.1", 10, DAY.plusSeconds(1));
    ended("2.0.1", 10, DAY);
    EndedTaskFolders.Swept swept = sweep();
    assertEquals(1, swept.folders());
    assertEquals(List.of(), swept.faults());
    assertEquals(Set.of("2.0.1"), left());
  }

  @Test
  void of_what_is_too_much_the_newest_is_kept() throws IOException {
    ended("1.0.1", 60_000, Duration.ofHours(1));
    ended("2.0.1", 60_000, Duration.ofHours(3));
    ended("3.0.1", 20_000, Duration.ofHours(2));
    assertEquals(1, sweep().folders());
    assertEquals(Set.of("1.0.1", "3.0.1"), left());
  }

  @Test
  @Tag("attack")
  @Tag("attack-bad-disk")
  void of_too_many_the_newest_are_kept() throws IOException {
    for (int i = 1; i <= 6; i++) {
      ended(i + ".0.1", 10, Duration.ofHours(i));
    }
    assertTrue(new EndedTaskFolders(root, LIMIT, Clock.systemUTC()).areTooMany());
    assertEquals(2, sweep().folders());
    assertEquals(Set.of("1.0.1", "2.0.1", "3.0.1", "4.0.1"), left());
  }

  @Test
  void a_large_one_goes_and_older_small_ones_stay() throws IOException {
    ended("1.0.1", 200_000, Duration.ofHours(1));
    ended("2.0.1", 20_000, Duration.ofHours(2));
    sweep();
    assertEquals(Set.of("2.0.1"), left());
  }

  @Test
  void what_has_just_ended_is_kept_however_large_it_is() throws IOException {
    ended("1.0.1", 200_000, Duration.ofMinutes(9));
    ended("2.0.1", 10, Duration.ofMinutes(11));
    sweep();
    assertEquals(Set.of("1.0.1"), left());
  }

  @Test
  void what_was_dropped_of_an_output_does_not_count() throws IOException {
    Path folder = ended("1.0.1", 200_000, Duration.ofHours(1));
    new DroppedRange(4096, 180_000).write(folder.resolve("out"));
    age(folder, Duration.ofHours(1));
    assertEquals(0, sweep().folders());
  }

  @Test
  void what_a_task_has_closed_or_linked_goes_too_and_nothing_beyond_it() throws IOException {
    Path outside = Files.createDirectories(root.resolve("outside"));
    Files.createFile(outside.resolve("precious"));
    Path folder = ended("1.0.1", 10, DAY.plusSeconds(1));
    Path scratch = Files.createDirectories(folder.resolve("scratch/deep"));
    Files.createFile(scratch.resolve("file"));
    Files.createSymbolicLink(folder.resolve("link"), outside);
    Files.setPosixFilePermissions(scratch, PosixFilePermissions.fromString("r-xr-xr-x"));
    age(folder, DAY.plusSeconds(1));
    assertEquals(List.of(), sweep().faults());
    assertEquals(Set.of("outside"), left());
    assertEquals(1, outside.toFile().list().length);
  }

  @Test
  void what_a_crash_has_left_of_a_folder_goes_and_other_files_are_left_alone() throws IOException {
    ended(".going-1.0.1", 10, Duration.ZERO);
    ended("notes", 10, DAY.multipliedBy(9));
    sweep();
    assertEquals(Set.of("notes"), left());
  }

  @Test
  void without_ended_tasks_there_is_nothing_to_do() {
    EndedTaskFolders.Swept swept =
        new EndedTaskFolders(root.resolve("none"), LIMIT, Clock.fixed(NOW, ZoneOffset.UTC)).sweep();
    assertEquals(new EndedTaskFolders.Swept(0, 0, List.of()), swept);
  }
}
