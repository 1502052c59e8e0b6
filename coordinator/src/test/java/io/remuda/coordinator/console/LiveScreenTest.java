package io.remuda.coordinator.console;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.remuda.coordinator.testkit.Screen;
import io.remuda.telemetry.render.BarStyle;
import io.remuda.telemetry.render.LabelledBar;
import java.util.List;
import java.util.stream.IntStream;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;

class LiveScreenTest {
  private final Screen terminal = new Screen(20, 8);
  private final LiveScreen live = on(terminal);

  private static LiveScreen on(Screen screen) {
    return new LiveScreen(
        screen.stream(),
        () -> new TerminalStream.Size(screen.columns(), screen.rows()),
        new BarStyle(true, true));
  }

  private static BarSource bars(String... words) {
    return lines -> Stream.of(words).limit(lines).map(LabelledBar::words).toList();
  }

  private void lines(String... texts) {
    Stream.of(texts).forEach(live::above);
    live.refresh();
  }

  private void telemetry(String... words) {
    live.telemetry(bars(words));
    live.refresh();
  }

  private static String[] numbered(String name, int from, int to) {
    return IntStream.rangeClosed(from, to).mapToObj(n -> name + " " + n).toArray(String[]::new);
  }

  private void assertShows(String... rows) {
    assertEquals(List.of(rows), terminal.visible());
  }

  @Test
  void lines_appear_above_the_bars_in_their_order() {
    telemetry("bar 1", "bar 2");
    assertShows("bar 1", "bar 2");
    lines("one");
    lines("two", "three");
    assertShows("one", "two", "three", "bar 1", "bar 2");
  }

  @Test
  void the_bars_of_the_work_are_below_those_of_the_machines() {
    live.progress(bars("work"));
    live.telemetry(bars("machine"));
    lines("line");
    assertShows("line", "machine", "work");
  }

  @Test
  void lines_before_the_first_bar_are_not_kept_back() {
    lines("one", "two");
    assertShows("one", "two");
    telemetry("bar");
    assertShows("one", "two", "bar");
  }

  @Test
  void lines_scroll_away_and_none_is_overwritten() {
    telemetry("bar 1", "bar 2");
    for (String line : numbered("line", 1, 30)) {
      lines(line);
      telemetry("bar 1 at " + line, "bar 2");
    }
    lines(numbered("line", 31, 60));
    assertShows(
        "line 55",
        "line 56",
        "line 57",
        "line 58",
        "line 59",
        "line 60",
        "bar 1 at line 30",
        "bar 2");
    assertEquals(List.of(numbered("line", 1, 54)), terminal.scrolled());
  }

  @Test
  void new_bars_take_the_place_of_the_old_ones_and_nothing_of_those_is_left() {
    lines("line");
    telemetry("a long first bar", "a long second bar", "a long third bar");
    telemetry("short", "b");
    assertShows("line", "short", "b");
    telemetry();
    assertShows("line");
    telemetry("again");
    assertShows("line", "again");
  }

  @Test
  void more_bars_push_the_lines_up() {
    lines(numbered("line", 1, 7));
    telemetry("bar 1");
    telemetry("bar 1", "bar 2", "bar 3");
    assertShows("line 3", "line 4", "line 5", "line 6", "line 7", "bar 1", "bar 2", "bar 3");
    assertEquals(List.of("line 1", "line 2"), terminal.scrolled());
  }

  @Test
  void three_rows_are_left_to_the_lines() {
    lines("one", "two", "three");
    live.telemetry(bars(numbered("machine", 1, 9)));
    live.progress(bars(numbered("work", 1, 9)));
    live.refresh();
    assertShows("one", "two", "three", "machine 1", "machine 2", "machine 3", "work 1", "work 2");
    assertEquals(List.of(), terminal.scrolled());
  }

  @Test
  void the_last_column_stays_free_so_that_no_bar_wraps() {
    telemetry("0123456789abcdefghijklmnop", "bar 2");
    telemetry("0123456789abcdefghijklmnop", "bar 2");
    assertShows("0123456789abcdefghi", "bar 2");
  }

  @Test
  void a_terminal_of_one_row_shows_one_bar_and_scrolls_only_for_lines() {
    Screen low = new Screen(20, 1);
    LiveScreen drawing = on(low);
    for (String words : numbered("machine", 1, 3)) {
      drawing.telemetry(bars(words));
      drawing.progress(bars("work"));
      drawing.above("above " + words);
      drawing.refresh();
      drawing.telemetry(bars(words + " again"));
      drawing.refresh();
    }
    assertEquals(List.of(numbered("above machine", 1, 3)), low.scrolled());
    assertEquals(List.of("machine 3 again"), low.visible());
  }

  @Test
  void long_lines_wrap_as_the_terminal_does() {
    telemetry("bar");
    lines("0123456789abcdefghijklmnop", "next");
    assertShows("0123456789abcdefghij", "klmnop", "next", "bar");
  }

