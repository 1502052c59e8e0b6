package io.remuda.agent.freeze;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.remuda.agent.protocol.TaskEnd;
import io.remuda.agent.protocol.TaskStartOrder;
import io.remuda.agent.testkit.TestAgents;
import io.remuda.worker.job.AttemptId;
import io.remuda.worker.job.CommandWorkload;
import io.remuda.worker.job.PinAndFreezeTerms;
import io.remuda.worker.job.PinAndFreezeTerms.FrozenTree;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.PosixFilePermissions;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;

/** A tree is kept in a file, and attempts get copies of it. */
class TreeArchiveTest {
  private static final List<TreeEntry> ENTRIES =
      List.of(
          new TreeEntry("data", TreeEntry.Kind.ORIGINAL),
          new TreeEntry("empty", TreeEntry.Kind.FOLDER),
          new TreeEntry("link", TreeEntry.Kind.LINK),
          new TreeEntry("src/run.sh", TreeEntry.Kind.FILE));

  @TempDir private Path folder;
  private Path root;
  private Path file;

  @BeforeEach
  void tree() throws IOException {
    root = Files.createDirectories(folder.resolve("root"));
    Files.createDirectories(root.resolve("src"));
    Files.createDirectories(root.resolve("data"));
    script("echo one\n");
    Files.createSymbolicLink(root.resolve("link"), Path.of("src/run.sh"));
    file = folder.resolve("a" + TreeArchive.ENDING);
  }

  private void script(String text) throws IOException {
    Path script = Files.writeString(root.resolve("src/run.sh"), text);
    Files.setPosixFilePermissions(script, PosixFilePermissions.fromString("rwxr-x---"));
  }

  private String write() throws IOException {
    return TreeArchive.write(root, ENTRIES, file);
  }

  @Test
  void a_copy_has_content_modes_links_and_folders_of_that_time() throws IOException {
    String hash = write();
    script("echo two\n");
    Path copy = folder.resolve("copy");
    TreeArchive.unpack(file, hash, root, copy, () -> true);
    Path script = copy.resolve("src/run.sh");
    assertEquals("echo one\n", Files.readString(script));
    assertEquals("rwxr-x---", PosixFilePermissions.toString(Files.getPosixFilePermissions(script)));
    assertEquals(Path.of("src/run.sh"), Files.readSymbolicLink(copy.resolve("link")));
    assertEquals(root.resolve("data"), Files.readSymbolicLink(copy.resolve("data")));
    assertTrue(Files.isDirectory(copy.resolve("empty")));
  }

  @Test
  void equal_trees_have_equal_hashes_and_others_do_not() throws IOException {
    String first = write();
    script("echo one\n");
    assertEquals(first, write());
    Files.setPosixFilePermissions(
        root.resolve("src/run.sh"), PosixFilePermissions.fromString("rw-r-----"));
    assertFalse(first.equals(write()), "the mode is part of it");
  }

  @Test
  void another_content_is_refused() throws IOException {
    write();
    IOException other =
        assertThrows(
            IOException.class,
            () ->
                TreeArchive.unpack(file, "0".repeat(64), root, folder.resolve("copy"), () -> true));
    assertTrue(other.getMessage().contains("has another content"), other::getMessage);
  }

  @Test
  void a_file_that_was_cut_is_refused() throws IOException {
    String hash = write();
    byte[] bytes = Files.readAllBytes(file);
    Files.write(file, java.util.Arrays.copyOf(bytes, bytes.length / 2));
    assertThrows(
        IOException.class,
        () -> TreeArchive.unpack(file, hash, root, folder.resolve("copy"), () -> true));
  }

  @Test
  void nothing_is_written_through_a_link_out_of_the_copy() throws IOException {
    Path other = Files.createDirectories(folder.resolve("other/src"));
    Files.writeString(other.resolve("run.sh"), "x");
    List<TreeEntry> through =
        List.of(
            new TreeEntry("src", TreeEntry.Kind.ORIGINAL),
            new TreeEntry("src/run.sh", TreeEntry.Kind.FILE));
    String hash = TreeArchive.write(root, through, file);
    assertThrows(
        IOException.class,
        () ->
            TreeArchive.unpack(
                file, hash, folder.resolve("other"), folder.resolve("copy"), () -> true));
    assertThrows(IllegalArgumentException.class, () -> new TreeEntry("../x", TreeEntry.Kind.FILE));
    assertThrows(IllegalArgumentException.class, () -> new TreeEntry("/x", TreeEntry.Kind.FILE));
  }

  private TaskStartOrder order(String hash) {
    FrozenTree tree = new FrozenTree(hash, file.toString(), root.toString());
    String src = root.resolve("src").toString();
    CommandWorkload command =
        new CommandWorkload(
            List.of("./run.sh"),
            Map.of("PWD", src, "A", "b"),
            src,
            022,
            null,
            new PinAndFreezeTerms(false, tree));
    return new TaskStartOrder(
        AttemptId.parse("1.0.1"), "ann", false, 0, command, List.of(), 1, false, TestAgents.FACTS);
  }

  @Test
  void a_command_runs_in_the_copy_and_knows_where_it_was_submitted() throws IOException {
    FrozenFilesTaskOrder copy =
        FrozenFilesTaskOrder.of(order(write()), folder.resolve("scratch"), () -> true);
    CommandWorkload command = (CommandWorkload) copy.order().workload();
    String src = folder.resolve("scratch/tree/src").toString();
    assertEquals(src, command.folder());
    assertEquals(
        Map.of("PWD", src, "A", "b", "REMUDA_SUBMIT_DIR", root.resolve("src").toString()),
        command.environment());
    assertTrue(Files.isExecutable(Path.of(src, "run.sh")));
  }

  @Test
  @Timeout(60)
  void a_pipe_in_the_place_of_the_tree_is_refused_at_once() throws Exception {
    String hash = write();
    Files.delete(file);
    assertEquals(0, new ProcessBuilder("mkfifo", file.toString()).start().waitFor());
    TaskEnd end =
        FrozenFilesTaskOrder.of(order(hash), folder.resolve("scratch"), () -> true)
            .refusal()
            .orElseThrow();
    assertEquals(TaskEnd.Kind.CANNOT_START, end.kind());
    assertEquals(
        "the frozen tree cannot be copied: " + file + " is not a regular file", end.cause());
  }

  @Test
  void a_copy_that_is_not_wanted_any_more_writes_nothing() throws IOException {
    String hash = write();
    Path copy = folder.resolve("copy");
    assertThrows(IOException.class, () -> TreeArchive.unpack(file, hash, root, copy, () -> false));
    assertFalse(Files.exists(copy));
  }

  @Test
  void a_node_that_does_not_see_the_tree_says_so() throws IOException {
    String hash = write();
    Files.delete(file);
    TaskEnd end =
        FrozenFilesTaskOrder.of(order(hash), folder.resolve("scratch"), () -> true)
            .refusal()
            .orElseThrow();
    assertEquals(TaskEnd.Kind.CANNOT_START, end.kind());
    assertTrue(end.cause().startsWith("this node does not see the frozen tree"), end::cause);
  }
}
