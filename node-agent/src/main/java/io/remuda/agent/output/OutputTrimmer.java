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
 * Keeps output files within a limit. A file within it costs one look at its size. One thread.
 *
 * <p>A task goes on writing meanwhile, always at the end and without waiting for us: offsets and
 * size stay, only the disk's room for the middle is given back.
 */
public final class OutputTrimmer {

  private final OutputLimit limit;
  private final HolePuncher holes;
  private final Consumer<String> warnings;

  /** What was dropped of each file that was looked at. */
  private final Map<Path, Optional<DroppedRange>> known = new HashMap<>();

  /** Files that are left as they are. */
  private final Set<Path> failed = new HashSet<>();

  private boolean unsupported;

  /**
   * A trimmer.
   *
   * @param warnings is told, once each, why a file, or any file, cannot be kept within the limit
   */
  public OutputTrimmer(OutputLimit limit, HolePuncher holes, Consumer<String> warnings) {
    this.limit = limit;
    this.holes = holes;
    this.warnings = warnings;
  }

  /** Looks at a file and drops what is too much. */
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
    } catch (HolesUnsupported none) {
      unsupported = true;
      warnings.accept(
          "output is not kept within "
              + limit.bytes()
              + " bytes, for the file system makes no holes: "
              + none.getMessage());
    } catch (IOException fault) {
      noteFailure(file, fault);
    }
  }

  private void noteFailure(Path file, IOException fault) {
    if (Files.exists(file, LinkOption.NOFOLLOW_LINKS)) { // else it was put away
      failed.add(file);
      warnings.accept(file + " is not kept within its limit: " + fault);
    }
  }

  /** Forgets files that are gone. */
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
      DroppedRange.remove(file); // the task has cut it off and begins anew
      before = Optional.empty();
    }
    known.put(file, before);
    Optional<DroppedRange> tooMuch = limit.tooMuch(size, before);
    if (tooMuch.isPresent()) {
      drop(file, tooMuch.get(), before);
      known.put(file, tooMuch);
    }
  }

  /** An agent may have ended between its note and the hole. */
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
    try (HolePuncher.OpenFile open = holes.open(file)) { // first: now it may be moved
      range.write(file);
      open.punch(range); // if it fails half-way, what is noted is not shown all the same
    }
  }

  /** On a file beside it: a note about a hole that cannot be made would hide what is there. */
  private void tryOut(Path file) throws IOException {
    Path beside = Files.createTempFile(file.getParent(), ".hole", "");
    try (HolePuncher.OpenFile open = holes.open(beside)) {
      open.punch(new DroppedRange(0, 1));
    } finally {
      Files.delete(beside);
    }
  }
}
