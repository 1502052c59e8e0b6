package io.remuda.agent.settings;

import io.remuda.agent.keeper.program.KeeperLauncher;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;

/**
 * Flags of the JVMs that Remuda starts. A JVM uses the class archive of its role if there is one
 * for this build and JDK.
 */
public final class JvmFlags {

  /** System property with the folder of the class archives of this build and JDK. */
  static final String ARCHIVES = "remuda.archives";

  /** System property that makes each JVM record the input of {@code bin/make-archives}. */
  static final String RECORD = "remuda.record";

  private JvmFlags() {}

  /**
   * Returns the flags of an agent. The heap is small, and grows with thousands of tasks at once.
   * One compiler compiles early, because most of an idle agent's code runs once a second. JVMs that
   * support it return the compiler's memory to the system. docs/benchmarks.md has the total memory;
   * {@code bin/remuda agent} sets the same flags.
   */
  public static List<String> agent() {
    return with(
        "agent",
        "-Xmx96m",
        "-Xms6m",
        "-XX:NewSize=1m",
        "-XX:MaxNewSize=16m",
        "-XX:CompileThresholdScaling=0.5",
        "-XX:+UseSerialGC",
        "-XX:TieredStopAtLevel=1",
        "-XX:CICompilerCount=1",
        "-XX:ReservedCodeCacheSize=32m",
        "-Xss384k",
        "-XX:+IgnoreUnrecognizedVMOptions",
        "-XX:TrimNativeHeapInterval=60000",
        "-XX:-UsePerfData");
  }

  /** Returns environment variables of an agent: one malloc arena is enough for its few threads. */
  public static Map<String, String> agentEnvironment() {
    return Map.of("MALLOC_ARENA_MAX", "1");
  }

  /** Returns the flags of a keeper, which has no Pekko and a very small heap. */
  public static List<String> keeper() {
    return with("keeper", KeeperLauncher.JVM_FLAGS.toArray(String[]::new));
  }

  /**
   * Returns the flags of a built-in worker that computes in Java.
   *
   * @param heapMegabytes maximum heap size
   */
  public static List<String> worker(long heapMegabytes) {
    return with(
        "worker", "-Xmx" + heapMegabytes + "m", "-Xms16m", "-XX:+UseSerialGC", "-XX:-UsePerfData");
  }

  /**
   * Returns the flags of a built-in worker that computes in a native library. The optimising
   * compiler is off: it would cost a second of processor time without speeding up the training.
   *
   * @param heapMegabytes maximum heap size
   */
  public static List<String> nativeWorker(long heapMegabytes) {
    List<String> flags = new ArrayList<>(worker(heapMegabytes));
    flags.add("-XX:TieredStopAtLevel=1");
    return List.copyOf(flags);
  }

  private static List<String> with(String role, String... flags) {
    List<String> all = new ArrayList<>(List.of(flags));
    String folder = System.getProperty(ARCHIVES);
    if (folder != null) {
      all.add("-D" + ARCHIVES + "=" + folder);
      all.addAll(archive(Path.of(folder), role));
    }
    String jna = System.getProperty(NativeLibraryUnpacker.JNA_FOLDER);
    if (jna != null) {
      all.add("-D" + NativeLibraryUnpacker.JNA_FOLDER + "=" + jna);
    }
    if (Runtime.version().feature() >= 22) {
      all.add("--enable-native-access=ALL-UNNAMED");
    }
    if (Runtime.version().feature() >= 23) {
      all.add("--sun-misc-unsafe-memory-access=allow");
    }
    return List.copyOf(all);
  }

  private static List<String> archive(Path folder, String role) {
    Path file = folder.resolve(role + ".jsa");
    List<String> quiet = List.of("-Xlog:cds=off", "-Xlog:cds+dynamic=off");
    List<String> flags = new ArrayList<>();
    if (Boolean.getBoolean(RECORD)) {
      flags.add("-D" + RECORD + "=true");
      flags.add(
          role.equals("worker")
              ? "-XX:ArchiveClassesAtExit=" + file
              : "-XX:DumpLoadedClassList=" + folder.resolve(role + ".classes"));
      flags.addAll(quiet);
    } else if (Files.isRegularFile(file)) {
      flags.add("-XX:SharedArchiveFile=" + file);
      flags.addAll(quiet);
    }
    return flags;
  }
}
