package io.remuda.coordinator.testkit;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.concurrent.TimeUnit;
import java.util.stream.Stream;

/**
 * A real Slurm of several nodes on this machine, by the scripts of the folder {@code slurm} of the
 * test resources. Its folder and ports are its own, so that it lives beside any other Slurm. It
 * needs root, and the programs that {@code checks/wanted} installs.
 */
public final class SlurmCluster implements AutoCloseable {

  private static final long START_SECONDS = 120;
  private static final String FOLDER = "SLURM_LOCAL_RUN";

  private final Map<String, String> settings;

  private SlurmCluster(Map<String, String> settings) {
    this.settings = settings;
  }

  /** Whether one may be started: its daemons run as root, of which {@code check} knows nothing. */
  public static boolean isAllowed() {
    return "root".equals(System.getProperty("user.name"));
  }

  private static void requirePrograms() {
    List<String> missing =
        Stream.of("slurmctld", "slurmd", "srun", "munged")
            .filter(program -> !isThere(program))
            .toList();
    if (!missing.isEmpty()) {
      throw new AssertionError("no " + missing + ": checks/wanted all installs them");
    }
  }

  private static boolean isThere(String program) {
    return Stream.of("/usr/bin", "/usr/sbin", "/usr/local/bin", "/usr/local/sbin")
        .anyMatch(folder -> Files.isExecutable(Path.of(folder, program)));
  }

  /**
   * Starts one of three nodes.
   *
   * @param tracking how Slurm knows a job's processes: {@code auto}, {@code linuxproc}, {@code
   *     pgid}
   */
  public static SlurmCluster start(String tracking) {
    // control groups are named by node and job: another Slurm has jobs of other numbers
    return start("it", 17817, Map.of("PROCTRACK", tracking, "FIRST_JOB", "40001"));
  }

  /**
   * Starts one.
   *
   * @param name a part of its folder's
   * @param port of its controller; its nodes have those from the fourth after it
   * @param more settings of {@code start-slurm.sh}
   */
  public static SlurmCluster start(String name, int port, Map<String, String> more) {
    requirePrograms();
    Map<String, String> settings = new LinkedHashMap<>(more);
    settings.put(FOLDER, "/run/slurm-remuda-" + name);
    settings.put("CTL_PORT", Integer.toString(port));
    settings.put("SLURMD_PORT0", Integer.toString(port + 3));
    settings.put("PROFILE", "fast");
    SlurmCluster cluster = new SlurmCluster(settings);
    cluster.script("start-slurm.sh");
    return cluster;
  }

  /** What a command needs in its environment to find the cluster. */
  public Map<String, String> environment() {
    return Map.of("SLURM_CONF", settings.get(FOLDER) + "/slurm.conf");
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
    Path file = Path.of("src", "test", "resources", "slurm", name);
    Path script = Files.exists(file) ? file : Path.of("coordinator").resolve(file);
    output(List.of("bash", script.toString()), settings);
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
