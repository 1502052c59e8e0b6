package io.remuda.coordinator.ui;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertNotEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.remuda.coordinator.testkit.BegunCommand;
import io.remuda.coordinator.testkit.Chromium;
import io.remuda.coordinator.testkit.Cluster;
import io.remuda.coordinator.testkit.Installation;
import io.remuda.coordinator.testkit.ServiceUnderTest.Result;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;
import org.openqa.selenium.Keys;

/** The page of a real server in a real browser. */
@Timeout(600)
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

  private static void go(String hash) {
    browser.script("location.hash = arguments[0]", hash);
  }

  @Test
  void the_link_opens_the_page_and_leaves_no_secret_in_the_address() {
    go("#/cluster");
    browser.awaitText("2 GPUs on 1 node");
    assertTrue(browser.address().endsWith("/#/cluster"), browser::address);
    assertEquals(List.of(), browser.said());
  }

  @Test
  void a_node_and_its_gpus_are_there_as_a_table_for_readers_of_words() {
    go("#/cluster");
    browser.click("button[data-value=table]");
    browser.awaitText("lab7");
    assertEquals(2, browser.elements(".gpus tbody tr").size());
    browser.click("button[data-value=wall]");
  }

  @Test
  void what_a_job_is_called_and_prints_never_becomes_markup() throws Exception {
    String evil = "<img src=x onerror=alert(1)>";
    long id = service.submit("echo '<script>alert(2)</script>'; sleep 1000", "name", evil);
    service.awaitState(id, "running");
    go("#/queue");
    browser.awaitText(evil);
    go("#/job/" + id);
    browser.awaitText("<script>alert(2)</script>");
    browser.awaitText("Job " + id + " " + evil);
    assertEquals(0L, browser.script("return document.querySelectorAll('main img').length"));
    browser.click("button.harm");
    browser.awaitText("Cancel job " + id + " \u201c" + evil);
    browser.click("dialog button.harmful");
    service.awaitState(id, "cancelled");
    browser.awaitText("cancelled");
  }

  @Test
  void the_output_of_a_task_follows_what_it_prints() throws Exception {
    Path go = shared.resolve("go-on");
    long id =
        service.submit(
            "echo first words; while ! [ -e " + go + " ]; do sleep 0.1; done; echo last words");
    go("#/job/" + id);
    browser.await("first words", () -> log().equals("first words"));
    Files.createFile(go);
    browser.await("last words", () -> log().equals("first words\nlast words"));
    browser.awaitText("succeeded");
  }

  private static String log() {
    return browser.element("pre.log").getText().strip();
  }

  @Test
  void a_job_is_cancelled_only_after_a_question() throws Exception {
    long id = service.submit("sleep 1000", "name", "dear", "gpus", 2);
    service.submit("sleep 1000", "name", "next", "gpus", 2);
    service.awaitState(id, "running");
    go("#/queue?filter=dear");
    browser.awaitText("1 of ");
    browser.click("button[aria-label='Cancel job " + id + "']");
    browser.awaitText("Cancel job " + id + " \u201cdear\u201d");
    browser.press(Keys.ENTER); // the focus is on the harmless answer
    browser.await("end of the question", () -> browser.elements("dialog").isEmpty());
    assertEquals("running", service.client().get("/jobs/" + id).path("state").asText());
    go("#/queue");
    browser.awaitText("next");
    browser.click("thead input[type=checkbox]");
    browser.click(".bulk .harm");
    browser.awaitText("dear");
    browser.click("dialog button.harmful");
    service.awaitState(id, "cancelled");
    browser.awaitText("No job waits or runs");
  }

  @Test
  void a_link_shows_the_same_filter_and_order() {
    go("#/queue?state=all&user=nobody&sort=-name");
    browser.awaitText("No job is like that");
    browser.awaitText("user: nobody");
    assertEquals("true", browser.element("button[data-value=all]").getAttribute("aria-pressed"));
  }

  @Test
  void keys_lead_to_the_views_the_filter_and_help_and_the_theme_is_kept() {
    go("#/queue");
    browser.awaitText("Not ended");
    browser.press("1");
    browser.awaitText("2 GPUs on 1 node");
    browser.press("/");
    browser.press("lab8");
    browser.awaitText("No GPU is like that");
    browser.press(Keys.ESCAPE);
    browser.press("?");
    browser.awaitText("Keys and signs");
    browser.press(Keys.ESCAPE);
    browser.await("end of the help", () -> browser.elements("dialog").isEmpty());
    Object before = browser.script("return document.documentElement.dataset.theme");
    browser.press("t");
    Object after = browser.script("return document.documentElement.dataset.theme");
    assertNotEquals(before, after);
    browser.script("location.reload()");
    browser.awaitText("GPU");
    assertEquals(after, browser.script("return document.documentElement.dataset.theme"));
    browser.press("t");
  }

  @Test
  void the_page_has_no_serious_faults_for_a_screen_reader() throws Exception {
    go("#/cluster");
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
