package io.remuda.coordinator.cli.unit;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class ServiceUnitTest {

  @TempDir private Path folder;

  private static ServiceUnit unit(String program, String... options) {
    return new ServiceUnit(
        program,
        List.of(options),
        Map.of("REMUDA_HOME", "/home/ann/a 100% \"home\"", "PATH", "/bin:/usr/$x"));
  }

  @Test
  void each_word_is_quoted_so_that_systemd_takes_it_literally() {
    List<String> lines =
        unit("/opt/re muda/bin/remuda", "--simulate-gpus", "a$b%c\\d\"e").text().lines().toList();
    assertTrue(
        lines.contains(
            "ExecStart=\"/opt/re muda/bin/remuda\" serve \"--simulate-gpus\""
                + " \"a$$b%%c\\\\d\\\"e\""),
        lines.toString());
    assertTrue(lines.contains("Environment=\"REMUDA_HOME=/home/ann/a 100%% \\\"home\\\"\""));
    assertTrue(lines.contains("Environment=\"PATH=/bin:/usr/$x\""));
  }

  @Test
  void tasks_outlive_the_server_and_a_wrong_option_is_not_tried_again() {
    List<String> lines = unit("/bin/true").text().lines().toList();
    assertTrue(lines.contains("KillMode=process"));
    assertTrue(lines.contains("Restart=on-failure"));
    assertTrue(lines.contains("RestartPreventExitStatus=2 4"));
  }

  @Test
  void systemd_finds_no_fault_in_it() throws IOException, InterruptedException {
    assumeTrue(Files.isExecutable(Path.of("/usr/bin/systemd-analyze")), "no systemd-analyze");
    Path file = folder.resolve(ServiceUnit.NAME);
    Files.writeString(file, unit("/bin/true", "--listen", "10.0.0.1:7070").text());
    ProcessBuilder builder =
        new ProcessBuilder("systemd-analyze", "--user", "verify", "--man=no", file.toString());
    builder.environment().put("XDG_RUNTIME_DIR", folder.toString());
    Process verify = builder.redirectErrorStream(true).start();
    String said = new String(verify.getInputStream().readAllBytes(), StandardCharsets.UTF_8);
    assertEquals(0, verify.waitFor(), said);
    assertTrue(said.lines().noneMatch(line -> line.contains(ServiceUnit.NAME)), said);
  }
}
