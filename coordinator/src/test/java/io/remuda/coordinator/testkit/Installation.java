package io.remuda.coordinator.testkit;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.channels.FileChannel;
import java.nio.channels.FileLock;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.TimeUnit;

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

  /** Names the cache; without it one in the folder {@code target} is taken. */
  public static final String CACHE_PROPERTY = "remuda.test.cache";

  private static final String JAR = "coordinator.jar";
  private static final long ARCHIVES_SECONDS = 240;

  /** The release of this source tree. */
  public static Installation find() {
    String given = System.getProperty(DIST_PROPERTY);
    Path dist = given != null ? Path.of(given).toAbsolutePath() : above();
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

  /** The command that {@code bin/remuda} would exec. */
  List<String> command(List<String> arguments) {
    return command("coordinator", JAR, "-Xmx512m", arguments);
  }

  /** The command of an agent that is started by hand. */
  List<String> agentCommand(List<String> arguments) {
    return command("agent", "node-agent.jar", "-Xmx96m", arguments);
  }

  private List<String> command(String role, String jar, String heap, List<String> arguments) {
    Path archives = archives();
    List<String> command = new ArrayList<>();
    command.add(java().toString());
    command.addAll(List.of(heap, "-XX:+UseSerialGC", "-XX:TieredStopAtLevel=1"));
    command.addAll(List.of("-XX:-UsePerfData", "-Dremuda.archives=" + archives));
    Path own = archives.resolve(role + ".jsa");
    if (Files.isRegularFile(own)) {
      command.addAll(
          List.of("-XX:SharedArchiveFile=" + own, "-Xlog:cds=off", "-Xlog:cds+dynamic=off"));
    }
    command.addAll(List.of("-jar", dist.resolve(jar).toString()));
    command.addAll(arguments);
    return command;
  }

  /** Made once per build and JDK by the release's own script; without it all works, slower. */
  private synchronized Path archives() {
    try {
      Path build = dist.resolve("build-id");
      String stamp = Files.exists(build) ? Files.readString(build).strip() : "unknown";
      String jdk = Runtime.version().toString().replaceAll("[^A-Za-z0-9.]", "_");
      Path folder = cache.resolve("test-cds").resolve(stamp + "-" + jdk);
      Path failed = folder.resolveSibling(folder.getFileName() + ".failed");
      if (!Files.isDirectory(folder) && !Files.exists(failed)) {
        Files.createDirectories(folder.getParent());
        makeArchivesOnce(folder, failed);
      }
      return folder;
    } catch (IOException fault) {
      throw new UncheckedIOException(fault);
    }
  }

  /** Of concurrent test classes one records, and the others wait: beside them it takes minutes. */
  private void makeArchivesOnce(Path folder, Path failed) throws IOException {
    try (FileChannel file =
            FileChannel.open(
                folder.resolveSibling("lock"),
                StandardOpenOption.CREATE,
                StandardOpenOption.WRITE);
        FileLock lock = file.lock()) {
      if (lock.isValid() && !Files.isDirectory(folder) && !Files.exists(failed)) {
        makeArchives(folder);
      }
    }
  }

  private void makeArchives(Path folder) throws IOException {
    Process script =
        new ProcessBuilder(
                "sh",
                dist.resolve("bin/make-archives").toString(),
                java().toString(),
                dist.toString(),
                folder.toString())
            .inheritIO()
            .start();
    try {
      if (!script.waitFor(ARCHIVES_SECONDS, TimeUnit.SECONDS)) {
        end(script);
        Files.writeString(folder.resolveSibling(folder.getFileName() + ".failed"), "too slow\n");
      }
    } catch (InterruptedException stop) {
      end(script);
      Thread.currentThread().interrupt();
    }
  }

  private static void end(Process script) {
    List<ProcessHandle> below = script.descendants().toList();
    script.destroy();
    below.forEach(ProcessHandle::destroy);
  }
}
