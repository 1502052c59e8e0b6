package io.remuda.agent.output;

import java.io.IOException;
import java.nio.file.FileVisitResult;
import java.nio.file.Files;
import java.nio.file.LinkOption;
import java.nio.file.Path;
import java.nio.file.SimpleFileVisitor;
import java.nio.file.StandardCopyOption;
import java.nio.file.attribute.BasicFileAttributes;
import java.time.Clock;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;

/**
 * Removes folders of a node's ended tasks: those that are too old, and the oldest while there are
 * too many or they are too large. A task's end is the modification time of its folder. Blocks; one
 * thread.
 */
public final class EndedTaskFolders {

  /** A client that waited for the end of a task may still be reading its output. */
  private static final Duration BEING_READ = Duration.ofMinutes(10);

  /**
   * A folder is renamed to this prefix before its removal; a later sweep removes the rest after a
   * crash.
   */
  private static final String GOING = ".going-";

  private static final String ATTEMPT = "\\d+\\.\\d+\\.\\d+(-[0-9a-f]{16})?";

  private final Path root;
  private final TaskRetentionLimit limit;
  private final Clock clock;

  /**
   * The result of a sweep.
   *
   * @param folders number of removed folders
   * @param bytes their size on the disk
   * @param faults why other folders could not be removed
   */
  public record Swept(int folders, long bytes, List<String> faults) {}

  /**
   * @param root parent of the folders; may be missing
   */
  public EndedTaskFolders(Path root, TaskRetentionLimit limit, Clock clock) {
    this.root = root;
    this.limit = limit;
    this.clock = clock;
  }

  private record Ended(Path path, Instant at, long bytes) {}

  /**
   * Returns whether there are more folders than the limit; some may have ended too recently to be
   * removed.
   */
  public boolean areTooMany() {
    String[] names = root.toFile().list();
    return names != null && names.length > limit.count();
  }

  /** Removes the folders that exceed the limit, by the clock. */
  public Swept sweep() {
    return sweep(clock.instant());
  }

  /**
   * Removes the folders that exceed the limit.
   *
   * @param trusted time by which folders are too old; the clock may have jumped
   */
  public Swept sweep(Instant trusted) {
    List<String> faults = new ArrayList<>();
    int folders = 0;
    long removed = 0;
    long kept = 0;
    int count = 0;
    for (Ended ended : newestFirst(faults)) {
      kept += ended.bytes();
      count++;
      boolean tooMuch = kept > limit.bytes() || count > limit.count();
      if (isPast(ended, tooMuch, trusted) && remove(ended.path(), faults)) {
        folders++;
        removed += ended.bytes();
        kept -= ended.bytes();
        count--;
      }
    }
    return new Swept(folders, removed, List.copyOf(faults));
  }

  private boolean isPast(Ended ended, boolean tooMuch, Instant trusted) {
    boolean old = Duration.between(ended.at(), trusted).compareTo(limit.age()) > 0;
    boolean read = Duration.between(ended.at(), clock.instant()).compareTo(BEING_READ) > 0;
    return old || (tooMuch && read);
  }

  private List<Ended> newestFirst(List<String> faults) {
    List<Ended> all = new ArrayList<>();
    String[] names = root.toFile().list();
    for (String name : names == null ? new String[0] : names) {
      Path path = root.resolve(name);
      if (name.startsWith(GOING)) {
        removeTree(path, faults);
      } else if (name.matches(ATTEMPT)) {
        all.add(new Ended(path, endOf(path), bytesOf(path)));
      }
    }
    all.sort(Comparator.comparing(Ended::at).reversed().thenComparing(Ended::path));
    return all;
  }

  private static Instant endOf(Path folder) {
    try {
      return Files.getLastModifiedTime(folder, LinkOption.NOFOLLOW_LINKS).toInstant();
    } catch (IOException gone) {
      return Instant.EPOCH;
    }
  }

  /** Returns the size on the disk, without the holes in its output. */
  private static long bytesOf(Path folder) {
    long[] sum = {0};
    try {
      Files.walkFileTree(
          folder,
          new SimpleFileVisitor<>() {
            @Override
            public FileVisitResult visitFile(Path file, BasicFileAttributes attributes) {
              sum[0] += bytesOfFile(file);
              return FileVisitResult.CONTINUE;
            }

            @Override
            public FileVisitResult visitFileFailed(Path locked, IOException fault) {
              return FileVisitResult.CONTINUE; // a task has made it unreadable
            }

            @Override
            public FileVisitResult postVisitDirectory(Path left, IOException fault) {
              sum[0] += bytesOfFile(left);
              return FileVisitResult.CONTINUE;
            }
          });
    } catch (IOException gone) {
      return sum[0];
    }
    return sum[0];
  }

  private static long bytesOfFile(Path file) {
    try {
      long size =
          Files.readAttributes(file, BasicFileAttributes.class, LinkOption.NOFOLLOW_LINKS).size();
      return size - DroppedRange.of(file).map(DroppedRange::bytes).filter(b -> b < size).orElse(0L);
    } catch (IOException gone) {
      return 0;
    }
  }

  private boolean remove(Path folder, List<String> faults) {
    Path going = root.resolve(GOING + folder.getFileName());
    try {
      Files.move(folder, going, StandardCopyOption.ATOMIC_MOVE);
    } catch (IOException fault) {
      faults.add(folder + ": " + fault);
      return false;
    }
    return removeTree(going, faults);
  }

  private static boolean removeTree(Path tree, List<String> faults) {
    try {
      TreeRemoval.of(tree);
      return true;
    } catch (IOException fault) {
      faults.add(tree + ": " + fault);
      return false;
    }
  }
}
