package io.remuda.agent.settings;

import io.remuda.agent.keeper.proc.ResourceShortageClassifier;
import java.nio.file.AccessDeniedException;
import java.nio.file.FileAlreadyExistsException;
import java.nio.file.FileSystemException;
import java.nio.file.NoSuchFileException;

/**
 * Creates the message for the fault that ends a program: what is wrong and, if known, what to do.
 */
public final class FatalErrorMessage {

  private FatalErrorMessage() {}

  /**
   * Returns one line, never empty. It may contain text from a user, so escape it for a terminal.
   */
  public static String of(Exception fault) {
    String text = fault.getMessage() == null ? fault.toString() : fault.getMessage();
    if (fault instanceof FileSystemException ofFile && ofFile.getReason() == null) {
      text = kind(ofFile) + text; // its message is only the file name
    }
    return ResourceShortageClassifier.isOfDisk(fault) ? text + ": make room on the disk" : text;
  }

  private static String kind(FileSystemException fault) {
    if (fault instanceof NoSuchFileException) {
      return "no such file: ";
    } else if (fault instanceof AccessDeniedException) {
      return "no permission: ";
    } else if (fault instanceof FileAlreadyExistsException) {
      return "already exists: ";
    }
    return "";
  }
}
