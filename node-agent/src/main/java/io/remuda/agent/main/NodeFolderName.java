package io.remuda.agent.main;

import io.remuda.agent.settings.PrivateFileWriter;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.NoSuchFileException;
import java.nio.file.Path;
import java.util.List;
import java.util.stream.Stream;

/**
 * The name of the node whose folder this is, as a file in it. The attempts in a folder belong to
 * the node of this name: the coordinator waits for that node to tell their ends.
 */
final class NodeFolderName {

  private static final String NAME = "node.name";

  /** Has the folders of attempts whose ends the coordinator may not know. */
  private static final String TASKS = "tasks";

  private static final int MOST_NAMED = 3;

  private NodeFolderName() {}

  /**
   * Notes the name. The caller holds the folder's lock.
   *
   * @throws IOException if a node of another name has attempts in it, with these and what to do
   */
  static void claim(Path folder, String node) throws IOException {
    Path file = folder.resolve(NAME);
    String before = read(file);
    if (node.equals(before)) {
      return;
    }
    List<String> attempts = before.isEmpty() ? List.of() : attempts(folder.resolve(TASKS));
    if (!attempts.isEmpty()) {
      int named = Math.min(MOST_NAMED, attempts.size());
      throw new IOException(
          String.format(
              "%s has tasks of node %s, whose ends only that node can tell (%s%s): start it with"
                  + " --name %s, or give node %s another --folder",
              folder,
              before,
              String.join(", ", attempts.subList(0, named)),
              named < attempts.size() ? " and " + (attempts.size() - named) + " others" : "",
              before,
              node));
    }
    PrivateFileWriter.write(file, node.getBytes(StandardCharsets.UTF_8)); // never half a name
  }

  /** Returns the noted name; empty if an agent of an earlier build made the folder. */
  private static String read(Path file) throws IOException {
    try {
      return Files.readString(file).strip();
    } catch (NoSuchFileException none) {
      return "";
    }
  }

  private static List<String> attempts(Path tasks) throws IOException {
    try (Stream<Path> folders = Files.list(tasks)) {
      return folders.map(folder -> folder.getFileName().toString()).sorted().toList();
    } catch (NoSuchFileException none) {
      return List.of();
    }
  }
}
