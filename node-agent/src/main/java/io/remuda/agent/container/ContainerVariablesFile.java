package io.remuda.agent.container;

import io.remuda.agent.settings.PrivateFileWriter;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Map;
import java.util.SortedMap;

/**
 * A file with variables of a container, for engines that read one. It is in the task's folder, for
 * its owner only, until the task has ended.
 */
final class ContainerVariablesFile {

  private static final String FILE = "container-variables";

  private ContainerVariablesFile() {}

  /**
   * Writes the file and returns its path.
   *
   * @throws ContainerRefusedException if a value has several lines, which no engine reads from a
   *     file
   */
  static String write(SortedMap<String, String> variables, Path folder)
      throws ContainerRefusedException, IOException {
    StringBuilder text = new StringBuilder();
    for (Map.Entry<String, String> variable : variables.entrySet()) {
      if (variable.getValue().chars().anyMatch(one -> one == '\n' || one == '\r')) {
        throw new ContainerRefusedException(
            "the variable "
                + variable.getKey()
                + " cannot be given to a container, since it has several lines: choose another name");
      }
      text.append(variable.getKey()).append('=').append(variable.getValue()).append('\n');
    }
    Path file = folder.resolve(FILE);
    PrivateFileWriter.write(file, text.toString().getBytes(StandardCharsets.UTF_8));
    return file.toString();
  }

  /** Removes the file, if there is one. */
  static void remove(Path folder) throws IOException {
    Files.deleteIfExists(folder.resolve(FILE));
  }
}
