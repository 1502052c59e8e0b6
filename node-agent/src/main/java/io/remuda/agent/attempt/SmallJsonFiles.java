package io.remuda.agent.attempt;

import io.remuda.file.AtomicFile;
import io.remuda.json.PlainJson;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Optional;

/** Small JSON files in a task's or node's folder, which outlive this agent. */
public final class SmallJsonFiles {

  private SmallJsonFiles() {}

  /** Writes a file atomically. */
  public static void write(Path folder, String name, Object what) throws IOException {
    AtomicFile.write(folder.resolve(name), PlainJson.MAPPER.writeValueAsBytes(what));
  }

  static boolean isThere(Path folder, String name) {
    return folder.resolve(name).toFile().exists(); // mostly not; an exception is expensive
  }

  /** Returns the content; empty if the file is missing or cannot be read. */
  public static <T> Optional<T> read(Path folder, String name, Class<T> kind) {
    if (!isThere(folder, name)) {
      return Optional.empty();
    }
    try {
      return Optional.of(
          PlainJson.MAPPER.readValue(Files.readAllBytes(folder.resolve(name)), kind));
    } catch (IOException unreadable) {
      return Optional.empty();
    }
  }
}
