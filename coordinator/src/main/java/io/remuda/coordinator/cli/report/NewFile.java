package io.remuda.coordinator.cli.report;

import io.remuda.file.AtomicFile;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.FileAlreadyExistsException;
import java.nio.file.Files;
import java.nio.file.Path;

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

  /**
   * Writes the file: beside it, then in its place at once, so that a full disk or a kill leaves no
   * part of it there.
   */
  public void write(String text) throws IOException {
    String draftName = "." + target.getFileName() + "." + ProcessHandle.current().pid() + ".draft";
    Path draft = target.resolveSibling(draftName);
    try {
      Files.write(draft, text.getBytes(StandardCharsets.UTF_8));
      if (existing == Existing.REPLACE) {
        AtomicFile.replace(draft, target);
      } else {
        place(draft);
      }
    } finally {
      Files.deleteIfExists(draft);
    }
  }

  /** Gives the draft its name, unless somebody has made such a file meanwhile. */
  private void place(Path draft) throws IOException {
    try {
      Files.createLink(target, draft); // a move would replace a file
    } catch (FileAlreadyExistsException there) {
      throw new IOException(target + " exists: " + existing.advice, there);
    } catch (UnsupportedOperationException | IOException noLinks) {
      if (Files.exists(target)) {
        throw new IOException(target + " exists: " + existing.advice, noLinks);
      }
      AtomicFile.replace(draft, target);
    }
  }
}
