package io.remuda.agent.settings;

import io.remuda.agent.keeper.TransientFaults;
import java.nio.file.AccessDeniedException;
import java.nio.file.FileAlreadyExistsException;
import java.nio.file.FileSystemException;
import java.nio.file.NoSuchFileException;

/** What a program says of the fault that ends it: what was wrong, and what to do where we know. */
public final class FaultText {

  private FaultText() {}

  /** One line, never empty; it may hold whatever a user typed, so a terminal needs it escaped. */
  public static String of(Exception fault) {
    String text = fault.getMessage() == null ? fault.toString() : fault.getMessage();
    if (fault instanceof FileSystemException ofFile && ofFile.getReason() == null) {
      text = kind(ofFile) + text; // its message is the file alone
    }
    return TransientFaults.isOfDisk(fault) ? text + ": make room on the disk" : text;
  }

  private static String kind(FileSystemException fault) {
    if (fault instanceof NoSuchFileException) {
      return "no such file: ";
    } else if (fault instanceof AccessDeniedException) {
      return "no permission: ";
    } else if (fault instanceof FileAlreadyExistsException) {
      return "there is already: ";
    }
    return "";
  }
}
