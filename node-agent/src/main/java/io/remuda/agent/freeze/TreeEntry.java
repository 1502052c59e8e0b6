package io.remuda.agent.freeze;

import java.nio.file.InvalidPathException;
import java.nio.file.Path;

/**
 * An entry of a frozen tree.
 *
 * @param path relative to the root of the tree, without {@code ..}
 * @param kind what it is
 */
public record TreeEntry(String path, Kind kind) {

  /** What an entry is; the order is that of the file format. */
  public enum Kind {
    /** A file with its content and mode. */
    FILE,
    /** A symbolic link with its target. */
    LINK,
    /** A folder. */
    FOLDER,
    /** What is not frozen: the copy has a link to the original. */
    ORIGINAL
  }

  public TreeEntry {
    Path plain;
    try {
      plain = Path.of(path);
    } catch (InvalidPathException unsayable) {
      throw new IllegalArgumentException("not a path of this locale: '" + path + "'", unsayable);
    }
    boolean outside = plain.isAbsolute() || plain.startsWith("..");
    if (path.isEmpty() || outside || !plain.normalize().equals(plain)) {
      throw new IllegalArgumentException("not a path in a tree: '" + path + "'");
    }
  }
}
