package io.remuda.worker.workload.mnist;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.PosixFilePermissions;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Optional;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class SnapshotFolderTest {

  @TempDir Path temp;

  private final List<String> said = new ArrayList<>();

  @Test
  void an_empty_folder_has_no_snapshot_and_nothing_is_said() throws Exception {
    assertEquals(Optional.empty(), open().newest(said::add));
    assertEquals(List.of(), said);
  }

  @Test
  void the_newest_snapshot_is_found_and_the_one_before_it_stays() throws Exception {
    write(1, 2, 3);
    assertEquals(3, newestEpoch());
    assertEquals(List.of("epoch-000002.snapshot", "epoch-000003.snapshot"), names());
  }

  @Test
  void only_the_owner_may_read_a_snapshot_and_its_folder() throws Exception {
    write(1);
    assertEquals("rwx------", mode(folder()));
    assertEquals("rw-------", mode(file(1)));
  }

  @Test
  void a_half_written_newest_falls_back_to_the_one_before_it_and_this_is_said() throws Exception {
    write(1, 2);
    byte[] whole = Files.readAllBytes(file(2));
    Files.write(file(2), Arrays.copyOf(whole, whole.length / 2));
    assertEquals(1, newestEpoch());
    assertEquals(
        List.of(
            "snapshot "
                + file(2)
                + " is damaged and not used: it has "
                + whole.length / 2
                + " bytes instead of "
                + whole.length),
        said);
  }

  @Test
  void a_damaged_newest_falls_back_to_the_one_before_it_and_this_is_said() throws Exception {
    write(1, 2);
    damage(file(2));
    assertEquals(1, newestEpoch());
    assertTrue(said.get(0).contains("its checksum is"), said.toString());
  }

  @Test
  void two_damaged_snapshots_are_both_named_and_none_is_found() throws Exception {
    write(1, 2);
    damage(file(1));
    damage(file(2));
    assertEquals(Optional.empty(), open().newest(said::add));
    assertEquals(2, said.size());
  }

  @Test
  void a_file_of_another_program_is_no_snapshot() throws Exception {
    write(1);
    Files.writeString(file(2), "a text that is much longer than the frame of a snapshot");
    assertEquals(1, newestEpoch());
    assertTrue(said.get(0).endsWith("it does not begin as a snapshot does"), said.toString());
  }

  @Test
  void a_renamed_snapshot_does_not_pass_for_a_later_epoch() throws Exception {
    write(1, 2);
    Files.copy(file(2), file(9));
    assertEquals(2, newestEpoch());
    assertTrue(said.get(0).endsWith("it is the snapshot of epoch 2"), said.toString());
  }

  @Test
  void a_whole_snapshot_outlives_the_damaged_one_after_it() throws Exception {
    write(1, 2);
    damage(file(2));
    SnapshotFolder again = open();
    again.newest(said::add);
    again.write(SnapshotFormatTest.after(2));
    assertEquals(List.of("epoch-000001.snapshot", "epoch-000002.snapshot"), names());
    assertEquals(2, newestEpoch());
  }

  @Test
  void a_snapshot_after_a_restart_keeps_the_one_that_was_continued_from() throws Exception {
    write(1, 2);
    SnapshotFolder again = open();
    again.newest(said::add);
    again.write(SnapshotFormatTest.after(3));
    assertEquals(List.of("epoch-000002.snapshot", "epoch-000003.snapshot"), names());
  }

  @Test
  void drafts_of_a_killed_process_are_deleted_and_other_files_stay() throws Exception {
    write(1);
    Files.writeString(folder().resolve("epoch-000002.snapshot-123.draft"), "half");
    Files.writeString(folder().resolve("notes.txt"), "mine");
    open();
    assertEquals(List.of("epoch-000001.snapshot", "notes.txt"), names());
  }

  @Test
  void a_write_that_fails_leaves_the_snapshots_before_it_and_no_draft() throws Exception {
    write(1);
    Files.createDirectories(file(2).resolve("in-the-way"));
    assertThrows(IOException.class, () -> open().write(SnapshotFormatTest.after(2)));
    assertEquals(List.of("epoch-000001.snapshot", "epoch-000002.snapshot"), names());
    assertEquals(1, newestEpoch());
  }

  @Test
  void the_thousandth_thousand_is_newer_than_the_epoch_before_it() throws Exception {
    write(1);
    Path longer = folder().resolve("epoch-1000000.snapshot");
    Files.writeString(longer, "six digits do not limit the order");
    assertEquals(1, newestEpoch());
    assertTrue(said.get(0).contains("epoch-1000000"), said.toString());
  }

  private Path folder() {
    return temp.resolve("snapshots");
  }

  private Path file(int epoch) {
    return folder().resolve("epoch-00000" + epoch + ".snapshot");
  }

  private SnapshotFolder open() throws IOException {
    return SnapshotFolder.open(folder());
  }

  private void write(int... epochs) throws IOException {
    SnapshotFolder folder = open();
    for (int epoch : epochs) {
      folder.write(SnapshotFormatTest.after(epoch));
    }
  }

  private int newestEpoch() throws Exception {
    return open().newest(said::add).orElseThrow().snapshot().epochsDone();
  }

  private List<String> names() throws IOException {
    try (var files = Files.list(folder())) {
      return files.map(file -> file.getFileName().toString()).sorted().toList();
    }
  }

  private static void damage(Path file) throws IOException {
    byte[] bytes = Files.readAllBytes(file);
    bytes[bytes.length / 2] ^= 1;
    Files.write(file, bytes);
  }

  private static String mode(Path path) throws IOException {
    return PosixFilePermissions.toString(Files.getPosixFilePermissions(path));
  }
}
