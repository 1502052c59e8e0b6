package io.remuda.coordinator.ui;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertNotEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import com.fasterxml.jackson.databind.node.ObjectNode;
import io.remuda.coordinator.testkit.Chromium;
import java.io.IOException;
import java.nio.file.Path;
import java.time.Instant;
import java.util.List;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;
import org.openqa.selenium.Keys;
import org.openqa.selenium.WebElement;

/** What a reader does with keys and presses, and what the page says of it. */
@Timeout(600)
class PageUseIT {
  @TempDir private static Path shared;
  private static StagedServer server;
  private static PageServer page;
  private static Chromium browser;

  @BeforeAll
  static void open() throws IOException {
    server = StagedLab.stage(new StagedServer());
    server.says("/jobs/12/cancel", StagedServer.JSON.createObjectNode());
    page = PageServer.listen(0, server, () -> {});
    browser = Chromium.start(shared);
    browser.open(page.link());
    browser.awaitText("12 GPUs on 3 nodes");
  }

  @BeforeEach
  void onADesk() {
    browser.size(1120, 760);
  }

  @AfterAll
  static void end() {
    browser.close();
    page.close();
  }

  private static void go(String hash) {
    browser.script("location.hash = arguments[0]", hash);
  }

  @Test
  void arrow_keys_move_over_the_parts_of_a_drawing_and_their_words_stand_below() {
    go("#/timeline");
    browser.await("spans", () -> !browser.elements("figure.drawing g title").isEmpty());
    browser.script("document.querySelector('figure.drawing').focus()");
    browser.press(Keys.ARROW_RIGHT);
    String first = words();
    assertTrue(first.startsWith("task "), first);
    browser.press(Keys.ARROW_RIGHT);
    assertNotEquals(first, words());
    browser.press(Keys.ARROW_DOWN);
    assertEquals(1, browser.elements(".chosen-part").size());
    browser.press(Keys.HOME);
    assertEquals(first, words());
    browser.press(Keys.ENTER);
    String job = first.replaceAll("task (\\d+)\\..*", "$1");
    assertTrue(browser.address().endsWith("#/job/" + job), browser::address);
    go("#/job/12");
    browser.await("curves", () -> !browser.elements("figure.drawing path.l title").isEmpty());
    browser.click("figure.drawing g:has(title)");
    assertTrue(words().matches("(waited|try) .*"), PageUseIT::words);
  }

  /** Returns what stands below the first drawing. */
  private static String words() {
    return browser.element("figure.drawing .drawing-words").getText();
  }

  @Test
  void a_job_that_never_started_waited_until_it_ended() throws Exception {
    String now = "Date.parse('2026-11-01T12:00:00Z') / 1000";
    Object waited =
        browser.script(
            "return import('/lib/job.js').then(its => its.waitedSeconds({submittedAt:"
                + " '2026-11-01T10:00:00Z', startedAt: null, endedAt: '2026-11-01T10:04:00Z'}, "
                + now
                + "))");
    assertEquals(240L, waited);
  }

  @Test
  void an_arrow_says_the_order_that_is_shown_and_blanks_come_last_in_both() {
    go("#/queue");
    browser.awaitText("llama-finetune");
    browser.click("th.number:nth-last-child(4) button");
    assertEquals("descending", ranHead().getAttribute("aria-sort"));
    assertEquals("20", firstJob());
    assertEquals("", lastRan());
    browser.click("th.number:nth-last-child(4) button");
    assertEquals("ascending", ranHead().getAttribute("aria-sort"));
    assertEquals("14", firstJob());
    assertEquals("", lastRan());
  }

  private static WebElement ranHead() {
    WebElement head = browser.element("th.number:nth-last-child(4)");
    assertEquals("Ran", head.getText());
    return head;
  }

  private static String firstJob() {
    return browser.element(".jobs tbody tr .column-job").getText();
  }

  private static String lastRan() {
    List<WebElement> all = browser.elements(".jobs tbody tr .column-ran");
    return all.get(all.size() - 1).getText();
  }

  @Test
  void escape_closes_what_is_said_of_a_gpu() {
    go("#/cluster");
    browser.await("wall", () -> !browser.elements(".wall-canvas").isEmpty());
    browser.script("document.querySelector('.wall-canvas').focus()");
    browser.press(Keys.HOME, Keys.ENTER);
    browser.awaitText("lab7 · GPU 0");
    browser.press(Keys.ESCAPE);
    browser.awaitNoText("lab7 · GPU 0");
    assertFalse(browser.address().contains("gpu="), browser::address);
  }

  @Test
  void home_on_the_slider_is_the_beginning_of_the_span_that_is_shown() {
    go("#/timeline?since=15m");
    browser.await("slider", () -> Long.parseLong(attribute("max")) > 1_000_000);
    browser.script("document.querySelector('.slider').focus()");
    browser.press(Keys.HOME);
    browser.await("moment", () -> browser.address().contains("at="));
    long at = Long.parseLong(browser.address().replaceAll(".*at=(\\d+).*", "$1"));
    browser.await("later", () -> Instant.now().getEpochSecond() > at + 902);
    assertEquals(at, Long.parseLong(attribute("min")));
    assertEquals(at + 900, Long.parseLong(attribute("max")));
  }

  private static String attribute(String name) {
    return browser.element(".slider").getAttribute(name);
  }

  @Test
  void an_attempt_says_its_gpus_with_the_way_to_them_and_the_table_says_whose_they_are() {
    go("#/job/12");
    browser.awaitText("lab7:0, lab8:2");
    browser.click("tbody a[href*='gpu=']");
    browser.awaitText("lab7 · GPU 0");
    go("#/cluster?show=table");
    browser.await(
        "whose",
        () -> browser.has(".gpus tbody tr", row -> row.getText().contains("12, 13, 14 ann")));
  }

  @Test
  void what_was_done_is_said_for_some_seconds() {
    ObjectNode job = StagedServer.JSON.createObjectNode();
    job.put("id", 12).put("name", "lr-0.1").put("user", "ann").put("state", "running");
    job.put("tasks", 1).put("submittedAt", Instant.now().minusSeconds(60).toString());
    job.putObject("counts").put("running", 1);
    job.putObject("terms").putObject("ending").put("graceMillis", 45_000);
    server.says("/jobs/12", job);
    go("#/job/12");
    browser.click(".actions .harm");
    browser.awaitText("is killed after its grace of 45 s");
    assertFalse(browser.text().contains("What waits never starts"), browser::text);
    browser.click("dialog button.harmful");
    browser.awaitText("job 12 is cancelled");
    browser.awaitNoText("job 12 is cancelled");
    browser.await(
        "again", () -> browser.has(".actions button", b -> b.getText().equals("Submit again…")));
    browser.click(".actions button:not(.harm):nth-last-child(2)");
    browser.awaitText("A new job of ann does the same");
    browser.press(Keys.ESCAPE);
  }
}
