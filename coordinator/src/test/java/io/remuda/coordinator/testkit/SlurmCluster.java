package io.remuda.coordinator.testkit;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.TimeUnit;

/**
 * A real Slurm of three nodes on this machine, by the script {@code start-slurm.sh} of the folder
 * that {@code REMUDA_TEST_SLURM} names or of {@code shared/slurm} beside the source tree. It needs
 * root.
 */
public final class SlurmCluster implements AutoCloseable {

  private static final long START_SECONDS = 120;

  private final Path scripts;
  private final Map<String, String> settings;

  private SlurmCluster(Path scripts, Map<String, String> settings) {
    this.scripts = scripts;
    this.settings = settings;
  }

  /** Why there can be no cluster here, or nothing. */
  public static Optional<String> missing() {
    if (scripts().isEmpty()) {
      return Optional.of(
          "no start-slurm.sh: set REMUDA_TEST_SLURM to the folder of a script that starts a Slurm");
    }
    return "root".equals(System.getProperty("user.name"))
        ? Optional.empty()
        : Optional.of("a Slurm for tests is started as root");
  }

  private static Optional<Path> scripts() {
    List<Path> places = new ArrayList<>();
    String named = System.getenv("REMUDA_TEST_SLURM");
    if (named != null) {
      places.add(Path.of(named));
    }
    for (Path at = Path.of("").toAbsolutePath(); at != null; at = at.getParent()) {
      places.add(at.resolve("shared/slurm"));
    }
    return places.stream()
        .filter(folder -> Files.isExecutable(folder.resolve("start-slurm.sh")))
        .findFirst();
  }

  /**
   * Starts it.
   *
   * @param tracking how Slurm knows a job's processes: {@code auto}, {@code linuxproc}, {@code
   *     pgid}
   */
  public static SlurmCluster start(String tracking) {
    Map<String, String> settings = new LinkedHashMap<>();
    settings.put("SLURM_LOCAL_RUN", "/run/slurm-remuda-it");
    settings.put("CTL_PORT", "17817");
    settings.put("SLURMD_PORT0", "17820");
    settings.put("PROFILE", "fast");
    settings.put("PROCTRACK", tracking);
    SlurmCluster cluster = new SlurmCluster(scripts().orElseThrow(), settings);
    cluster.script("start-slurm.sh");
    return cluster;
  }

  /** What a command needs in its environment to find the cluster. */
  public Map<String, String> environment() {
    return Map.of("SLURM_CONF", settings.get("SLURM_LOCAL_RUN") + "/slurm.conf");
  }

  /** What a command of Slurm prints. */
  public String command(String... command) {
    return output(List.of(command), environment());
  }

  /** The newest job that has not ended, or empty. */
  public String newestJob() {
    return command("squeue", "--noheader", "--sort=-i", "--format=%i")
        .lines()
        .findFirst()
        .orElse("")
        .strip();
  }

  /** Ends all jobs. */
  public void cancelAll() {
    command("scancel", "--user=root");
  }

  /** Whether all nodes wait for work. */
  public boolean isIdle() {
    return command("sinfo", "--noheader", "--format=%T").lines().allMatch("idle"::equals);
  }

  private void script(String name) {
    output(List.of(scripts.resolve(name).toString()), settings);
  }

  private static String output(List<String> command, Map<String, String> environment) {
    try {
      ProcessBuilder builder = new ProcessBuilder(command).redirectErrorStream(true);
      builder.environment().putAll(environment);
      Path log = Files.createTempFile("slurm", ".out"); // a daemon keeps a pipe open
      builder.redirectOutput(log.toFile());
      Process process = builder.start();
      boolean ended = process.waitFor(START_SECONDS, TimeUnit.SECONDS);
      String text = Files.readString(log, StandardCharsets.UTF_8);
      Files.delete(log);
      if (!ended || process.exitValue() != 0) {
        throw new AssertionError(command + " failed:\n" + text);
      }
      return text;
    } catch (IOException fault) {
      throw new UncheckedIOException(fault);
    } catch (InterruptedException stop) {
      Thread.currentThread().interrupt();
      throw new AssertionError("interrupted", stop);
    }
  }

  @Override
  public void close() {
    script("stop-slurm.sh");
  }
}
