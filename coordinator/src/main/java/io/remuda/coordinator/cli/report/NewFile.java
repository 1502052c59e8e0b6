package io.remuda.coordinator.cli.report;

import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.FileAlreadyExistsException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardCopyOption;
import java.nio.file.StandardOpenOption;

/** A file that a command makes, whole or not at all. */
public final class NewFile {

  private final Path target;
  private final Existing existing;

  /** What becomes of a file that is there. */
  public enum Existing {
    /** It stays, and the message names the option that replaces it. */
    REFUSE("--force replaces it"),
    /** It stays. */
    KEEP("give another name"),
    REPLACE("");

    private final String advice;

    Existing(String advice) {
      this.advice = advice;
    }
  }

  private NewFile(Path target, Existing existing) {
    this.target = target;
    this.existing = existing;
  }

  /**
   * Checks that a file can be made, before the work is done that it is for.
   *
   * @throws IOException saying in words why it cannot
   */
  public static NewFile check(Path target, Existing existing) throws IOException {
    Path folder = target.toAbsolutePath().getParent();
    if (folder == null || !Files.isDirectory(folder)) {
      throw new IOException("there is no folder " + folder + " for " + target);
    }
    if (Files.isDirectory(target)) {
      throw new IOException(target + " is a folder");
    }
    if (!Files.isWritable(folder)) {
      throw new IOException("the folder " + folder + " may not be written");
    }
    if (existing != Existing.REPLACE && Files.exists(target)) {
      throw new IOException(target + " exists: " + existing.advice);
    }
    return new NewFile(target, existing);
  }

  /** Writes the file. */
  public void write(String text) throws IOException {
    byte[] bytes = text.getBytes(StandardCharsets.UTF_8);
    if (existing != Existing.REPLACE) {
      try {
        Files.write(target, bytes, StandardOpenOption.CREATE_NEW, StandardOpenOption.WRITE);
      } catch (FileAlreadyExistsException there) {
        throw new IOException(target + " exists: " + existing.advice, there);
      }
      return;
    }
    Path draft = target.resolveSibling(target.getFileName() + ".draft");
    Files.write(draft, bytes);
    Files.move(draft, target, StandardCopyOption.ATOMIC_MOVE, StandardCopyOption.REPLACE_EXISTING);
  }
}
