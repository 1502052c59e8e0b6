package io.remuda.agent.output;

import java.io.IOException;
import java.io.UncheckedIOException;
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
import java.util.stream.Stream;

/**
 * The folders of a node's ended tasks, of which those go that are too old, and the oldest of what
 * is too much. A task has ended when its folder was changed last. It blocks; one thread.
 */
public final class EndedFolders {

  /** Whoever has waited for the end of a task still reads what it has printed. */
  private static final Duration BEING_READ = Duration.ofMinutes(10);

  /** A folder disappears at once under this name; what a crash leaves of it goes next time. */
  private static final String GOING = ".going-";

  private static final String ATTEMPT = "\\d+\\.\\d+\\.\\d+(-[0-9a-f]{16})?";

  private final Path root;
  private final EndedLimit limit;
  private final Clock clock;

  /**
   * What has come of a sweep.
   *
   * @param folders that are gone
   * @param bytes that they took on the disk
   * @param faults why others are still there
   */
  public record Swept(int folders, long bytes, List<String> faults) {}

  /** Those in {@code root}, which need not be there. */
  public EndedFolders(Path root, EndedLimit limit, Clock clock) {
    this.root = root;
    this.limit = limit;
    this.clock = clock;
  }

  private record Ended(Path path, Instant at, long bytes) {}

  /** Whether there are more than may be kept, some of which may have ended just now. */
  public boolean areTooMany() {
    String[] names = root.toFile().list();
    return names != null && names.length > limit.count();
  }

  /** Looks at all of them and removes what is too old or too much. */
  public Swept sweep() {
    return sweep(clock.instant());
  }

  /**
   * The same by a clock that may have leapt.
   *
   * @param trusted the time by which things are too old
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

  /** What it takes on the disk, without the holes in its output. */
  private static long bytesOf(Path folder) {
    try (Stream<Path> tree = Files.walk(folder)) {
      return tree.mapToLong(EndedFolders::bytesOfFile).sum();
    } catch (IOException | UncheckedIOException locked) {
      return 0; // a task has closed a folder of its own; what is in it is not counted
    }
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
      Files.walkFileTree(tree, new Removal());
      return true;
    } catch (IOException fault) {
      faults.add(tree + ": " + fault);
      return false;
    }
  }

  private static final class Removal extends SimpleFileVisitor<Path> {

    @Override
    public FileVisitResult preVisitDirectory(Path folder, BasicFileAttributes attributes) {
      folder.toFile().setWritable(true); // a task may have closed it
      return FileVisitResult.CONTINUE;
    }

    @Override
    public FileVisitResult visitFile(Path file, BasicFileAttributes attributes) throws IOException {
      Files.delete(file);
      return FileVisitResult.CONTINUE;
    }

    @Override
    public FileVisitResult postVisitDirectory(Path folder, IOException fault) throws IOException {
      Files.delete(folder);
      return FileVisitResult.CONTINUE;
    }
  }
}
