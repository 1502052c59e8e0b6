package io.remuda.agent.keeper;

import io.remuda.file.AtomicFile;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.NoSuchFileException;
import java.nio.file.Path;
import java.util.HashMap;
import java.util.Map;

/**
 * The file {@code use} of a node's folder: what each running task has used, a line each. The keeper
 * writes it from time to time; an agent beside an older keeper finds none. It appears complete or
 * not at all, and need not survive a power failure.
 */
public final class TaskUsageFile {

  private static final String NAME = "use";
  private static final int FIELDS = 5;

  private TaskUsageFile() {}

  /** Writes a draft and renames it into place. */
  public static void write(Path nodeFolder, Map<String, LiveUse> uses) throws IOException {
    StringBuilder text = new StringBuilder();
    uses.forEach(
        (key, use) ->
            text.append(key)
                .append(' ')
                .append(use.ranMillis())
                .append(' ')
                .append(use.cpuMillis())
                .append(' ')
                .append(use.residentBytes())
                .append(' ')
                .append(use.peakBytes())
                .append('\n'));
    AtomicFile.write(nodeFolder.resolve(NAME), text.toString().getBytes(StandardCharsets.UTF_8));
  }

  /** Returns the uses by key; lines that cannot be read are left out. */
  public static Map<String, LiveUse> read(Path nodeFolder) throws IOException {
    Map<String, LiveUse> uses = new HashMap<>();
    try {
      for (String line : Files.readAllLines(nodeFolder.resolve(NAME), StandardCharsets.UTF_8)) {
        String[] fields = line.split(" ");
        if (fields.length == FIELDS) {
          uses.put(fields[0], use(fields));
        }
      }
    } catch (NoSuchFileException none) {
      return Map.of();
    } catch (NumberFormatException otherBuild) {
      throw new IOException(nodeFolder.resolve(NAME) + ": " + otherBuild.getMessage(), otherBuild);
    }
    return uses;
  }

  private static LiveUse use(String[] fields) {
    return new LiveUse(
        Long.parseLong(fields[1]),
        Long.parseLong(fields[2]),
        Long.parseLong(fields[3]),
        Long.parseLong(fields[4]));
  }
}
