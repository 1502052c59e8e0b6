package io.remuda.coordinator.cli.report;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.remuda.coordinator.cli.report.NewFile.Existing;
import io.remuda.coordinator.testkit.SmallDisk;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Optional;
import java.util.stream.Stream;
import org.junit.jupiter.api.Assumptions;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

class NewFileTest {
  @TempDir private Path folder;

  private static List<String> names(Path in) throws IOException {
    try (Stream<Path> files = Files.list(in)) {
      return files.map(file -> file.getFileName().toString()).toList();
    }
  }

  @ParameterizedTest
  @EnumSource(Existing.class)
  void the_file_is_there_and_nothing_beside_it(Existing existing) throws IOException {
    NewFile.check(folder.resolve("a.svg"), existing).write("<svg/>");
    assertEquals("<svg/>", Files.readString(folder.resolve("a.svg")));
    assertEquals(List.of("a.svg"), names(folder));
  }

  @Test
  void a_file_that_came_meanwhile_stays() throws IOException {
    NewFile file = NewFile.check(folder.resolve("a.svg"), Existing.REFUSE);
    Files.writeString(folder.resolve("a.svg"), "mine");
    IOException no = assertThrows(IOException.class, () -> file.write("<svg/>"));
    assertTrue(no.getMessage().contains("exists: --force replaces it"), no::getMessage);
    assertEquals("mine", Files.readString(folder.resolve("a.svg")));
    assertEquals(List.of("a.svg"), names(folder));
  }

  @ParameterizedTest
  @EnumSource(Existing.class)
  void a_full_disk_leaves_no_part_of_it(Existing existing) throws IOException {
    Optional<SmallDisk> disk = SmallDisk.mount(folder.resolve("disk"), 1);
    Assumptions.assumeTrue(disk.isPresent(), "only root may mount");
    try (SmallDisk small = disk.get()) {
      Path target = folder.resolve("disk").resolve("a.html");
      NewFile file = NewFile.check(target, existing);
      assertThrows(IOException.class, () -> file.write("x".repeat(3 << 20)));
      assertEquals(List.of(), names(folder.resolve("disk")));
    }
  }
}
