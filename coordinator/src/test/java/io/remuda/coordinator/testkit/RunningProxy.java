package io.remuda.coordinator.testkit;

import static org.junit.jupiter.api.Assumptions.assumeTrue;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.TimeUnit;
import java.util.stream.Stream;

/** HAProxy or nginx as a process of this machine, in front of the members of a cluster. */
public final class RunningProxy implements AutoCloseable {

  private final Process process;
  private final Path said;

  private RunningProxy(Process process, Path said) {
    this.process = process;
    this.said = said;
  }

  /** Skips the test if a program is not installed; returns where it is. */
  public static Path program(String name, String debian) {
    Optional<Path> found =
        Stream.of((System.getenv("PATH") + ":/usr/sbin:/usr/local/sbin").split(":"))
            .map(at -> Path.of(at, name))
            .filter(Files::isExecutable)
            .findFirst();
    assumeTrue(found.isPresent(), "skipped: no " + name + ": apt-get install " + debian);
    return found.get();
  }

  /** Starts HAProxy with a configuration. */
  public static RunningProxy haproxy(Path folder, String configuration) throws IOException {
    Path file = Files.writeString(folder.resolve("haproxy.cfg"), configuration);
    return start(folder, "haproxy", List.of(program("haproxy", "haproxy") + "", "-f", file + ""));
  }

  /** Starts nginx with a configuration; what it writes is below the folder. */
  public static RunningProxy nginx(Path folder, String configuration) throws IOException {
    String here =
        """
        daemon off;
        %2$s
        pid %1$s/nginx.pid;
        error_log %1$s/nginx.log;
        """
            .formatted(folder, isRoot() ? "user root;" : "");
    String all =
        configuration
            .replaceFirst("(?m)^events", here + "events")
            .replace("access_log off;", "access_log off;\n" + temporaryFolders(folder));
    Path file = Files.writeString(folder.resolve("nginx.conf"), all);
    String program = program("nginx", "nginx-light libnginx-mod-stream").toString();
    return start(
        folder,
        "nginx",
        List.of(program, "-p", "/usr/share/nginx", "-e", folder + "/nginx.log", "-c", file + ""));
  }

  /** Its workers become another user otherwise, who may not write in the folder. */
  private static boolean isRoot() {
    return "root".equals(System.getProperty("user.name"));
  }

  private static String temporaryFolders(Path folder) {
    StringBuilder lines = new StringBuilder();
    for (String kind : List.of("client_body", "proxy", "fastcgi", "uwsgi", "scgi")) {
      lines.append(kind).append("_temp_path ").append(folder.resolve(kind)).append(";\n");
    }
    return lines.toString();
  }

  private static RunningProxy start(Path folder, String name, List<String> command)
      throws IOException {
    Path said = folder.resolve(name + ".out");
    return new RunningProxy(
        new ProcessBuilder(command).redirectErrorStream(true).redirectOutput(said.toFile()).start(),
        said);
  }

  /** Returns what it has printed, and whether it lives. */
  public String describe() {
    try {
      return "alive " + process.isAlive() + ": " + Files.readString(said);
    } catch (IOException none) {
      return none.toString();
    }
  }

  @Override
  public void close() {
    process.destroy();
    try {
      if (!process.waitFor(60, TimeUnit.SECONDS)) {
        process.destroyForcibly();
      }
    } catch (InterruptedException stop) {
      throw new AssertionError(stop);
    }
  }
}
