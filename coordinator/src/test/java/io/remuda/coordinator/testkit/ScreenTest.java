package io.remuda.coordinator.testkit;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;

import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

class ScreenTest {
  private final Screen screen = new Screen(4, 3);

  private Screen shows(String text) {
    screen.stream().print(text);
    screen.stream().flush();
    return screen;
  }

  @Test
  void a_full_row_wraps_only_when_more_comes() {
    assertEquals(List.of("abcd", "ef"), shows("abcd\r\nef").visible());
    assertEquals(List.of("abcd", "efgh", "i"), shows("ghi").visible());
  }

  @Test
  void rows_leave_at_the_top() {
    shows("a\r\nb\r\nc\r\nd");
    assertEquals(List.of("b", "c", "d"), screen.visible());
    assertEquals(List.of("a"), screen.scrolled());
    assertEquals(List.of("a", "b", "c", "d"), screen.all());
  }

  @Test
  void a_line_feed_alone_keeps_the_column() {
    assertEquals(List.of("a", " b"), shows("a\nb").visible());
  }

  @Test
  void the_cursor_goes_up_at_most_to_the_top_and_what_is_below_it_is_erased() {
    assertEquals(List.of("ab", "x"), shows("ab\r\ncd\r\nef\r\u001b[1A\u001b[Jx").visible());
    assertEquals(List.of("yb", "x"), shows("\r\u001b[9Ay").visible());
    assertEquals(List.of("", "x"), shows("\u001b[2K").visible());
    assertEquals(List.of("█", "x"), shows("\u001b[H\u001b[36m█\u001b[0m").visible());
  }

  @ParameterizedTest
  @ValueSource(strings = {"\t", "\b", "\u0007", "\u009b2J", "\u001b[2J", "\u001b[1;1H", "\u001bc"})
  void whatever_else_moves_is_refused(String text) {
    assertThrows(AssertionError.class, () -> shows(text));
  }
}
