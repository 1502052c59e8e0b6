package io.remuda.agent.keeper.proc;

import java.nio.file.FileSystemException;
import java.util.List;
import java.util.Locale;

/** Distinguishes a shortage that may pass from a fault that stays. */
public final class ResourceShortageClassifier {

  /** Messages of the C library; Java passes on nothing else. */
  private static final List<String> WORDS =
      List.of("too many open files", "cannot allocate memory");

  private static final List<String> OF_DISK =
      List.of("no space left on device", "disk quota exceeded");

  private ResourceShortageClassifier() {}

  public static boolean isOne(Exception fault) {
    return isOfDisk(fault) || says(fault, WORDS);
  }

  /** Returns whether a disk, or the user's quota on it, is full. */
  public static boolean isOfDisk(Exception fault) {
    return says(fault, OF_DISK);
  }

  private static boolean says(Exception fault, List<String> words) {
    String reason =
        fault instanceof FileSystemException ofFile ? ofFile.getReason() : fault.getMessage();
    String text = String.valueOf(reason).toLowerCase(Locale.ROOT);
    return words.stream().anyMatch(text::contains);
  }
}
