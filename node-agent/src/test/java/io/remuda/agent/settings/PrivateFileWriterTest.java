package io.remuda.agent.settings;

import static java.nio.charset.StandardCharsets.UTF_8;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.io.IOException;
import java.nio.file.FileSystemException;
import java.nio.file.Files;
import java.nio.file.LinkOption;
import java.nio.file.Path;
import java.nio.file.attribute.PosixFilePermissions;
import java.util.List;
import java.util.stream.Stream;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;

@Tag("attack")
@Tag("attack-local-user")
@Timeout(120)
class PrivateFileWriterTest {

  @TempDir private Path folder;

  private Path file() {
    return folder.resolve("secret");
  }

  private Path draft() {
    return folder.resolve("secret.new");
  }

  private void write(String text) throws IOException {
    PrivateFileWriter.write(file(), text.getBytes(UTF_8));
  }

  private void assertOnlyTheFileIsThere(String text) throws IOException {
    assertEquals(text, Files.readString(file()));
    assertEquals("rw-------", PosixFilePermissions.toString(Files.getPosixFilePermissions(file())));
    assertTrue(Files.isRegularFile(file(), LinkOption.NOFOLLOW_LINKS));
    assertTrue(Files.notExists(draft(), LinkOption.NOFOLLOW_LINKS));
  }

  @Test
  void a_new_file_is_for_its_owner_only() throws IOException {
    write("one");
    assertOnlyTheFileIsThere("one");
  }

  @Test
  void a_file_that_others_could_read_or_have_open_is_replaced_and_not_written_to()
      throws IOException {
    Files.writeString(file(), "of others");
    Files.setPosixFilePermissions(file(), PosixFilePermissions.fromString("rw-rw-rw-"));
    Path same = Files.createLink(folder.resolve("same"), file());
    write("mine");
    assertOnlyTheFileIsThere("mine");
    assertEquals("of others", Files.readString(same), "who has the old one learns nothing");
  }

  @Test
  void a_draft_that_a_killed_process_left_is_not_in_the_way() throws IOException {
    Files.writeString(draft(), "half of a sec");
    write("whole");
    assertOnlyTheFileIsThere("whole");
  }

  @Test
  void links_are_replaced_and_what_they_lead_to_is_left_alone() throws IOException {
    Path victim = Files.writeString(folder.resolve("victim"), "as it was");
    Path other = Files.writeString(folder.resolve("other"), "as it was");
    Files.createSymbolicLink(file(), victim);
    Files.createSymbolicLink(draft(), other);
    write("mine");
    assertOnlyTheFileIsThere("mine");
    assertEquals("as it was", Files.readString(victim));
    assertEquals("as it was", Files.readString(other));
  }

  @Test
  void a_link_to_nothing_makes_nothing_elsewhere() throws IOException {
    Path elsewhere = folder.resolve("elsewhere");
    Files.createSymbolicLink(draft(), elsewhere);
    write("mine");
    assertOnlyTheFileIsThere("mine");
    assertFalse(Files.exists(elsewhere));
  }

  @Test
  void what_cannot_be_written_leaves_the_old_file_and_names_it() throws IOException {
    write("old");
    Files.createDirectories(draft().resolve("in-the-way"));
    FileSystemException no = assertThrows(FileSystemException.class, () -> write("new"));
    assertTrue(no.getMessage().contains("secret"), no::getMessage);
    assertEquals("old", Files.readString(file()));
    try (Stream<Path> inside = Files.list(folder)) {
      assertEquals(List.of(file(), draft()), inside.sorted().toList());
    }
  }
}
