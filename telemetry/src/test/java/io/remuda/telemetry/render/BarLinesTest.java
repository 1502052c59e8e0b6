package io.remuda.telemetry.render;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.util.List;
import java.util.Locale;
import java.util.stream.IntStream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

class BarLinesTest {
  private static final BarStyle BLOCKS = new BarStyle(true, false);
  private static final BarStyle ASCII = new BarStyle(false, false);
  private static final BarStyle COLOURED = new BarStyle(true, true);

  private static LabelledBar gpu(int index, Integer util, String more) {
    return new LabelledBar(
        LabelledBar.Kind.GPU,
        "pinoak0034 device " + index + " util",
        util == null ? null : util.doubleValue(),
        100,
        util == null ? "n/a" : util + "/100",
        more);
  }

  private static LabelledBar load(double load) {
    return new LabelledBar(
        LabelledBar.Kind.CPU,
        "pinoak0034 cpu load avg.",
        load,
        100,
        String.format(Locale.ROOT, "%.2f/100", load),
        "");
  }

  private static LabelledBar progress(double done, double total) {
    return new LabelledBar(LabelledBar.Kind.PROGRESS, "images", done, total, "some", "");
  }

  private static String line(LabelledBar bar, int width, BarStyle style) {
    return BarLines.of(List.of(bar), width, style).get(0);
  }

  /** What is between the two strokes. */
  private static String inside(String line) {
    return line.substring(line.indexOf('|') + 1, line.lastIndexOf('|'));
  }

  @Test
  void a_bar_reads_as_tqdm_would_write_it() {
    assertEquals(
        "pinoak0034 device 0 util:   9%|▉         | 9/100", line(gpu(0, 9, ""), 48, BLOCKS));
    assertEquals(
        "pinoak0034 device 0 util:   9%|9         | 9/100", line(gpu(0, 9, ""), 48, ASCII));
  }

  @Test
  void blocks_fill_in_eighths_rounded_down() {
    assertEquals(
        List.of("    ", "▏   ", "▍   ", "█   ", "█▋  ", "███▉", "████"),
        IntStream.of(0, 4, 12, 32, 52, 127, 128)
            .mapToObj(value -> inside(line(progress(value, 128), 23, BLOCKS)))
            .toList());
  }

  @Test
  void without_blocks_the_last_digit_counts_tenths() {
    assertEquals(
        List.of("    ", "1   ", "9   ", "#   ", "#5  ", "###9", "####"),
        IntStream.of(0, 1, 9, 10, 15, 39, 40)
            .mapToObj(value -> inside(line(progress(value, 40), 23, ASCII)))
            .toList());
  }

  @Test
  void every_whole_percentage_reads_as_the_value_that_it_is() {
    IntStream.rangeClosed(0, 100)
        .forEach(
            util -> {
              String line = line(gpu(0, util, ""), 140, ASCII);
              assertTrue(line.contains(String.format(Locale.ROOT, ": %3d%%|", util)), line);
              assertEquals(
                  "#".repeat(util / 2) + (util % 2 == 0 ? "" : "5"), inside(line).stripTrailing());
            });
  }

  @Test
  void nothing_is_said_to_be_complete_before_it_is() {
    assertTrue(line(progress(999_999, 1_000_000), 60, BLOCKS).contains(":  99%|"));
    assertTrue(line(progress(1_000_000, 1_000_000), 60, BLOCKS).contains(": 100%|"));
  }

  @Test
  void what_is_not_available_is_an_empty_bar_without_a_percentage() {
    assertEquals(
        "pinoak0034 device 0 util:  n/a|          | n/a", line(gpu(0, null, ""), 46, BLOCKS));
  }

  @ParameterizedTest
  @ValueSource(doubles = {100, 100.01, 129.7, 1e300, Double.POSITIVE_INFINITY})
  void a_value_above_the_total_is_a_full_bar(double value) {
    String line =
        line(new LabelledBar(LabelledBar.Kind.CPU, "load", value, 100, "much", ""), 30, BLOCKS);
    assertEquals("load: 100%|█████████████| much".length(), line.length(), line);
    assertTrue(line.startsWith("load: 100%|█"), line);
    assertTrue(inside(line).chars().allMatch(one -> one == '█'), line);
  }

  @ParameterizedTest
  @ValueSource(doubles = {0, -0.0, -1, Double.NEGATIVE_INFINITY, Double.NaN})
  void a_value_below_nothing_is_an_empty_bar(double value) {
    String line =
        line(new LabelledBar(LabelledBar.Kind.CPU, "load", value, 100, "none", ""), 30, BLOCKS);
    assertTrue(line.startsWith("load:   0%|"), line);
    assertTrue(inside(line).isBlank(), line);
  }

