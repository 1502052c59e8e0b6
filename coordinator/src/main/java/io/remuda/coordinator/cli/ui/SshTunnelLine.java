package io.remuda.coordinator.cli.ui;

import io.remuda.coordinator.client.ShellQuoting;
import java.util.Map;

/** The line that makes the page reachable on the machine in front of which the user sits. */
final class SshTunnelLine {

  private static final int SERVER_ADDRESS = 2; // of SSH_CONNECTION: client, port, server, port
  private static final int FIELDS = 4;
  private static final int SERVER_PORT = 3;

  private SshTunnelLine() {}

  /**
   * Returns the line.
   *
   * @param environment says by which address the user has come here, if by ssh
   * @param machine name of this machine, for a user who has not
   */
  static String of(int port, String user, String machine, Map<String, String> environment) {
    String[] connection = environment.getOrDefault("SSH_CONNECTION", "").split(" ");
    boolean known = connection.length == FIELDS;
    String host = known ? connection[SERVER_ADDRESS] : machine;
    String at =
        known && !connection[SERVER_PORT].equals("22") ? " -p " + connection[SERVER_PORT] : "";
    return "ssh -N -L %d:127.0.0.1:%d%s %s"
        .formatted(port, port, at, ShellQuoting.quoted(user + "@" + host));
  }
}
