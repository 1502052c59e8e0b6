package io.remuda.coordinator.ui;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.remuda.coordinator.testkit.Chromium;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import java.util.concurrent.CountDownLatch;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.openqa.selenium.By;
import org.openqa.selenium.Keys;
import org.openqa.selenium.WebElement;

/**
 * Each view over what a staged server says, in both themes, on a desk and on a telephone. The
 * pictures of docs/ui.md and of the README are those that it leaves in {@code target/pictures}.
 */
@Timeout(600)
class PageViewsIT {
  private static final int WIDE = 1120;
  private static final int NARROW = 360;
  private static final Path PICTURES = Path.of("target", "pictures");

  /** The views with a text that is there when all of them is. */
  private static final Map<String, String> VIEWS =
      Map.of(
          "cluster", "llama-finetune",
          "queue", "llama-finetune",
          "job/17", "Who holds what it wants",
          "job/12", "epoch 39",
          "timeline", "What ran where",
          "people", "29 GiB by jupyter");

  /** Drawings of the views that have some; a fault in place of one is none. */
  private static final Map<String, Integer> DRAWINGS = Map.of("job/12", 2, "timeline", 2);

  @TempDir private static Path shared;
  private static StagedServer server;
  private static PageServer page;
  private static Chromium browser;

  @BeforeAll
  static void open() throws IOException {
    Files.createDirectories(PICTURES);
    server = StagedLab.stage(new StagedServer());
    page = PageServer.listen(0, server, () -> {});
    browser = Chromium.start(shared);
    browser.open(page.link());
    browser.awaitText("12 GPUs on 3 nodes");
  }

  @AfterAll
  static void end() {
    browser.close();
    page.close();
  }

  private static void show(String view, int width, String theme) {
    browser.size(width, width == WIDE ? 760 : 780);
    browser.script(
        "document.documentElement.dataset.theme = arguments[0];"
            + "document.dispatchEvent(new Event('remuda-theme'));"
            + "location.hash = '#/' + arguments[1]",
        theme,
        view);
    browser.awaitText(VIEWS.get(view));
    browser.await("drawings", () -> isDrawn(view));
  }

  private static boolean isDrawn(String view) {
    List<WebElement> shown =
        browser.elements("figure.drawing").stream().filter(WebElement::isDisplayed).toList();
    return shown.size() == DRAWINGS.getOrDefault(view, 0)
        && shown.stream()
            .allMatch(figure -> figure.findElements(By.cssSelector("svg")).size() == 1);
  }

  @ParameterizedTest
  @CsvSource({"cluster", "queue", "job/17", "job/12", "timeline", "people"})
  void a_view_is_for_eyes_and_ears_in_both_themes_and_on_a_telephone(String view)
      throws IOException {
    for (String theme : List.of("light", "dark")) {
      show(view, WIDE, theme);
      browser.picture(PICTURES.resolve(view.replace('/', '-') + "-" + theme + ".png"));
      assertEquals(List.of(), browser.seriousFaults(), theme);
    }
    show(view, NARROW, "light");
    browser.picture(PICTURES.resolve(view.replace('/', '-') + "-narrow.png"));
    assertEquals(List.of(), browser.seriousFaults());
    long width = (Long) browser.script("return document.documentElement.scrollWidth");
    assertTrue(width <= NARROW, () -> view + " is " + width + " wide");
  }

  @Test
  void what_a_program_reports_is_drawn_beside_what_it_uses() {
    show("job/12", WIDE, "light");
    browser.await(
        "reported loss and GPU memory in one drawing",
        () ->
            browser.has(
                "figure.drawing svg",
                svg -> svg.getText().contains("reported loss") && svg.getText().contains("CPU")));
  }

  @Test
  void nothing_of_a_job_stays_under_the_title_of_the_next() throws Exception {
    show("job/17", WIDE, "light");
    browser.await("what can be done", () -> !browser.elements(".actions button").isEmpty());
    CountDownLatch held = server.holds("/jobs/12");
    try {
      browser.script("location.hash = '#/job/12'");
      browser.await("title", () -> browser.element("h1").getText().equals("Job 12"));
      assertEquals(List.of(), browser.elements(".actions button"), "they would be for job 17");
      assertFalse(browser.text().contains("Who holds what it wants"), browser::text);
    } finally {
      held.countDown();
    }
    browser.click(".actions .harm");
    browser.awaitText("Cancel job 12 ");
    browser.press(Keys.ESCAPE);
  }

  @Test
  void a_link_with_another_key_signs_nobody_out() {
    String address = "http://127.0.0.1:" + page.port() + "/";
    browser.open("about:blank");
    browser.open(address + "#key=" + "A".repeat(32));
    browser.awaitText("12 GPUs on 3 nodes");
    browser.open("about:blank");
    browser.open(address + "#/cluster");
    browser.awaitText("12 GPUs on 3 nodes");
  }

  @Test
  void a_server_that_is_away_is_said_and_what_was_known_stays_until_it_is_back() {
    show("cluster", WIDE, "light");
    server.isAway(true);
    browser.awaitText("The server does not answer since");
    browser.awaitText("12 GPUs on 3 nodes");
    server.isAway(false);
    browser.awaitNoText("The server does not answer since");
  }

  @Test
  void a_gpu_is_chosen_by_keys_and_told_in_words() {
    show("cluster", WIDE, "light");
    browser.script("document.querySelector('.wall-canvas').focus()");
    browser.press(Keys.ARROW_RIGHT);
    browser.awaitText("lab7 GPU 0 · busy · use 93 %");
    browser.press(Keys.ENTER);
    browser.awaitText("lr-0.1 of ann: uses 40 GiB of 44 GiB");
    browser.click(".details button[aria-label=Close]");
    browser.awaitNoText("lr-0.1 of ann: uses");
  }

  @Test
  void a_thousand_nodes_are_drawn_where_they_are_seen() throws IOException {
    StagedServer large = new StagedServer().says("/top", query -> StagedCluster.large(1000, 1));
    large.says("/jobs", StagedServer.JSON.createObjectNode());
    try (PageServer second = PageServer.listen(0, large, () -> {})) {
      browser.size(WIDE, 860);
      browser.open(second.link());
      browser.awaitText("8000 GPUs on 1000 nodes");
      long height = (Long) browser.script("return document.querySelector('.wall-canvas').height");
      assertTrue(height <= 860, () -> "the canvas is " + height + " high");
      browser.type("[data-filter]", "n0042");
      browser.awaitText("8 of 8000 GPUs");
    } finally {
      browser.open("http://127.0.0.1:" + page.port() + "/#/cluster");
    }
  }
}
