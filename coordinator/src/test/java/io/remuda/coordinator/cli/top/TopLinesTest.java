package io.remuda.coordinator.cli.top;

import static io.remuda.coordinator.cli.top.Pictures.gpu;
import static io.remuda.coordinator.cli.top.Pictures.gpus;
import static io.remuda.coordinator.cli.top.Pictures.job;
import static io.remuda.coordinator.cli.top.Pictures.jobs;
import static io.remuda.coordinator.cli.top.Pictures.shared;
import static io.remuda.coordinator.cli.top.Pictures.troubled;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.remuda.telemetry.render.BarStyle;
import java.time.ZoneOffset;
import java.util.List;
import java.util.Map;
import java.util.OptionalInt;
import org.jline.utils.AttributedString;
import org.junit.jupiter.api.Test;

class TopLinesTest {

  private static List<String> screen(
      TopScreenData picture, int width, int rows, ScrollPosition scroll) {
    return lines(picture, width, rows, scroll, "").stream()
        .map(line -> line.toString().stripTrailing())
        .toList();
  }

  static List<AttributedString> lines(
      TopScreenData picture, int width, int rows, ScrollPosition scroll, String notice) {
    TopLayout layout =
        TopLayout.of(
            rows,
            picture.gpus().size(),
            picture.jobs().size(),
            picture.running() + picture.waiting(),
            scroll);
    return TopLines.screen(
        picture, TopCurves.NONE, width, rows, layout, scroll, 0, ZoneOffset.UTC, notice);
  }

  private static List<String> once(TopScreenData picture, OptionalInt width) {
    return TopText.of(picture, width, ZoneOffset.UTC, true);
  }

  private static TopScreenData twoNodes() {
    return Pictures.of(
        List.of(
            gpu("lab7", 0, 50, 10, shared(1, 60, 25), shared(2, 20, 15)),
            gpu("lab7", 1, 0, 0),
            troubled("lab8", true, "")),
        List.of(
            job(1, "train", "running", ""),
            job(2, "\u65e5\u672c\u8a9e", "running", ""),
            job(30, "late", "waiting", "lab7: 0 of 2 GPUs free, wanted 1")));
  }

  @Test
  void at_80_by_24_there_is_a_bar_for_each_gpu_and_a_line_for_each_job() {
    List<String> screen = screen(twoNodes(), 80, 24, ScrollPosition.TOP);
    assertEquals(24, screen.size());
    assertEquals(
        List.of(
            "3 nodes, 1 silent  3 GPUs, 1 free  jobs: 2 running, 1 waiting           10:00:00",
            "NODE GPU  USE MEMORY: A used, a promised, # others, . free             GiB MODEL",
            "lab7   0  87% [BBBBBBBBBBBBCCCCCCC#####bbbbbbbbbbbbbbbbcc.....] 50.0/100.0 H200",
            "lab7   1  87% [...............................................]  0.0/100.0 H200",
            "lab8   -  n/a the node does not answer                                 n/a H200",
            "  JOB NAME   USER STATE      TIME REASON",
            "B 1   train  ann  running      3m",
            "C 2   \u65e5\u672c\u8a9e ann  running      3m",
            "  30  late   ann  waiting      3m lab7: 0 of 2 GPUs free, wanted 1"),
        screen.subList(0, 9));
    assertTrue(screen.subList(9, 23).stream().allMatch(String::isEmpty), screen::toString);
    assertEquals(
        " h help  q quit  Tab GPUs or jobs  arrows  l logs  k cancel  u user  / find",
        screen.get(23));
  }

  private static TopScreenData.Gpu drained(TopScreenData.Gpu gpu, String reason) {
    return new TopScreenData.Gpu(
        gpu.node(),
        false,
        gpu.number(),
        gpu.model(),
        "draining",
        reason,
        gpu.health(),
        gpu.total(),
        gpu.used(),
        gpu.parts(),
        gpu.others(),
        gpu.utilization(),
        gpu.celsius(),
        gpu.watts(),
        gpu.uuid());
  }

