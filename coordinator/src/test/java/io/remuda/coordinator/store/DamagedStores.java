package io.remuda.coordinator.store;

import static io.remuda.coordinator.store.StoreSamples.CLOCK;
import static io.remuda.coordinator.store.StoreSamples.jobsOf;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.remuda.coordinator.store.row.StoreDamagedException;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.stream.Stream;

/** Opens damaged copies of a store and counts what comes of it; to be wrong silently fails. */
final class DamagedStores {

  private final Path folder;
  private final List<Object> whole;
  private final List<Object> withoutLast;
  private int detected;
  private int harmless;
  private int unfinished;

  /** Copies of these files, opened one after the other in {@code folder}. */
  DamagedStores(StoreFiles good, Path folder) throws Exception {
    this.folder = folder;
    whole = open(good);
    withoutLast = good.log().length == 0 ? whole : open(good.withLogCutBy(1));
    assertTrue(good.log().length == 0 || isOneJobShort(), "the last transaction is one job");
  }

  private boolean isOneJobShort() {
    return ((List<?>) ((List<?>) whole.get(0)).get(0)).size()
        == ((List<?>) ((List<?>) withoutLast.get(0)).get(0)).size() + 1;
  }

  /** What is there: jobs and tasks, users, drained nodes. */
  private List<Object> open(StoreFiles files) throws Exception {
    clear();
    files.put(folder);
    StoreOpener.Opened opened = StoreOpener.open(folder, CLOCK);
    opened.journal().close();
    StoreState state = opened.state();
    return List.of(jobsOf(state), state.users(), state.drained());
  }

  private void clear() throws IOException {
    if (Files.isDirectory(folder)) {
      try (Stream<Path> files = Files.list(folder)) {
        for (Path file : files.toList()) {
          Files.delete(file);
        }
      }
    }
  }

  /** Opens a damaged copy. */
  void tryOut(StoreFiles files, String what) throws Exception {
    boolean said = files.log().length > 0 && saysUnfinished(files);
    List<Object> found;
    try {
      found = open(files);
    } catch (StoreDamagedException | IOException noticed) {
      detected++;
      return;
    }
    boolean asItWas = found.equals(whole);
    assertTrue(asItWas || (said && found.equals(withoutLast)), what + " and nobody noticed");
    if (asItWas) {
      harmless++;
    } else {
      unfinished++;
    }
  }

  /** Whether the start says that the last write is left out. */
  private boolean saysUnfinished(StoreFiles files) throws IOException {
    clear();
    files.put(folder);
    try {
      return WalCheck.isUnfinished(folder.resolve(StoreOpener.FILE + "-wal"));
    } catch (StoreDamagedException detectedBefore) {
      return false;
    }
  }

  int detected() {
    return detected;
  }

  @Override
  public String toString() {
    return detected
        + " detected, "
        + harmless
        + " harmless, "
        + unfinished
        + " with the last write left out and said so";
  }
}
