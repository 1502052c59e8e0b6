package io.remuda.agent.output;

import java.io.File;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.LinkOption;
import java.nio.file.Path;
import java.util.ArrayDeque;
import java.util.Deque;
import java.util.Map;

/**
 * The scratch folders of attempts. Most are never used; the one of an ended task that is as it was
 * made goes to a later task: to make and remove a folder costs the kernel several times as much as
 * two renames. Blocks while the disk hangs. One thread.
 */
public final class ScratchFolders {

  /** The folder in the node's folder for those that are free. */
  static final String SPARE = "spare";

  private static final int MOST_SPARE = 64;

  /** What the program of a task could change of an empty folder. */
  private static final String TRAITS = "unix:mode,uid,gid";

  private final Path spare;
  private final Deque<Path> free = new ArrayDeque<>();

  /** Of a folder that was just made; null before. */
  private Map<String, Object> traits;

  private long number;

  /**
   * @param node the node's folder
   */
  public ScratchFolders(Path node) {
    spare = node.resolve(SPARE);
  }

  /** Makes the scratch folder of an attempt, empty; one that is there stays. */
  public void give(Path folder) throws IOException {
    Path one = free.poll();
    if (one == null || !one.toFile().renameTo(folder.toFile())) {
      Files.createDirectories(folder);
      if (traits == null) {
        prepareSpare();
        traits = traits(folder);
      }
    }
  }

  /** Removes those that an agent before this one has left; one that is not empty stays. */
  private void prepareSpare() throws IOException {
    Files.createDirectories(spare);
    File[] left = spare.toFile().listFiles();
    for (File one : left == null ? new File[0] : left) {
      one.delete();
    }
  }

  /**
   * Takes the scratch folder of an ended task, if nothing is in it.
   *
   * @return whether none is left
   */
  public boolean take(Path scratch) {
    File folder = scratch.toFile();
    if (free.size() < MOST_SPARE && isAsMade(folder)) {
      Path one = spare.resolve(Long.toString(number++));
      if (folder.renameTo(one.toFile())) {
        free.add(one);
        return true;
      }
    }
    return folder.delete() || !folder.exists();
  }

  private boolean isAsMade(File folder) {
    try {
      if (traits == null || !traits.equals(traits(folder.toPath()))) {
        return false; // or it is a link
      }
    } catch (IOException gone) {
      return false;
    }
    String[] inside = folder.list();
    return inside != null && inside.length == 0;
  }

  private static Map<String, Object> traits(Path folder) throws IOException {
    return Files.readAttributes(folder, TRAITS, LinkOption.NOFOLLOW_LINKS);
  }
}