  @Test
  void a_drained_gpu_says_so_in_place_of_its_bar_or_of_its_model_while_it_has_a_task() {
    TopScreenData picture =
        Pictures.of(
            List.of(
                drained(gpu("lab7", 0, 50, 10, shared(1, 60, 40)), "a fan"),
                drained(gpu("lab7", 1, 0, 0), "a fan"),
                drained(gpu("lab7", 2, 0, 0), "")),
            List.of());
    List<String> screen = screen(picture, 100, 24, ScrollPosition.TOP);
    assertTrue(screen.get(0).contains("3 GPUs, 3 draining  jobs"), screen.get(0));
    assertTrue(
        screen.get(2).matches("lab7   0  87% \\[.*B+.*]  ?50.0/100.0 drai.*"), screen.get(2));
    assertTrue(screen.get(3).startsWith("lab7   1  87% draining: a fan  "), screen.get(3));
    assertTrue(screen.get(4).startsWith("lab7   2  87% draining  "), screen.get(4));
  }

  @Test
  void of_forty_gpus_those_that_fit_are_shown_and_the_rest_is_counted() {
    TopScreenData picture = Pictures.of(gpus(40), jobs(50));
    List<String> top = screen(picture, 80, 24, ScrollPosition.TOP);
    assertEquals(24, top.size());
    assertTrue(top.get(2).startsWith("node0   0"), top::toString);
    assertEquals("   GPUs 1-13 of 40: arrows, PgUp, PgDn", top.get(15));
    assertEquals("   jobs 1-5 of 50: Tab, then arrows", top.get(22));
    List<String> end = screen(picture, 80, 24, new ScrollPosition(1000, 0, false));
    assertEquals("   GPUs 28-40 of 40: arrows, PgUp, PgDn", end.get(15));
    assertTrue(end.get(14).startsWith("node4   7"), end::toString);
  }

  @Test
  void printed_once_all_lines_are_there_and_nothing_is_cut() {
    TopScreenData picture = Pictures.of(gpus(40), jobs(50));
    List<String> all = once(picture, OptionalInt.empty());
    assertEquals(2 + 40 + 1 + 1 + 50, all.size());
    String reason = "n1: no; ".repeat(60);
    assertTrue(
        once(Pictures.of(List.of(), List.of(job(1, "x", "waiting", reason))), OptionalInt.empty())
            .toString()
            .contains(reason.strip()));
  }

  @Test
  void quiet_prints_the_lines_without_what_they_mean() {
    assertEquals(6, TopText.of(twoNodes(), OptionalInt.of(80), ZoneOffset.UTC, false).size());
  }

  @Test
  void jobs_beyond_those_that_were_named_are_counted() {
    TopScreenData picture = Pictures.withoutNote(Pictures.NOW, 1, 0, List.of(), 3, 5000, jobs(3));
    List<String> all = once(picture, OptionalInt.of(80));
    assertEquals("and 5000 more jobs: remuda state --json lists them all", all.get(all.size() - 1));
    assertTrue(
        screen(picture, 80, 24, ScrollPosition.TOP)
            .contains("   jobs 1-3 of 5003: Tab, then arrows"));
  }

  @Test
  void nothing_is_said_in_words() {
    List<String> lines =
        once(
            Pictures.withoutNote(Pictures.NOW, 0, 0, List.of(), 0, 0, List.of()),
            OptionalInt.of(80));
    assertTrue(lines.contains("no node has joined"), lines::toString);
    assertTrue(lines.contains("no jobs"), lines::toString);
  }

  @Test
  void a_gpu_without_readings_says_why_it_has_no_bar() {
    List<String> lines =
        once(
            Pictures.of(
                List.of(
                    troubled("n1", true, "ok"),
                    troubled("n2", false, ""),
                    troubled("n3", false, "lost"),
                    troubled("n4", false, "stale"),
                    troubled("n5", false, "ok")),
                List.of()),
            OptionalInt.of(80));
    assertTrue(lines.get(2).contains(" n/a the node does not answer "), lines::toString);
    assertTrue(lines.get(3).contains(" n/a no reading yet "), lines::toString);
    assertTrue(lines.get(4).contains(" n/a lost: the driver reports it as gone "), lines::toString);
    assertTrue(lines.get(5).contains(" n/a the driver does not answer "), lines::toString);
    assertTrue(lines.get(6).contains(" n/a its memory is not known "), lines::toString);
  }

