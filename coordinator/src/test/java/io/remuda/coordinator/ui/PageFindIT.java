package io.remuda.coordinator.ui;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;

import com.fasterxml.jackson.databind.node.ArrayNode;
import com.fasterxml.jackson.databind.node.ObjectNode;
import io.remuda.coordinator.testkit.Chromium;
import java.io.IOException;
import java.nio.file.Path;
import java.util.List;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;
import org.openqa.selenium.WebElement;

/** What a reader finds in the views, and how one leads to the next. */
@Timeout(600)
class PageFindIT {
  @TempDir private static Path shared;
  private static StagedServer server;
  private static PageServer page;
  private static Chromium browser;

  @BeforeAll
  static void open() throws IOException {
    server = StagedLab.stage(new StagedServer());
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

  private static List<String> texts(String css) {
    return browser.elements(css).stream().map(WebElement::getText).toList();
  }

  @Test
  void a_job_has_one_colour_in_all_views() {
    go("#/cluster");
    browser.awaitText("llama-finetune");
    Object letter =
        browser.script(
            "const row = [...document.querySelectorAll('.live tr')].find(r =>"
                + " r.querySelector('.column-job')?.textContent === '12');"
                + "return getComputedStyle(row.querySelector('.letter')).backgroundColor");
    go("#/timeline");
    browser.await("spans", () -> !browser.elements("figure.drawing g title").isEmpty());
    Object span =
        browser.script(
            "const part = [...document.querySelectorAll('figure.drawing g')].find(g =>"
                + " g.querySelector('title')?.textContent.startsWith('task 12.'));"
                + "return getComputedStyle(part.querySelector('rect')).fill");
    assertEquals(letter, span);
  }

  @Test
  void the_jobs_of_the_cluster_are_those_of_the_filter_and_say_when_they_should_start() {
    go("#/cluster");
    browser.await(
        "expected start",
        () ->
            browser.has(
                ".live tr",
                row -> row.getText().contains("llama-finetune") && row.getText().contains("~ ")));
    go("#/cluster?filter=cleo");
    browser.await("filter", () -> texts(".live td.column-user").equals(List.of("cleo", "cleo")));
    go("#/cluster");
    browser.size(360, 780);
    browser.awaitText("a place is kept for it");
    assertTrue(browser.text().contains("Colour"), "a group of buttons has its label");
  }

  @Test
  void a_gpu_that_is_held_and_idle_leads_to_what_mends_it() {
    go("#/cluster?show=table");
    browser.click(".gpus a[href*='people']");
    browser.await("its row", () -> texts("tr.chosen").toString().contains("remuda cancel 20"));
  }

  @Test
  void a_job_that_waits_names_those_before_it_and_its_holders_once() {
    ObjectNode why = StagedServer.JSON.createObjectNode().put("turn", 2);
    ArrayNode text = why.putArray("text");
    text.add("lab7: 0 of 4 GPUs free, wanted 2");
    text.add("lab7: job 15 (resnet-152, cleo) holds 8 CPUs, 2 GPUs, without a time limit");
    ObjectNode holder = why.putArray("holders").addObject();
    holder.put("node", "lab7").put("job", 15).put("name", "resnet-152").put("user", "cleo");
    holder.put("gpus", 2).put("cpus", 8);
    server.says("/jobs/22/explain", why);
    go("#/job/22");
    browser.awaitText("Before it: job 17 llama-finetune of ann");
    browser.awaitText("Who holds what it wants");
    assertFalse(browser.text().contains("holds 8 CPUs"), browser::text);
  }

  @Test
  void what_is_not_there_is_said() {
    go("#/queue?filter=llama");
    browser.awaitText("1 of ");
    go("#/job/999");
    browser.awaitText("there is no /jobs/999");
    assertFalse(browser.text().contains("Attempts"), browser::text);
    browser.click(".crumbs a");
    browser.awaitText("1 of ");
    go("#/foo");
    browser.awaitText("There is no such page");
    browser.click("main a");
    browser.awaitText("12 GPUs on 3 nodes");
  }

  @Test
  void a_job_that_never_started_has_no_empty_curves() {
    ObjectNode tasks = StagedServer.JSON.createObjectNode();
    tasks.putArray("tasks").addObject().put("id", "24.0").put("index", 0).put("state", "held");
    tasks.putNull("next");
    server.says("/jobs/24/tasks", tasks);
    server.says("/jobs/24/explain", StagedServer.JSON.createObjectNode());
    go("#/job/24");
    browser.await("its line", () -> browser.elements("figure.drawing svg").size() == 1);
    assertEquals(
        1, browser.elements("figure.drawing").stream().filter(WebElement::isDisplayed).count());
  }

  @Test
  void the_slider_is_above_the_axis_and_the_panel_leaves_the_wall_as_it_is() {
    go("#/timeline");
    browser.await("drawings", () -> browser.elements("figure.drawing svg").size() == 2);
    Object away =
        browser.script(
            "const svg = document.querySelector('figure.drawing svg');"
                + "const x = svg.getBoundingClientRect().left + Number(svg.dataset.left);"
                + "const thumb = document.querySelector('.slider').getBoundingClientRect().left;"
                + "return Math.round(Math.abs(thumb + 8 - x))");
    assertEquals(0L, away);
    go("#/cluster");
    browser.await("wall", () -> !browser.elements(".wall-canvas").isEmpty());
    Object before = width();
    browser.click(".wall-canvas");
    browser.await("panel", () -> browser.has(".details", WebElement::isDisplayed));
    assertEquals(before, width());
  }

  private static Object width() {
    return browser.script("return document.querySelector('.wall').clientWidth");
  }

  @Test
  void words_on_the_wall_are_read_on_every_colour() {
    Object ink =
        browser.script("return import('/lib/contrast.js').then(its => its.inkOn([58, 156, 130]))");
    assertEquals("#10201b", ink);
  }
}
