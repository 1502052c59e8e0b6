package io.remuda.agent.keeper;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Optional;

/** The file {@code limit} of a task folder: says, before its exit, which limit ended the task. */
public final class LimitNote {
  private static final String NAME = "limit";

  private LimitNote() {}

  static void write(Path taskFolder, String cause) {
    try {
      Files.writeString(taskFolder.resolve(NAME), cause);
    } catch (IOException unwritable) {
      KeeperLog.line(
          "keeper: " + taskFolder + ": " + cause + ", which cannot be noted: " + unwritable);
    }
  }

  /** Why a task was ended; nothing if no limit did. */
  public static Optional<String> read(Path taskFolder) {
    Path note = taskFolder.resolve(NAME);
    if (!note.toFile().exists()) { // as nearly always, and an exception is dear
      return Optional.empty();
    }
    try {
      return Optional.of(Files.readString(note)).filter(text -> !text.isBlank());
    } catch (IOException unreadable) {
      return Optional.empty(); // its signal tells enough
    }
  }
}
