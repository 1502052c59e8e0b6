package io.remuda.agent.stream;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.NoSuchFileException;
import java.nio.file.Path;
import java.nio.file.StandardCopyOption;
import java.util.Collection;

/**
 * Notes in a task's folder that its stdin is being sent, and that it broke off: the task then read
 * an end that was none, and its success means nothing.
 */
public final class InputTransferMarkerFiles {

  private static final String BEGUN = "in.begun";
  private static final String BROKEN = "in.broken";

  private InputTransferMarkerFiles() {}

  /** Notes that bytes come, and that more may follow. */
  public static void begin(Path folder) throws IOException {
    if (!Files.exists(folder.resolve(BEGUN))) {
      Files.createFile(folder.resolve(BEGUN));
    }
  }

  /** Notes that all came, or that the task wanted none. */
  public static void end(Path folder) throws IOException {
    Files.deleteIfExists(folder.resolve(BEGUN));
  }

  /** Notes that no more will come, if more might have followed. */
  public static void breakOff(Path folder) throws IOException {
    try {
      Files.move(folder.resolve(BEGUN), folder.resolve(BROKEN), StandardCopyOption.ATOMIC_MOVE);
    } catch (NoSuchFileException wasWhole) {
      // or there was none
    }
  }

  /** Notes of folders that their pipes have ended with the agent before this one. */
  public static void breakOff(Collection<Path> folders) throws IOException {
    for (Path folder : folders) {
      breakOff(folder);
    }
  }

  /** Returns whether the task's stdin broke off. */
  public static boolean isBroken(Path folder) {
    return folder.resolve(BROKEN).toFile().exists();
  }
}
