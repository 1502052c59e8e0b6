package io.remuda.agent.keeper;

import java.nio.file.FileSystemException;
import java.util.List;
import java.util.Locale;

/** Tells a fault for want of something that may be there again from one that stays. */
public final class TransientFaults {

  /** As the C library words them; Java passes nothing else on. */
  private static final List<String> WORDS =
      List.of("too many open files", "cannot allocate memory");

  private static final List<String> OF_DISK =
      List.of("no space left on device", "disk quota exceeded");

  private TransientFaults() {}

  public static boolean isOne(Exception fault) {
    return isOfDisk(fault) || says(fault, WORDS);
  }

  /** Whether a disk, or the user's share of it, is full. */
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