  @Test
  void trouble_takes_the_place_of_the_counts() {
    assertEquals(
        "no server answers" + " ".repeat(80 - 17 - 8) + "10:00:00",
        lines(twoNodes(), 80, 24, ScrollPosition.TOP, "no server answers").get(0).toString());
  }

  @Test
  void wide_names_keep_the_columns_in_line() {
    List<AttributedString> lines = lines(twoNodes(), 80, 24, ScrollPosition.TOP, "");
    for (int i = 6; i < 9; i++) {
      AttributedString state = lines.get(i).columnSubSequence(18, 27);
      assertTrue(
          List.of("running  ", "waiting  ").contains(state.toString()), lines.get(i)::toString);
    }
  }

  @Test
  void a_tiny_terminal_has_what_fits() {
    for (int rows = 1; rows < 8; rows++) {
      assertTrue(screen(twoNodes(), 20, rows, ScrollPosition.TOP).size() <= rows);
    }
  }

  private static List<String> withCurves(int width) {
    TopScreenData.Gpu gpu =
        TopScreenData.of(
                Pictures.answer(
                    """
                    {"time": "2026-01-01T10:00:00Z", "nodes": [{"name": "lab7", "state": "ready"}],
                     "gpus": [{"node": "lab7", "number": "0", "uuid": "GPU-a",
                       "model": "NVIDIA H200", "state": "shared", "health": "ok",
                       "memoryBytes": 100, "usedBytes": 0, "otherBytes": 0, "utilization": 87,
                       "temperatureCelsius": 61, "powerWatts": 250.4, "holders": []}]}
                    """))
            .gpus()
            .get(0);
    TopScreenData picture =
        Pictures.of(List.of(gpu), List.of(job(1, "train", "running", "because")));
    TopCurves.Drawing drawing = new TopCurves.Drawing(BarStyle.of(Map.of("LC_ALL", "C")));
    drawing.gpus(Pictures.answer("{'series':[{'name':'GPU-a','curves':[{'mean':[0,0.5,1]}]}]}"));
    drawing.tasks(
        Pictures.answer(
            "{'series':[{'name':'1.0.1','curves':[{'metric':'gpuUtilization','mean':[1,0,1]}]}]}"));
    TopLayout layout = TopLayout.of(20, 1, 1, 1, ScrollPosition.TOP);
    return TopLines.screen(
            picture, drawing.curves(), width, 20, layout, ScrollPosition.TOP, 0, ZoneOffset.UTC, "")
        .stream()
        .map(line -> line.toString().stripTrailing())
        .toList();
  }

  @Test
  void a_wide_screen_has_a_curve_for_each_gpu_and_job() {
    List<String> screen = withCurves(130);
    assertTrue(screen.get(1).endsWith(" TEMP POWER LAST 15 MIN"), screen.get(1));
    assertTrue(screen.get(2).endsWith("  61C  250W _=#"), screen.get(2));
    assertTrue(screen.get(3).contains(" TIME LAST 15 MIN     REASON"), screen.get(3));
    assertTrue(screen.get(4).endsWith("   3m #_#             because"), screen.get(4));
    assertTrue(screen.stream().allMatch(line -> line.length() <= 130), screen::toString);
  }

  @Test
  void a_narrow_screen_is_as_it_was_without_curves() {
    for (int width : List.of(60, 80, 100)) {
      List<String> screen = withCurves(width);
      assertTrue(screen.stream().noneMatch(line -> line.contains("LAST")), screen::toString);
      assertTrue(screen.stream().noneMatch(line -> line.contains("_=#")), screen::toString);
    }
  }
}
