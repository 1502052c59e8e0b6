package io.remuda.coordinator.ui;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.remuda.coordinator.testkit.BegunCommand;
import io.remuda.coordinator.testkit.Chromium;
import io.remuda.coordinator.testkit.Cluster;
import io.remuda.coordinator.testkit.Installation;
import io.remuda.coordinator.testkit.ServiceUnderTest.Result;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;

/** The page of a real server in a real browser. */
@Timeout(300)
class PageIT {
  private static final Duration SOON = Duration.ofSeconds(60);

  @TempDir private static Path shared;
  private static Cluster service;
  private static BegunCommand command;
  private static Chromium browser;

  @BeforeAll
  static void open() throws Exception {
    service = new Cluster(Installation.find(), shared.resolve("h"), Map.of()).serve("--no-agent");
    service.agent("lab7", "--simulate-gpus", "h200:2");
    service.awaitNode("lab7", "ready");
    command = service.begin("ui", "--port", "0", "--no-browser");
    service.await("the link", SOON, () -> command.out().contains("\n"));
    browser = Chromium.start(shared);
    browser.open(command.out().strip());
  }

  @AfterAll
  static void end() {
    browser.close();
    command.interrupt();
    service.close();
  }

  @Test
  void the_link_opens_the_page_and_leaves_no_secret_in_the_address() {
    browser.awaitText("2 GPUs on 1 node");
    assertTrue(browser.address().endsWith("/#/cluster"), browser::address);
    assertEquals(List.of(), browser.said());
  }

  @Test
  void a_node_and_its_gpus_are_there_as_a_table_for_readers_of_words() {
    browser.click("button[data-value=table]");
    browser.awaitText("lab7");
    assertEquals(2, browser.elements(".gpus tbody tr").size());
    browser.click("button[data-value=wall]");
  }

  @Test
  void the_page_has_no_serious_faults_for_a_screen_reader() throws Exception {
    browser.awaitText("2 GPUs on 1 node");
    assertEquals(List.of(), browser.seriousFaults());
  }

  @Test
  void a_port_that_is_in_use_is_said_and_the_usual_one_is_left_alone() throws Exception {
    String port = command.out().replaceAll("(?s)http://127.0.0.1:(\\d+)/.*", "$1");
    Result second = service.cli("ui", "--port", port, "--no-browser");
    assertEquals(1, second.code(), second::toString);
    assertTrue(second.err().contains("port " + port + " is in use"), second::toString);
    assertEquals(2, service.cli("ui", "--port", "70000").code());
    assertTrue(command.err().contains("ssh -N -L " + port + ":127.0.0.1:" + port), command::err);
    assertFalse(command.out().contains("remuda:"), command::out);
  }
}
