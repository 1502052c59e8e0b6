package io.remuda.agent.settings;

import io.remuda.agent.keeper.KeeperLauncher;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;

/**
 * Flags of the JVMs that Remuda starts. A JVM takes the class archive of its role if one was made
 * for this very build and JDK, and starts without it otherwise.
 */
public final class JvmFlags {

  private JvmFlags() {}

  /** An agent: small heap, one compiler, 92 MB in all. */
  public static List<String> agent(Path cache) {
    return with(
        cache,
        "agent",
        "-Xmx48m",
        "-Xms12m",
        "-XX:+UseSerialGC",
        "-XX:TieredStopAtLevel=1",
        "-XX:ReservedCodeCacheSize=32m",
        "-Xss384k",
        "-XX:-UsePerfData");
  }

  /** A keeper: no Pekko, hardly any heap. */
  public static List<String> keeper(Path cache) {
    return with(cache, "keeper", KeeperLauncher.JVM_FLAGS.toArray(String[]::new));
  }

  /**
   * A built-in worker.
   *
   * @param heapMegabytes most heap that its images may take
   */
  public static List<String> worker(Path cache, long heapMegabytes) {
    return with(
        cache,
        "worker",
        "-Xmx" + heapMegabytes + "m",
        "-Xms16m",
        "-XX:+UseSerialGC",
        "-XX:-UsePerfData");
  }

  private static List<String> with(Path cache, String role, String... flags) {
    List<String> all = new ArrayList<>(List.of(flags));
    Path archive = archive(cache, role);
    if (Files.isRegularFile(archive)) {
      all.add("-XX:SharedArchiveFile=" + archive);
      all.add("-Xlog:cds=off");
      all.add("-Xlog:cds+dynamic=off");
    }
    if (Runtime.version().feature() >= 22) {
      all.add("--enable-native-access=ALL-UNNAMED");
    }
    return List.copyOf(all);
  }

  /** Where the class archive of a role lies; it is named after the build and the JDK. */
  public static Path archive(Path cache, String role) {
    return cache.resolve("cds").resolve(System.getProperty("remuda.cds", "none")).resolve(role + ".jsa");
  }
}
