package io.remuda.coordinator.service;

import io.remuda.agent.freeze.TreeArchive;
import io.remuda.coordinator.store.StoreReader;
import io.remuda.coordinator.store.row.JobSpecCodec;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.NoSuchFileException;
import java.nio.file.Path;
import java.nio.file.attribute.FileTime;
import java.time.Clock;
import java.time.Duration;
import java.util.HashSet;
import java.util.List;
import java.util.Set;
import java.util.stream.Stream;
import org.apache.pekko.actor.typed.Behavior;
import org.apache.pekko.actor.typed.DispatcherSelector;
import org.apache.pekko.actor.typed.Props;
import org.apache.pekko.actor.typed.javadsl.Behaviors;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Removes frozen trees from the server's folder once no job that has not ended has needed them for
 * {@link #KEPT}; the time of a file is when it was needed last. While the spec of such a job cannot
 * be read, nothing is removed. It blocks, on a dispatcher for that.
 */
final class FrozenTreeCleanup {

  static final Props PROPS = DispatcherSelector.fromConfig("remuda.blocking-dispatcher");

  /** How long a tree is kept that no job needs, for jobs that are submitted again. */
  static final Duration KEPT = Duration.ofDays(7);

  private static final Logger LOG = LoggerFactory.getLogger(FrozenTreeCleanup.class);
  private static final Duration EVERY = Duration.ofHours(1);

  /** A message to this actor. */
  enum Command {
    SWEEP
  }

  private FrozenTreeCleanup() {}

  /**
   * Creates the behaviour.
   *
   * @param home folder of the server
   */
  static Behavior<Command> create(StoreReader reader, Path home, Clock clock) {
    return Behaviors.withTimers(
        timers -> {
          timers.startTimerWithFixedDelay(Command.SWEEP, Duration.ZERO, EVERY);
          return Behaviors.receiveMessage(
              message -> {
                sweep(reader, home.resolve(TreeArchive.FOLDER), clock);
                return Behaviors.same();
              });
        });
  }

  static void sweep(StoreReader reader, Path folder, Clock clock) {
    if (!Files.isDirectory(folder)) {
      return;
    }
    try {
      List<Set<String>> live =
          reader.query(
              "SELECT specs.body FROM specs JOIN jobs ON jobs.id = specs.job"
                  + " WHERE jobs.ended = 0 AND specs.body LIKE ?",
              row -> JobSpecCodec.frozenTrees(row.getString(1)),
              JobSpecCodec.WITH_FROZEN_TREE);
      Set<String> needed = new HashSet<>();
      live.forEach(needed::addAll);
      sweep(folder, needed, clock.millis());
    } catch (IOException away) {
      LOG.warn("frozen trees are not swept now; next try in an hour: {}", away.getMessage());
    }
  }

  /** Notes that the needed trees are, and removes those that have not been for long. */
  static void sweep(Path folder, Set<String> needed, long now) throws IOException {
    try (Stream<Path> files = Files.list(folder)) {
      for (Path file : files.toList()) {
        String hash = file.getFileName().toString().replace(TreeArchive.ENDING, "");
        if (needed.contains(hash)) {
          Files.setLastModifiedTime(file, FileTime.fromMillis(now));
        } else if (isOld(file, now)) {
          Files.deleteIfExists(file);
        }
      }
    }
  }

  private static boolean isOld(Path file, long now) throws IOException {
    try {
      return Files.getLastModifiedTime(file).toMillis() < now - KEPT.toMillis();
    } catch (NoSuchFileException gone) {
      return false;
    }
  }
}
