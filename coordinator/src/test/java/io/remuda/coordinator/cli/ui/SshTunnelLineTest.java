package io.remuda.coordinator.cli.ui;

import static org.junit.jupiter.api.Assertions.assertEquals;

import io.remuda.coordinator.cli.ui.UiCommand.SshTunnelLine;
import java.util.Map;
import org.junit.jupiter.api.Test;

class SshTunnelLineTest {

  @Test
  void whoever_has_come_by_ssh_goes_back_by_the_same_address() {
    assertEquals(
        "ssh -N -L 7832:127.0.0.1:7832 ann@10.0.0.7",
        SshTunnelLine.of(
            7832, "ann", "lab7", Map.of("SSH_CONNECTION", "10.0.0.99 51234 10.0.0.7 22")));
    assertEquals(
        "ssh -N -L 7832:127.0.0.1:7832 -p 2222 ann@10.0.0.7",
        SshTunnelLine.of(
            7832, "ann", "lab7", Map.of("SSH_CONNECTION", "10.0.0.99 51234 10.0.0.7 2222")));
  }

  @Test
  void without_ssh_the_machine_has_its_name() {
    assertEquals(
        "ssh -N -L 8080:127.0.0.1:8080 ann@lab7", SshTunnelLine.of(8080, "ann", "lab7", Map.of()));
  }
}
