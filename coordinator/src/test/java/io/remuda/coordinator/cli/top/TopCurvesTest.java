package io.remuda.coordinator.cli.top;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.json.JsonMapper;
import io.remuda.telemetry.render.BarStyle;
import java.io.IOException;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import java.util.Map;
import java.util.concurrent.CountDownLatch;
import java.util.function.BooleanSupplier;
import org.junit.jupiter.api.Test;

class TopCurvesTest {

  private static final BarStyle PLAIN = BarStyle.of(Map.of("LC_ALL", "C"));

  private static JsonNode answer(String... names) {
    return json("{\"series\":[" + String.join(",", names) + "]}");
  }

  private static String series(String name, String... curves) {
    return "{\"name\":\"" + name + "\",\"curves\":[" + String.join(",", curves) + "]}";
  }

  private static String curve(String metric, String means) {
    return "{\"metric\":\"" + metric + "\",\"mean\":[" + means + "]}";
  }

  private static JsonNode json(String text) {
    try {
      return JsonMapper.builder().build().readTree(text);
    } catch (IOException fault) {
      throw new IllegalArgumentException(text, fault);
    }
  }

  @Test
  void a_gpu_has_its_utilization_and_a_gap_where_nothing_is_known() {
    TopCurves.Drawing drawing = new TopCurves.Drawing(PLAIN);
    drawing.gpus(answer(series("GPU-a", curve("utilization", "0,0.5,null,1"))));
    assertEquals("_= #", drawing.curves().gpu("GPU-a"));
    assertEquals("", drawing.curves().gpu("GPU-b"));
  }

  @Test
  void a_job_has_the_mean_of_its_gpus_or_its_processors_against_the_most_it_used() {
    TopCurves.Drawing drawing = new TopCurves.Drawing(PLAIN);
    drawing.tasks(
        answer(
            series("7.0.1", curve("cpu", "8,8"), curve("gpuUtilization", "0,1")),
            series("7.1.1", curve("cpu", "8,8"), curve("gpuUtilization", "0,0")),
            series("8.0.1", curve("cpu", "0,null,4"), curve("gpuUtilization", "null,null,null"))));
    assertEquals("_=", drawing.curves().job(7));
    assertEquals("_ #", drawing.curves().job(8));
    assertFalse(drawing.curves().isEmpty());
    assertTrue(TopCurves.NONE.isEmpty());
  }

  private static void await(BooleanSupplier condition) throws InterruptedException {
    long end = System.nanoTime() + Duration.ofSeconds(60).toNanos();
    while (!condition.getAsBoolean()) {
      assertTrue(System.nanoTime() < end, "not within a minute");
      Thread.sleep(5);
    }
  }

  private static CurveFeed.OnScreen screen(List<String> gpus, Long... jobs) {
    return new CurveFeed.OnScreen(Pictures.NOW, gpus, List.of(jobs));
  }

  @Test
  void a_history_that_stands_still_holds_nobody_up() throws InterruptedException {
    CountDownLatch asked = new CountDownLatch(1);
    CountDownLatch answers = new CountDownLatch(1);
    CurveFeed.HistorySource slow =
        query -> {
          asked.countDown();
          answers.await();
          return answer(series("GPU-a", curve("utilization", "1")));
        };
    try (CurveFeed feed = new CurveFeed(slow, PLAIN)) {
      feed.want(screen(List.of("GPU-a")));
      asked.await();
      assertTrue(feed.curves().isEmpty(), "at once, though the server has not answered");
      answers.countDown();
      await(() -> feed.curves().gpu("GPU-a").equals("#"));
    }
  }

  @Test
  void only_what_is_on_the_screen_is_asked_for_by_the_clock_of_the_server()
      throws InterruptedException {
    List<String> asked = Collections.synchronizedList(new ArrayList<>());
    try (CurveFeed feed =
        new CurveFeed(
            query -> {
              asked.add(query);
              return answer();
            },
            PLAIN)) {
      feed.want(screen(List.of("GPU-a", "GPU-b"), 12L));
      await(() -> asked.size() == 2);
      long to = Pictures.NOW.getEpochSecond() + 1;
      String time = "&points=15&from=" + (to - 900) + "&to=" + to + "&name=";
      assertEquals(
          List.of(
              "kind=gpu&metric=utilization" + time + "GPU-a,GPU-b",
              "kind=task&metric=cpu,gpuUtilization" + time + "12"),
          asked);
    }
  }

  @Test
  void a_server_without_a_history_has_no_curves_and_is_asked_again_later()
      throws InterruptedException {
    List<String> asked = Collections.synchronizedList(new ArrayList<>());
    try (CurveFeed feed =
        new CurveFeed(
            query -> {
              asked.add(query);
              throw new IOException("404");
            },
            PLAIN)) {
      feed.want(screen(List.of("GPU-a")));
      await(() -> asked.size() == 1);
      feed.want(screen(List.of("GPU-b")));
      await(() -> asked.size() == 2);
      assertTrue(feed.curves().isEmpty());
    }
  }
}
