package io.remuda.coordinator.cli.remote;

import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.List;

/** What the user's configuration of ssh says of a host. */
final class SshHostAddressLookup {

  private static final String ADDRESS = "hostname ";

  private SshHostAddressLookup() {}

  /** Returns the address that ssh connects to for a host. */
  static String address(RemoteShell shell) throws IOException, InterruptedException {
    List<String> command = new ArrayList<>(List.of("ssh", "-G"));
    command.addAll(shell.options());
    command.addAll(List.of("--", shell.host()));
    Process ssh = shell.builder(command).redirectErrorStream(true).start();
    ssh.getOutputStream().close();
    String text = new String(ssh.getInputStream().readAllBytes(), StandardCharsets.UTF_8);
    if (ssh.waitFor() != 0) {
      throw new IOException("ssh: " + text.strip());
    }
    return text.lines()
        .filter(line -> line.startsWith(ADDRESS))
        .map(line -> line.substring(ADDRESS.length()))
        .findFirst()
        .orElse(shell.host());
  }
}
