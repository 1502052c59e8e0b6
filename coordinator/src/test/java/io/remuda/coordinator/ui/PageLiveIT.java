package io.remuda.coordinator.ui;

import static java.nio.charset.StandardCharsets.US_ASCII;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.remuda.coordinator.testkit.Chromium;
import io.remuda.coordinator.testkit.Installation;
import io.remuda.coordinator.testkit.Member.Role;
import io.remuda.coordinator.testkit.ServiceProcess;
import io.remuda.telemetry.testkit.SimulatedDriver;
import java.net.Socket;
import java.net.URI;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;

/** The page of a server that is a process: what changes is seen, and so is a server that dies. */
@Timeout(600)
class PageLiveIT {
  private static final Duration SOON = Duration.ofSeconds(90);

  @TempDir private Path folder;

  private static String[] machine(int percent) {
    return new String[] {
      "gpus 2", "gpu 0 name \"NVIDIA H200\" memory 141GiB util " + percent, "gpu 1 util 0"
    };
  }

  @Test
  void a_gpu_that_changes_is_seen_and_a_killed_server_is_said_and_comes_back() throws Exception {
    SimulatedDriver driver = SimulatedDriver.withOwnLibraryIn(folder).says(machine(37));
    try (ServiceProcess service =
        new ServiceProcess(Installation.find(), folder.resolve("h"), driver.environment())) {
      service.serve("--cpus", "1");
      Process command = service.start("ui", "ui", "--port", "0", "--no-browser");
      Path said = folder.resolve("ui.out");
      service.await("the link", SOON, () -> Files.readString(said).contains("until Ctrl-C"));
      String link = Files.readString(said).lines().findFirst().orElseThrow();
      try (Chromium browser = Chromium.start(folder);
          Socket half = new Socket("127.0.0.1", URI.create(link).getPort())) {
        half.getOutputStream().write("GET /api/v1/top HTTP/1.1\r\nHo".getBytes(US_ASCII));
        browser.open(link);
        browser.awaitText("2 GPUs on 1 node");
        browser.click("button[data-value=table]");
        browser.awaitText("37 %");
        driver.says(machine(64));
        browser.awaitText("64 %");
        assertTrue(browser.said().isEmpty(), () -> "said: " + browser.said());

        service.member(Role.COORDINATOR).signal("KILL");
        service.awaitServerEnd();
        browser.awaitText("The server does not answer since");
        browser.awaitText("64 %"); // what was known stays
        service.launch("--cpus", "1");
        browser.awaitNoText("The server does not answer since");
        driver.says(machine(21));
        browser.awaitText("21 %");

        half.setSoTimeout((int) SOON.toMillis());
        assertEquals(-1, half.getInputStream().read(), "half a request is given up");
        driver.says(machine(33));
        browser.awaitText("33 %"); // and the stream of events is not
      }
      new ProcessBuilder("kill", "-INT", Long.toString(command.pid())).start().waitFor();
      assertTrue(command.waitFor(SOON.toSeconds(), TimeUnit.SECONDS), "Ctrl-C does not end it");
      assertEquals(130, command.exitValue());
    }
  }
}
