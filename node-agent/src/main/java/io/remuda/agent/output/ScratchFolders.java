package io.remuda.agent.output;

import java.io.File;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.LinkOption;
import java.nio.file.Path;
import java.util.ArrayDeque;
import java.util.Deque;
import java.util.HashMap;
import java.util.LinkedHashMap;
import java.util.Map;
import java.util.function.LongSupplier;

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
  private static final String TRAITS = "unix:mode,uid,gid,lastModifiedTime";

  private static final String CHANGED = "lastModifiedTime";

  /**
   * A folder that was empty so long ago gets another time of its last change when something is made
   * in it, and need not be read; before, the clock of the file system may show the same time.
   */
  private static final long SURE_NANOS = 1_000_000_000;

  /** Beyond this many the oldest is forgotten, and its folder read again. */
  private static final int MOST_GIVEN = 10_000;

  /**
   * A folder that is empty.
   *
   * @param changed when something was last made in it or removed, by the file system; null if that
   *     may be the same after the next change
   * @param since when it was known to be empty, by the monotonic clock in nanoseconds
   */
  private record Spare(Path path, Object changed, long since) {}

  private final Path spare;
  private final LongSupplier nanoClock;
  private final Deque<Spare> free = new ArrayDeque<>();

  /** Those that tasks have, as they were when they were given, by the attempt's name. */
  private final Map<Path, Spare> given =
      new LinkedHashMap<>() {
        private static final long serialVersionUID = 1;

        @Override
        protected boolean removeEldestEntry(Map.Entry<Path, Spare> eldest) {
          return size() > MOST_GIVEN;
        }
      };

  /** Of a folder that was just made; null before. */
  private Map<String, Object> traits;

  private long number;

  /**
   * @param node the node's folder
   */
  public ScratchFolders(Path node) {
    this(node, System::nanoTime);
  }

  ScratchFolders(Path node, LongSupplier nanoClock) {
    spare = node.resolve(SPARE);
    this.nanoClock = nanoClock;
  }

  /** Makes the scratch folder of an attempt, empty; one that is there stays. */
  public void give(Path folder) throws IOException {
    long now = nanoClock.getAsLong();
    Spare one = free.poll();
    if (one != null && one.path().toFile().renameTo(folder.toFile())) {
      boolean sure = now - one.since() > SURE_NANOS;
      given.put(attempt(folder), sure ? one : new Spare(one.path(), null, one.since()));
      return;
    }
    if (!folder.toFile().exists()) {
      given.put(attempt(folder), new Spare(folder, null, now));
    }
    Files.createDirectories(folder);
    if (traits == null) {
      prepareSpare();
      traits = traits(folder);
      traits.remove(CHANGED);
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
    Spare known = given.remove(attempt(scratch));
    if (known != null && free.size() < MOST_SPARE) {
      Path one = spare.resolve(Long.toString(number++));
      Spare now = asMade(folder, known, one);
      if (now != null && folder.renameTo(one.toFile())) {
        free.add(now);
        return true;
      }
    }
    return folder.delete() || !folder.exists();
  }

  private static Path attempt(Path scratch) {
    return scratch.getParent().getFileName();
  }

  /** Returns the folder as it is now, if it is as it was made; else null. */
  private Spare asMade(File folder, Spare known, Path place) {
    Map<String, Object> now;
    try {
      now = traits(folder.toPath());
    } catch (IOException gone) {
      return null;
    }
    Object changed = now.remove(CHANGED);
    if (!now.equals(traits)) {
      return null; // or it is a link
    }
    if (changed.equals(known.changed())) {
      return new Spare(place, changed, known.since());
    }
    return isEmpty(folder) ? new Spare(place, changed, nanoClock.getAsLong()) : null;
  }

  private static Map<String, Object> traits(Path folder) throws IOException {
    return new HashMap<>(Files.readAttributes(folder, TRAITS, LinkOption.NOFOLLOW_LINKS));
  }

  private static boolean isEmpty(File folder) {
    String[] inside = folder.list();
    return inside != null && inside.length == 0;
  }
}
