package io.remuda.coordinator.testkit;

import com.typesafe.config.ConfigFactory;
import io.remuda.agent.settings.NativeLibraryUnpacker;
import io.remuda.coordinator.store.SqliteLibrary;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.channels.FileChannel;
import java.nio.channels.FileLock;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.TimeUnit;
import java.util.stream.Stream;

/**
 * A built release and a cache that all runs of the tests share, so that the native libraries are
 * unpacked and the class archives are made once.
 *
 * @param dist the folder with the jars
 * @param cache for {@code REMUDA_CACHE}
 */
public record Installation(Path dist, Path cache) {

  /** Names the folder with the jars; without it the nearest {@code dist} above is taken. */
  public static final String DIST_PROPERTY = "remuda.dist";

  /** What the build has said, before {@link #useHere} of another release, which may be gone. */
  private static final String GIVEN = System.getProperty(DIST_PROPERTY);

  /** Names the cache; without it one in the folder {@code target} is taken. */
  public static final String CACHE_PROPERTY = "remuda.test.cache";

  private static final String LEAVE_PROPERTY =
      "pekko.coordinated-shutdown.run-by-actor-system-terminate";

  private static final String JAR = "coordinator.jar";
  private static final long ARCHIVES_SECONDS = 240;

  /** Those whose class archives this process has asked for. */
  private static final Set<Installation> WITH_ARCHIVES = ConcurrentHashMap.newKeySet();

  /** What {@link #useHere} was called for last. */
  private static Installation usedHere;

  /** The release of this source tree. */
  public static Installation find() {
    Path dist = GIVEN != null ? Path.of(GIVEN).toAbsolutePath() : above();
    if (!Files.isRegularFile(dist.resolve(JAR))) {
      throw new IllegalStateException(dist.resolve(JAR) + " is missing: run mvn package first");
    }
    Path cache = Path.of(System.getProperty(CACHE_PROPERTY, "target/it-cache")).toAbsolutePath();
    return new Installation(dist, cache);
  }

  private static Path above() {
    for (Path at = Path.of("").toAbsolutePath(); at != null; at = at.getParent()) {
      if (Files.isRegularFile(at.resolve("dist").resolve(JAR))) {
        return at.resolve("dist");
      }
    }
    throw new IllegalStateException("no dist folder with " + JAR + " here or above");
  }

  /** The java that runs the tests runs the program, too. */
  static Path java() {
    return Path.of(System.getProperty("java.home"), "bin", "java");
  }

  /**
   * Has programs that run in this JVM take this release, its native libraries and, for the keepers
   * that they start, its class archives.
   *
   * @throws IOException if the cache cannot be used
   */
  void useHere() throws IOException {
    synchronized (WITH_ARCHIVES) {
      if (!equals(usedHere)) {
        makeArchives();
        prepareThisProcess();
        usedHere = this;
      }
    }
  }

  private void prepareThisProcess() throws IOException {
    System.setProperty(DIST_PROPERTY, dist.toString());
    newestArchives().ifPresent(folder -> System.setProperty("remuda.archives", folder.toString()));
    // an actor system that ends need not take leave of a cluster of its own: a second each
    if (!"off".equals(System.setProperty(LEAVE_PROPERTY, "off"))) {
      ConfigFactory.invalidateCaches(); // once: to read all defaults again takes 0.1 s and more
    }
    NativeLibraryUnpacker.useJna(cache);
    SqliteLibrary.useFrom(cache);
  }

  private Optional<Path> newestArchives() throws IOException {
    Path all = cache.resolve("cds");
    if (!Files.isDirectory(all)) {
      return Optional.empty();
    }
    try (Stream<Path> builds = Files.list(all)) {
      return builds
          .filter(Files::isDirectory)
          .max(Comparator.comparing(folder -> folder.toFile().lastModified()));
    }
  }

  /** What is added to the environment of a program of the release. */
  Map<String, String> variables() {
    return Map.of(
        "REMUDA_CACHE",
        cache.toString(),
        "JAVA_HOME", // the java that runs the tests runs the program, too
        System.getProperty("java.home"));
  }

  /** The command line of a verb; the first one makes the class archives. */
  List<String> command(List<String> arguments) {
    makeArchives();
    List<String> command = new ArrayList<>(List.of(launcher()));
    command.addAll(arguments);
    return command;
  }

  private String launcher() {
    return dist.resolve("bin/remuda").toString();
  }

  /**
   * Has the launcher record its class archives, which it does before a server starts. Of concurrent
   * test processes one records, and the others wait: beside them it takes minutes.
   */
  private void makeArchives() {
    if (!WITH_ARCHIVES.add(this)) {
      return;
    }
    try {
      Files.createDirectories(cache);
      try (FileChannel file =
              FileChannel.open(
                  cache.resolve("lock"), StandardOpenOption.CREATE, StandardOpenOption.WRITE);
          FileLock lock = file.lock()) {
        if (lock.isValid()) {
          runLauncher("serve", "--help");
        }
      }
    } catch (IOException fault) {
      throw new UncheckedIOException(fault);
    }
  }

  private void runLauncher(String... arguments) throws IOException {
    ProcessBuilder builder = new ProcessBuilder(launcher());
    builder.command().addAll(List.of(arguments));
    builder.environment().putAll(variables());
    Process process =
        builder
            .redirectOutput(ProcessBuilder.Redirect.DISCARD)
            .redirectError(ProcessBuilder.Redirect.INHERIT)
            .start();
    try {
      if (!process.waitFor(ARCHIVES_SECONDS, TimeUnit.SECONDS)) {
        List<ProcessHandle> below = process.descendants().toList();
        process.destroy();
        below.forEach(ProcessHandle::destroy);
        throw new IOException("the class archives took more than " + ARCHIVES_SECONDS + " s");
      }
    } catch (InterruptedException stop) {
      process.destroy();
      Thread.currentThread().interrupt();
    }
  }
}
