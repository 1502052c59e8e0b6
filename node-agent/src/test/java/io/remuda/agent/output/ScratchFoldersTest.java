package io.remuda.agent.output;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertNotEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.PosixFilePermissions;
import java.util.Set;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class ScratchFoldersTest {
  @TempDir private Path node;
  private ScratchFolders folders;

  @BeforeEach
  void begin() {
    folders = new ScratchFolders(node);
  }

  private Path task(String name) throws IOException {
    Path task = Files.createDirectories(node.resolve("tasks").resolve(name)).resolve("scratch");
    folders.give(task);
    assertTrue(Files.isDirectory(task));
    assertEquals(0, task.toFile().list().length);
    return task;
  }

  private static Object inode(Path task) throws IOException {
    return Files.getAttribute(task, "unix:ino");
  }

  @Test
  void a_folder_that_was_not_used_goes_to_the_next_task() throws IOException {
    Path first = task("1");
    Object folder = inode(first);
    assertTrue(folders.take(first));
    assertFalse(Files.exists(first));
    assertEquals(folder, inode(task("2")));
    assertNotEquals(folder, inode(task("3")), "it is had by one task at a time");
  }

  @Test
  void what_a_task_has_left_is_seen_by_no_other_and_is_to_be_cleaned() throws IOException {
    Path first = task("1");
    Files.createFile(first.resolve("left"));
    assertFalse(folders.take(first));
    assertTrue(Files.exists(first.resolve("left")));
    task("2");
  }

  @Test
  void a_folder_whose_rights_were_changed_goes_to_no_other() throws IOException {
    Path first = task("1");
    Object folder = inode(first);
    Files.setPosixFilePermissions(first, PosixFilePermissions.fromString("r-xr-xr-x"));
    assertTrue(folders.take(first), "it is removed");
    Path second = task("2");
    assertTrue(Files.isWritable(second));
    assertEquals(Set.of(), Set.of(node.resolve(ScratchFolders.SPARE).toFile().list()));
    assertNotEquals(0, folder);
  }

  @Test
  void a_link_in_its_place_is_not_followed(@TempDir Path elsewhere) throws IOException {
    Path first = task("1");
    Files.delete(first);
    Files.createSymbolicLink(first, elsewhere);
    assertTrue(folders.take(first), "the link is removed");
    assertTrue(Files.isDirectory(elsewhere));
    task("2");
  }

  @Test
  void what_is_left_in_a_spare_folder_of_an_agent_before_keeps_no_task_from_starting()
      throws IOException {
    Path left = node.resolve(ScratchFolders.SPARE).resolve("0");
    Files.createDirectories(left);
    Files.createFile(left.resolve("left"));
    folders.take(task("1"));
    task("2");
    assertTrue(Files.exists(left.resolve("left")));
  }

  @Test
  void a_task_without_its_folder_is_nothing_to_clean() throws IOException {
    Path first = task("1");
    Files.delete(first);
    assertTrue(folders.take(first));
  }

  @Test
  void a_folder_that_is_prepared_again_keeps_what_it_has() throws IOException {
    folders.take(task("0"));
    Path first = task("1");
    folders.take(task("2"));
    Files.createFile(first.resolve("a"));
    folders.give(first);
    assertTrue(Files.exists(first.resolve("a")));
  }

  @Test
  void what_an_agent_has_kept_free_goes_when_the_next_one_makes_its_first() throws IOException {
    folders.take(task("1"));
    assertEquals(1, node.resolve(ScratchFolders.SPARE).toFile().list().length);
    folders = new ScratchFolders(node);
    task("2");
    assertEquals(0, node.resolve(ScratchFolders.SPARE).toFile().list().length);
  }

  @Test
  void a_free_folder_that_is_gone_is_made_anew() throws IOException {
    folders.take(task("1"));
    Files.delete(node.resolve(ScratchFolders.SPARE).resolve("0"));
    task("2");
  }
}
