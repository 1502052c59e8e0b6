package io.remuda.coordinator.ui;

import static java.nio.charset.StandardCharsets.UTF_8;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;

import com.fasterxml.jackson.databind.node.ObjectNode;
import io.remuda.coordinator.testkit.Chromium;
import java.io.IOException;
import java.nio.file.Path;
import java.time.Instant;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;
import org.openqa.selenium.Keys;

/** Rules of the page's modules, called within a browser, and what its views make of faults. */
@Timeout(600)
class PageRulesIT {
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

  @AfterAll
  static void end() {
    browser.close();
    page.close();
  }

  /** Runs code that has a module as {@code its} and returns text. */
  private static String with(String module, String code) {
    return (String)
        browser.script("return import('/" + module + "').then(async (its) => {" + code + "})");
  }

  @Test
  void memory_whose_use_nobody_knows_is_neither_unused_nor_free() {
    String pieces =
        "return its.memoryPieces(gpu).map(p => `${p.kind} ${p.job} ${p.bytes}`).join(', ')";
    assertEquals(
        "used 1 20, unknown 2 30, unknown 0 10, lent 1 20",
        with(
            "lib/gpu.js",
            "const gpu = {memoryBytes: 100, usedBytes: 60, otherBytes: null, holders: ["
                + "{job: 1, usedBytes: 20, reservedBytes: 40}, {job: 2, usedBytes: null,"
                + " reservedBytes: 30}]};"
                + pieces));
    assertEquals(
        "unknown 0 100",
        with(
            "lib/gpu.js",
            "const gpu = {memoryBytes: 100, usedBytes: null, otherBytes: null, holders: []};"
                + pieces));
    assertEquals(
        "used 1 20, foreign 0 5, lent 1 75",
        with(
            "lib/gpu.js",
            "const gpu = {memoryBytes: 100, usedBytes: 25, otherBytes: 5, holders: ["
                + "{job: 1, usedBytes: 20, reservedBytes: 40, whole: true}]};"
                + pieces));
  }

  @Test
  void what_is_asked_for_once_or_after_a_fault_is_never_asked_for_at_once_again() {
    assertEquals(
        "none, 2000, 4000, 6000, 8000, 10000, 10000",
        with(
            "lib/refresh.js",
            """
            const pauses = [];
            const real = window.setTimeout;
            window.setTimeout = (listener, millis) => { pauses.push(millis); return 0; };
            try {
              let good = true;
              const refresh = new its.Refresh(async () => { if (!good) throw Error(); },
                () => {}, Infinity);
              await refresh.run(new AbortController().signal);
              const said = [pauses.length === 0 ? 'none' : pauses];
              good = false;
              for (let i = 0; i < 6; i++) await refresh.run(new AbortController().signal);
              refresh.close();
              return said.concat(pauses).join(', ');
            } finally {
              window.setTimeout = real;
            }
            """));
  }

  @Test
  void what_is_drawn_again_keeps_the_focus() {
    assertEquals(
        "two",
        with(
            "lib/dom.js",
            """
            const list = document.createElement('div');
            document.body.append(list);
            const make = () => its.fill(list, ['one', 'two'].map((name) => its.h('button', {}, name)));
            make();
            list.children[1].focus();
            make();
            const focused = document.activeElement.textContent;
            list.remove();
            return focused;
            """));
  }

  @Test
  void earlier_output_comes_once_however_often_it_is_asked_for() {
    assertEquals(
        "earlier, later",
        with(
            "part/log.js",
            """
            const log = new its.Log(() => {});
            let release;
            const held = new Promise((resolve) => { release = resolve; });
            log.text.append('later');
            log.start = 9;
            log.read = async () => { await held; return { bytes: new TextEncoder().encode('earlier, ') }; };
            const both = [log.loadEarlier(), log.loadEarlier()];
            release();
            await Promise.all(both);
            log.close();
            return log.text.textContent;
            """));
  }

  private static void goToPast(String since) {
    browser.script("location.hash = '#/queue'");
    browser.awaitText("Not ended");
    long at = Instant.now().getEpochSecond() - 600;
    browser.script("location.hash = '#/timeline?since=" + since + "&at=" + at + "'");
    browser.awaitText("The cluster at that moment");
  }

  @Test
  void what_ran_at_a_moment_is_not_known_while_nobody_says() {
    server.refuses("/timeline", 500);
    try {
      goToPast("1h");
      browser.awaitText("who had the 12 GPUs is not known");
      assertFalse(browser.text().contains("0 of 12 GPUs held"), browser::text);
    } finally {
      server.refuses("/timeline", 0);
    }
    browser.awaitText(" of 12 GPUs held");
  }

  @Test
  void spans_that_are_left_out_are_said_and_leave_no_gpu_free() {
    server.says(
        "/timeline",
        query -> {
          ObjectNode answer = StagedServer.JSON.createObjectNode().put("more", true);
          answer.putArray("spans");
          answer.putArray("gaps");
          return answer;
        });
    try {
      goToPast("1h");
      browser.awaitText("short spans are left out");
      assertTrue(browser.text().contains("who had the 12 GPUs is not known"), browser::text);
    } finally {
      StagedLab.stage(server);
    }
  }

  @Test
  void tasks_that_are_not_in_the_table_are_counted_and_one_of_them_is_found_by_its_address()
      throws IOException {
    String job = new String(server.ask("GET", "/jobs/12", null).body().readAllBytes(), UTF_8);
    ObjectNode large = ((ObjectNode) StagedServer.JSON.readTree(job)).put("tasks", 5000);
    server.says("/jobs/12", large);
    server.says(
        "/jobs/12/tasks",
        query -> {
          boolean one = query.contains("first=4999");
          ObjectNode answer = StagedServer.JSON.createObjectNode();
          ObjectNode task = answer.putArray("tasks").addObject().put("attempt", 1);
          task.put("index", one ? 4999 : 0).put("state", "running").put("node", one ? "far" : "n");
          return one ? answer : answer.put("next", 1);
        });
    try {
      browser.script("location.hash = '#/job/12'");
      browser.awaitText("4999 of its 5000 tasks are not in this table");
      browser.script("location.hash = '#/job/12?task=4999'");
      browser.awaitText("far");
      browser.awaitText("4998 of its 5000 tasks are not in this table");
    } finally {
      StagedLab.stage(server);
    }
  }

  @Test
  void a_drawing_of_another_gpu_does_not_stay_where_there_is_none_of_this_one() {
    browser.script("location.hash = '#/cluster'");
    browser.awaitText("12 GPUs on 3 nodes");
    browser.script("document.querySelector('.wall-canvas').focus()");
    browser.press(Keys.HOME);
    browser.press(Keys.ENTER);
    browser.await("a drawing", () -> !browser.elements(".details svg").isEmpty());
    server.refuses("/history", 500);
    try {
      browser.script("document.querySelector('.wall-canvas').focus()");
      browser.press(Keys.END);
      browser.press(Keys.ENTER);
      browser.await("its end", () -> browser.elements(".details svg").isEmpty());
    } finally {
      server.refuses("/history", 0);
    }
    browser.await("a drawing", () -> !browser.elements(".details svg").isEmpty());
  }

  @Test
  void readings_of_a_moment_are_asked_for_again_after_a_fault() {
    server.refuses("/history", 500);
    try {
      goToPast("24h"); // which is refreshed minutes later
      browser.awaitText("no readings of that moment");
    } finally {
      server.refuses("/history", 0);
    }
    browser.awaitNoText("no readings of that moment");
  }
}
