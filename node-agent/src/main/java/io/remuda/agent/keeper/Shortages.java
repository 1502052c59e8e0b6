package io.remuda.agent.keeper;

import java.nio.file.FileSystemException;
import java.util.List;
import java.util.Locale;

/** Tells a fault for want of something that may be there again from one that stays. */
public final class Shortages {

  /** As the C library words them; Java passes nothing else on. */
  private static final List<String> WORDS =
      List.of(
          "no space left on device",
          "disk quota exceeded",
          "too many open files",
          "cannot allocate memory");

  private Shortages() {}

  public static boolean isOne(Exception fault) {
    String reason =
        fault instanceof FileSystemException ofFile ? ofFile.getReason() : fault.getMessage();
    String words = String.valueOf(reason).toLowerCase(Locale.ROOT);
    return WORDS.stream().anyMatch(words::contains);
  }
}
