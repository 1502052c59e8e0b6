package io.remuda.coordinator.cli.freeze;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.remuda.agent.commandline.EmbeddedCaller;
import io.remuda.agent.commandline.OwnProcess;
import io.remuda.agent.freeze.TreeEntry;
import java.io.IOException;
import java.io.OutputStream;
import java.io.RandomAccessFile;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Clock;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** Which files of a working tree are frozen, and where they are kept. */
class WorkingTreeTest {
  @TempDir private Path folder;

  private Path file(String path) throws IOException {
    Path file = folder.resolve("tree").resolve(path);
    Files.createDirectories(file.getParent());
    return Files.writeString(file, path);
  }

  private void git(String folderName, String... words) throws Exception {
    List<String> command = new ArrayList<>(List.of("git", "-c", "user.name=a", "-c"));
    command.addAll(List.of("user.email=a@b", "-C", folder.resolve(folderName).toString()));
    command.addAll(List.of(words));
    Process git = new ProcessBuilder(command).redirectErrorStream(true).start();
    String said = new String(git.getInputStream().readAllBytes());
    assertEquals(0, git.waitFor(), said);
  }

  private Map<String, TreeEntry.Kind> entries(String below) throws Exception {
    Map<String, TreeEntry.Kind> entries = new TreeMap<>();
    WorkingTree.of(folder.resolve("tree").resolve(below), new OwnProcess())
        .entries()
        .forEach(entry -> entries.put(entry.path(), entry.kind()));
    return entries;
  }

  @Test
  void of_a_repository_what_is_not_ignored_is_frozen_and_the_rest_linked() throws Exception {
    file("src/tracked");
    file("src/removed");
    git("tree", "init", "-q");
    git("tree", "add", ".");
    Files.delete(folder.resolve("tree/src/removed"));
    file("new");
    file("data/large");
    file("src/__pycache__/a.pyc");
    Files.writeString(folder.resolve("tree/.gitignore"), "data\n__pycache__\n");
    Files.createSymbolicLink(folder.resolve("tree/link"), Path.of("new"));
    file("nested/inner");
    git("tree/nested", "init", "-q");
    Map<String, TreeEntry.Kind> expected =
        new TreeMap<>(
            Map.of(
                ".gitignore", TreeEntry.Kind.FILE,
                "src/tracked", TreeEntry.Kind.FILE,
                "new", TreeEntry.Kind.FILE,
                "link", TreeEntry.Kind.LINK,
                "data", TreeEntry.Kind.ORIGINAL,
                "nested", TreeEntry.Kind.FOLDER,
                "nested/inner", TreeEntry.Kind.FILE));
    assertEquals(expected, entries("src"), "of the whole repository, wherever it is submitted");
  }

  @Test
  void without_git_all_files_of_the_folder_are_frozen() throws Exception {
    file("a/b");
    Files.createDirectories(folder.resolve("tree/empty"));
    assertEquals(
        Map.of(
            "a", TreeEntry.Kind.FOLDER,
            "a/b", TreeEntry.Kind.FILE,
            "empty", TreeEntry.Kind.FOLDER),
        entries(""));
  }

  @Test
  void a_large_tree_is_refused_with_its_largest_file() throws Exception {
    file("small");
    try (RandomAccessFile large = new RandomAccessFile(file("large").toFile(), "rw")) {
      large.setLength(WorkingTree.MOST_BYTES); // without blocks on the disk
    }
    String message = assertThrows(WorkingTreeFreezeException.class, () -> entries("")).getMessage();
    assertTrue(message.contains("256 MiB of files to freeze"), message);
    assertTrue(message.contains("the largest is large"), message);
  }

  private Map<String, Object> frozen() throws Exception {
    Map<String, Object> request = new HashMap<>();
    request.put("workdir", folder.resolve("tree").toString());
    request.put(WorkingTreeFreezer.FREEZE, true);
    Map<String, String> environment =
        Map.of("REMUDA_HOME", folder.resolve("home").toString(), "PATH", System.getenv("PATH"));
    OutputStream nowhere = OutputStream.nullOutputStream();
    return new WorkingTreeFreezer(
            new EmbeddedCaller(environment, folder, null, nowhere, nowhere), Clock.systemUTC())
        .frozen(request, true);
  }

  private long kept() throws IOException {
    try (Stream<Path> files = Files.list(folder.resolve("home/trees"))) {
      return files.count();
    }
  }

  @Test
  void equal_trees_are_kept_once() throws Exception {
    file("a");
    Files.createDirectories(folder.resolve("home"));
    Files.createFile(folder.resolve("home/serve.lock"));
    Map<String, Object> first = frozen();
    assertEquals(first, frozen());
    assertEquals(1, kept());
    Files.writeString(folder.resolve("tree/a"), "changed");
    assertTrue(Files.exists(Path.of((String) frozen().get("frozenArchive"))));
    assertEquals(2, kept());
  }

  @Test
  void elsewhere_than_in_the_folder_of_the_server_it_is_refused() throws Exception {
    file("a");
    String message = assertThrows(WorkingTreeFreezeException.class, this::frozen).getMessage();
    assertTrue(message.contains("submit on its machine"), message);
  }
}
