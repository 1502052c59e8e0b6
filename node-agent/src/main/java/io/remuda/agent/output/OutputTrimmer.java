package io.remuda.agent.output;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.LinkOption;
import java.nio.file.Path;
import java.nio.file.attribute.BasicFileAttributes;
import java.util.HashMap;
import java.util.HashSet;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.function.Consumer;

/**
 * Keeps output files within a limit. A file within the limit costs one read of its size. One
 * thread.
 *
 * <p>The task continues to append meanwhile and is not blocked. Offsets and size do not change;
 * only the disk space of the middle is freed.
 */
public final class OutputTrimmer {

  private final OutputLimit limit;
  private final HolePuncher holes;
  private final Consumer<String> warnings;

  /** The dropped range of each file that was checked. */
  private final Map<Path, Optional<DroppedRange>> known = new HashMap<>();

  /** Files that are no longer trimmed. */
  private final Set<Path> failed = new HashSet<>();

  private boolean unsupported;

  /**
   * @param warnings receives, once per file or once in all, why output cannot be kept within the
   *     limit
   */
  public OutputTrimmer(OutputLimit limit, HolePuncher holes, Consumer<String> warnings) {
    this.limit = limit;
    this.holes = holes;
    this.warnings = warnings;
  }

  /** Checks a file and drops what exceeds the limit. */
  public void trim(Path file) {
    if (unsupported || failed.contains(file)) {
      return;
    }
    try {
      BasicFileAttributes attributes =
          Files.readAttributes(file, BasicFileAttributes.class, LinkOption.NOFOLLOW_LINKS);
      if (attributes.isRegularFile()) {
        trim(file, attributes.size());
      }
    } catch (HolesUnsupportedException none) {
      unsupported = true;
      warnings.accept(
          "output is not kept within "
              + limit.bytes()
              + " bytes, because the file system does not support holes: "
              + none.getMessage());
    } catch (IOException fault) {
      noteFailure(file, fault);
    }
  }

  private void noteFailure(Path file, IOException fault) {
    if (Files.exists(file, LinkOption.NOFOLLOW_LINKS)) { // else it was moved
      failed.add(file);
      warnings.accept(file + " is not kept within its limit: " + fault);
    }
  }

  /** Forgets all files but these. */
  public void retain(Set<Path> files) {
    known.keySet().retainAll(files);
    failed.retainAll(files);
  }

  private void trim(Path file, long size) throws IOException {
    Optional<DroppedRange> before = known.get(file);
    if (before == null) {
      before = firstLook(file);
    }
    if (before.isPresent() && size < before.get().to()) {
      DroppedRange.remove(file); // the task has truncated it
      before = Optional.empty();
    }
    known.put(file, before);
    Optional<DroppedRange> tooMuch = limit.tooMuch(size, before);
    if (tooMuch.isPresent()) {
      drop(file, tooMuch.get(), before);
      known.put(file, tooMuch);
    }
  }

  /** Reads the note and makes its hole again: an earlier agent may have ended between the two. */
  private Optional<DroppedRange> firstLook(Path file) throws IOException {
    Optional<DroppedRange> noted = DroppedRange.of(file);
    if (noted.isPresent()) {
      try (HolePuncher.OpenFile open = holes.open(file)) {
        open.punch(noted.get());
      }
    }
    return noted;
  }

  private void drop(Path file, DroppedRange range, Optional<DroppedRange> before)
      throws IOException {
    if (before.isEmpty()) {
      tryOut(file);
    }
    try (HolePuncher.OpenFile open = holes.open(file)) { // first: it may be moved from now on
      range.write(file);
      open.punch(range); // if this fails half-way, the noted range stays hidden
    }
  }

  /**
   * Makes a hole in a temporary file first: a note about a hole that cannot be made would hide real
   * output.
   */
  private void tryOut(Path file) throws IOException {
    Path beside = Files.createTempFile(file.getParent(), ".hole", "");
    try (HolePuncher.OpenFile open = holes.open(beside)) {
      open.punch(new DroppedRange(0, 1));
    } finally {
      Files.delete(beside);
    }
  }
}