  @Test
  void a_line_as_wide_as_the_terminal_takes_one_row() {
    telemetry("bar");
    lines("0123456789abcdefghij", "next");
    assertShows("0123456789abcdefghij", "next", "bar");
    terminal.resize(20, 9);
    live.refresh();
    assertShows("0123456789abcdefghij", "next", "bar");
  }

  @Test
  void an_empty_line_is_an_empty_row() {
    telemetry("bar");
    lines("", "next");
    assertShows("", "next", "bar");
    terminal.resize(21, 8);
    live.refresh();
    assertShows("", "next", "bar");
  }

  @Test
  void nothing_in_a_line_moves_the_cursor() {
    telemetry("bar");
    lines(
        "a\tb", "home\u001b[H", "up\u001b[3A", "two\nlines", "back\rto\b", "\u009b2J\u0085\u007f");
    assertShows("a b", "home?[H", "up?[3A", "two?lines", "back?to?", "?2J??", "bar");
  }

  @Test
  void a_smaller_terminal_is_written_anew_from_the_newest_lines() {
    lines(numbered("a line of words", 1, 6));
    telemetry("bar 1", "bar 2");
    terminal.resize(13, 7);
    live.refresh();
    assertShows("ds 4", "a line of wor", "ds 5", "a line of wor", "ds 6", "bar 1", "bar 2");
  }

  @Test
  void a_larger_terminal_is_written_anew_with_lines_that_had_left() {
    lines(numbered("line", 1, 30));
    telemetry("bar 1", "bar 2");
    terminal.resize(40, 20);
    live.refresh();
    assertEquals(List.of(numbered("line", 13, 30)), terminal.visible().subList(0, 18));
    assertEquals(List.of("bar 1", "bar 2"), terminal.visible().subList(18, 20));
    lines("next");
    assertEquals("next", terminal.visible().get(17));
  }

  @Test
  void after_a_new_size_drawing_goes_on_in_place() {
    lines("one");
    telemetry("bar 1", "bar 2");
    terminal.resize(30, 6);
    live.refresh();
    telemetry("new 1", "new 2");
    lines("two");
    assertShows("one", "two", "new 1", "new 2");
  }

  @Test
  void a_new_size_of_the_same_columns_or_the_same_rows_counts_too() {
    lines("one");
    telemetry("bar");
    terminal.resize(20, 5);
    live.refresh();
    assertShows("one", "bar");
    terminal.resize(10, 5);
    live.refresh();
    assertShows("one", "bar");
  }

  @Test
  void bars_are_folded_anew_for_the_new_size() {
    live.telemetry(bars(numbered("bar", 1, 5)));
    lines("one", "two", "three", "four");
    terminal.resize(20, 5);
    live.refresh();
    assertShows("two", "three", "four", "bar 1", "bar 2");
  }

  @Test
  void no_line_is_lost_when_more_come_with_a_new_size_than_there_are_rows() {
    lines("before");
    telemetry("bar");
    terminal.resize(20, 5);
    lines(numbered("line", 1, 700));
    List<String> all = terminal.all();
    assertTrue(all.containsAll(List.of(numbered("line", 1, 700))), all.toString());
    assertShows("line 697", "line 698", "line 699", "line 700", "bar");
    assertTrue(all.stream().noneMatch(row -> row.contains("~")), all.toString());
  }

  @Test
  void nothing_new_writes_nothing() {
    live.refresh();
    assertEquals(0, terminal.written());
    telemetry("bar");
    lines("one");
    long written = terminal.written();
    live.refresh();
    live.refresh();
    assertEquals(written, terminal.written());
  }

  @Test
  void a_drawing_that_was_made_for_a_new_size_is_not_repeated() {
    telemetry("bar");
    terminal.resize(30, 6);
    live.refresh();
    long written = terminal.written();
    live.refresh();
    assertEquals(written, terminal.written());
  }

  @Test
  void the_end_takes_the_bars_away_and_leaves_the_lines() {
    lines("one");
    telemetry("bar 1", "bar 2");
    live.above("two");
    live.close();
    assertShows("one", "two");
    assertEquals(2, terminal.cursorRow());
  }

  @Test
  void the_end_takes_the_bars_away_from_a_terminal_that_has_changed_its_size() {
    lines("one");
    telemetry("bar 1", "bar 2");
    live.above("two");
    terminal.resize(30, 6);
    live.close();
    assertShows("one", "two");
    assertEquals(2, terminal.cursorRow());
  }

  @Test
  void the_end_without_bars_leaves_what_was_on_the_terminal() {
    terminal.stream().print("$ remuda --bars\r\n");
    terminal.stream().flush();
    live.close();
    assertShows("$ remuda --bars");
    assertEquals(1, terminal.cursorRow());
  }
}
