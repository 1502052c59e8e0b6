package io.remuda.agent.output;

import java.io.File;
import java.io.IOException;
import java.nio.file.FileVisitResult;
import java.nio.file.Files;
import java.nio.file.LinkOption;
import java.nio.file.NoSuchFileException;
import java.nio.file.Path;
import java.nio.file.SimpleFileVisitor;
import java.nio.file.attribute.BasicFileAttributes;
import java.util.HashSet;
import java.util.Set;

/**
 * Removes what tasks have left: also folders that they have made unreadable or read-only, and all
 * that can be removed beside what cannot. Links are removed and not followed. Single-threaded.
 */
public final class TreeRemoval extends SimpleFileVisitor<Path> {

  private final Set<Path> opened = new HashSet<>();
  private IOException first;

  private TreeRemoval() {}

  /**
   * Removes a file or folder with all that is in it, if it is there.
   *
   * @throws IOException if something is left; the first reason
   */
  public static void of(Path tree) throws IOException {
    if (!Files.exists(tree, LinkOption.NOFOLLOW_LINKS)) {
      return;
    }
    TreeRemoval removal = new TreeRemoval();
    Files.walkFileTree(tree, removal);
    if (removal.first != null) {
      throw removal.first;
    }
  }

  private static void open(File folder) {
    folder.setReadable(true);
    folder.setWritable(true);
    folder.setExecutable(true);
  }

  private FileVisitResult after(IOException fault) {
    first = first == null ? fault : first;
    return FileVisitResult.CONTINUE;
  }

  private FileVisitResult delete(Path path) {
    try {
      Files.deleteIfExists(path);
      return FileVisitResult.CONTINUE;
    } catch (IOException fault) {
      return after(fault);
    }
  }

  @Override
  public FileVisitResult preVisitDirectory(Path folder, BasicFileAttributes attributes) {
    open(folder.toFile());
    return FileVisitResult.CONTINUE;
  }

  @Override
  public FileVisitResult visitFile(Path file, BasicFileAttributes attributes) {
    return delete(file);
  }

  /** A folder that could not be listed is opened, and gone through by itself. */
  @Override
  public FileVisitResult visitFileFailed(Path file, IOException fault) throws IOException {
    if (fault instanceof NoSuchFileException) {
      return FileVisitResult.CONTINUE;
    }
    if (!Files.isDirectory(file, LinkOption.NOFOLLOW_LINKS) || !opened.add(file)) {
      return after(fault);
    }
    open(file.toFile());
    Files.walkFileTree(file, this);
    return FileVisitResult.CONTINUE;
  }

  @Override
  public FileVisitResult postVisitDirectory(Path folder, IOException fault) {
    return delete(folder);
  }
}
