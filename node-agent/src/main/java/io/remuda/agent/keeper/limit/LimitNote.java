package io.remuda.agent.keeper.limit;

import io.remuda.agent.keeper.proc.KeeperLog;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Optional;

/** The file {@code limit} of a task folder, written before the exit: why a limit ended the task. */
public final class LimitNote {
  private static final String NAME = "limit";

  private LimitNote() {}

  public static void write(Path taskFolder, String cause) {
    try {
      Files.writeString(taskFolder.resolve(NAME), cause);
    } catch (IOException unwritable) {
      KeeperLog.line(
          "keeper: " + taskFolder + ": " + cause + ", which cannot be noted: " + unwritable);
    }
  }

  /** Returns why a task was ended; empty if no limit ended it. */
  public static Optional<String> read(Path taskFolder) {
    Path note = taskFolder.resolve(NAME);
    if (!note.toFile().exists()) { // nearly always; an exception is expensive
      return Optional.empty();
    }
    try {
      return Optional.of(Files.readString(note)).filter(text -> !text.isBlank());
    } catch (IOException unreadable) {
      return Optional.empty(); // the signal in the exit record is enough
    }
  }
}
