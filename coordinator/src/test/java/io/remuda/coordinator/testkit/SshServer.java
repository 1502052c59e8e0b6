package io.remuda.coordinator.testkit;

import java.io.IOException;
import java.net.InetAddress;
import java.net.ServerSocket;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.PosixFilePermissions;
import java.util.List;
import java.util.Map;
import java.util.concurrent.TimeUnit;
import java.util.stream.Collectors;

/**
 * A real sshd of this user on loopback, with a host key, a client key and a home of its own; its
 * sessions have this environment.
 */
public final class SshServer implements AutoCloseable {

  private static final Path SSHD = Path.of("/usr/sbin/sshd");

  private final Path folder;
  private final int port;
  private final Process sshd;

  /** Starts the server; its sessions have {@code home} as their HOME. */
  public SshServer(Path folder, Path home, Map<String, String> environment)
      throws IOException, InterruptedException {
    this.folder =
        Files.createDirectories(
            folder,
            PosixFilePermissions.asFileAttribute(PosixFilePermissions.fromString("rwx------")));
    Files.createDirectories(home);
    Files.createDirectories(Path.of("/run/sshd"));
    for (String key : List.of("host", "client")) {
      String file = folder.resolve(key).toString();
      run(List.of("ssh-keygen", "-q", "-t", "ed25519", "-N", "", "-f", file));
    }
    this.port = freePort();
    String variables =
        environment.entrySet().stream()
            .map(one -> " \"" + one.getKey() + "=" + one.getValue() + "\"")
            .collect(Collectors.joining());
    Path configuration = folder.resolve("sshd_config");
    Files.writeString(
        configuration,
        String.join(
            "\n",
            "ListenAddress 127.0.0.1:" + port,
            "HostKey " + folder.resolve("host"),
            "AuthorizedKeysFile " + folder.resolve("client.pub"),
            "StrictModes no",
            "UsePAM no",
            "PermitRootLogin yes",
            "PidFile none",
            "SetEnv \"HOME=" + home + "\"" + variables,
            ""));
    this.sshd =
        new ProcessBuilder(SSHD.toString(), "-D", "-e", "-f", configuration.toString())
            .redirectErrorStream(true)
            .redirectOutput(folder.resolve("sshd.log").toFile())
            .start();
  }

  private static int freePort() throws IOException {
    try (ServerSocket probe = new ServerSocket(0, 1, InetAddress.getLoopbackAddress())) {
      return probe.getLocalPort();
    }
  }

  private static void run(List<String> command) throws IOException, InterruptedException {
    Process process = new ProcessBuilder(command).inheritIO().start();
    if (process.waitFor() != 0) {
      throw new IOException(command + " ended with " + process.exitValue());
    }
  }

  /** The options with which ssh reaches this server, in one word. */
  public String options() {
    return "-F none -p "
        + port
        + " -i '"
        + folder.resolve("client")
        + "' -o StrictHostKeyChecking=no -o UserKnownHostsFile=/dev/null -o LogLevel=ERROR"
        + " -o ConnectionAttempts=5 -o BatchMode=yes";
  }

  @Override
  public void close() {
    sshd.destroy();
    try {
      sshd.waitFor(60, TimeUnit.SECONDS);
    } catch (InterruptedException stop) {
      Thread.currentThread().interrupt();
    }
  }
}