  @Test
  void the_bars_of_one_drawing_begin_and_end_in_the_same_columns() {
    assertEquals(
        List.of(
            "pinoak0034 cpu load avg.: 100%|████████| 129.70/100",
            "pinoak0034 device 0 util:  50%|████    | 50/100     [1.0/80.0 GiB]",
            "pinoak0034 device 9 util:  n/a|        | n/a        [lost]"),
        BarLines.of(
            List.of(load(129.7), gpu(0, 50, "1.0/80.0 GiB"), gpu(9, null, "lost")), 66, BLOCKS));
    List<String> lines =
        BarLines.of(List.of(load(1), gpu(0, 50, "a"), gpu(100, 100, "b")), 100, BLOCKS);
    assertEquals(1, lines.stream().map(line -> line.indexOf('|')).distinct().count());
    assertEquals(1, lines.stream().map(line -> line.lastIndexOf('|')).distinct().count());
    assertEquals(1, lines.stream().skip(1).map(line -> line.lastIndexOf('[')).distinct().count());
  }

  @Test
  void a_wide_terminal_does_not_stretch_the_bars_beyond_fifty_columns() {
    assertEquals(50, inside(line(gpu(0, 50, "more"), 1000, BLOCKS)).length());
  }

  @Test
  void what_does_not_fit_goes_from_the_right_first_the_brackets_then_the_bar() {
    LabelledBar bar = new LabelledBar(LabelledBar.Kind.PROGRESS, "images", 1.0, 2, "1/2", "here");
    assertEquals("images:  50%|██▌  | 1/2 [here]", line(bar, 30, BLOCKS));
    assertEquals("images:  50%|██  | 1/2 [here]", line(bar, 29, BLOCKS));
    assertEquals("images:  50%|█████     | 1/2", line(bar, 28, BLOCKS));
    assertEquals("images:  50%|██  | 1/2", line(bar, 22, BLOCKS));
    assertEquals("images:  50% 1/2", line(bar, 21, BLOCKS));
    assertEquals("images:  50%", line(bar, 12, BLOCKS));
    assertEquals("imag", line(bar, 4, BLOCKS));
  }

  @Test
  void brackets_go_from_all_lines_at_once() {
    List<String> lines = BarLines.of(List.of(gpu(0, 5, "a"), gpu(1, 5, "much more")), 50, BLOCKS);
    assertTrue(lines.stream().noneMatch(line -> line.contains("[")), lines.toString());
  }

  @Test
  void words_stand_alone_and_move_no_bar() {
    LabelledBar words = LabelledBar.words("and 17 more nodes of which nothing is shown here");
    List<String> lines = BarLines.of(List.of(gpu(0, 9, ""), words), 46, BLOCKS);
    assertEquals(line(gpu(0, 9, ""), 46, BLOCKS), lines.get(0));
    assertEquals("and 17 more nodes of which nothing is shown he", lines.get(1));
  }

  @Test
  void each_kind_has_its_colour_around_the_bar_alone() {
    assertEquals("a:  50%|\u001b[36m██  \u001b[0m| x", coloured(LabelledBar.Kind.CPU));
    assertEquals("a:  50%|\u001b[32m██  \u001b[0m| x", coloured(LabelledBar.Kind.GPU));
    assertEquals("a:  50%|\u001b[33m██  \u001b[0m| x", coloured(LabelledBar.Kind.PROGRESS));
  }

  private static String coloured(LabelledBar.Kind kind) {
    return line(new LabelledBar(kind, "a", 1.0, 2, "x", ""), 15, COLOURED);
  }

  @Test
  void there_is_no_colour_unless_it_is_asked_for() {
    assertFalse(line(gpu(0, 50, "more"), 100, BLOCKS).contains("\u001b"));
    assertFalse(line(gpu(0, 50, "more"), 100, ASCII).contains("\u001b"));
    assertFalse(line(LabelledBar.words("more"), 100, COLOURED).contains("\u001b"));
  }

  @Test
  void nothing_in_the_words_of_a_bar_moves_the_cursor() {
    LabelledBar bar =
        new LabelledBar(LabelledBar.Kind.PROGRESS, "a\u001b[H", 1.0, 2, "1\n2", "\u009b2J\r\t");
    assertEquals("a?[H:  50%|██  | 1?2 [?2J??]", line(bar, 28, BLOCKS));
    assertEquals("up?[A", line(LabelledBar.words("up\u001b[A"), 28, BLOCKS));
  }

  @Test
  void no_bars_are_no_lines() {
    assertEquals(List.of(), BarLines.of(List.of(), 80, BLOCKS));
  }

  @Test
  void no_line_is_wider_than_the_terminal() {
    List<LabelledBar> bars =
        List.of(
            load(0.17),
            gpu(0, 9, "3.2/80.0 GiB"),
            gpu(7, null, "lost"),
            progress(3, 4),
            LabelledBar.words("and 17 more nodes"));
    for (int width = 1; width <= 200; width++) {
      for (BarStyle style : List.of(BLOCKS, ASCII, COLOURED)) {
        List<String> lines = BarLines.of(bars, width, style);
        assertEquals(bars.size(), lines.size());
        for (String line : lines) {
          String visible = line.replaceAll("\u001b\\[[0-9;]*m", "");
          assertTrue(visible.length() <= width, width + " columns: " + visible);
          assertFalse(visible.contains("\u001b"), visible);
        }
      }
    }
  }
}
