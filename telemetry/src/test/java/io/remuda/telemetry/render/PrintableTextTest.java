package io.remuda.telemetry.render;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertSame;
import static org.junit.jupiter.api.Assertions.assertTrue;

import net.jqwik.api.ForAll;
import net.jqwik.api.Property;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;

@Tag("attack")
@Tag("attack-bad-request")
class PrintableTextTest {

  @Test
  void what_commands_a_terminal_is_shown_by_its_number() {
    assertEquals("\\u001b]0;PWNED\\u0007", PrintableText.of("\u001b]0;PWNED\u0007"));
    assertEquals("\\u007f\\u009b31m\\u0000", PrintableText.of("\u007f\u009b31m\u0000"));
    assertEquals("\\u202etxt.\\u2066exe", PrintableText.of("\u202etxt.\u2066exe"));
    assertEquals("\\ud800a\\udc00", PrintableText.of("\ud800a\udc00"));
    assertEquals("\\udb40\\udc41", PrintableText.of("\udb40\udc41"));
    assertEquals("a\\nb\\tc\\r", PrintableText.of("a\nb\tc\r"));
  }

  @Test
  void lines_and_tabs_of_a_text_that_may_have_them_stay() {
    assertEquals("a\nb\tc\\r\\u001b[A", PrintableText.lines("a\nb\tc\r\u001b[A"));
  }

  @Test
  void what_people_write_stays() {
    String text = "na\u00efve \u65e5\u672c \ud83d\ude00 e\u0301 \\u001b";
    assertEquals(text, PrintableText.of(text));
    String plain = "plain";
    assertSame(plain, PrintableText.of(plain));
  }

  @Property
  void nothing_shown_is_a_control_and_all_is_shown_once(@ForAll String text) {
    String shown = PrintableText.of(text);
    assertTrue(shown.codePoints().noneMatch(Character::isISOControl));
    assertEquals(shown, PrintableText.of(shown));
    assertEquals(shown, PrintableText.lines(shown));
  }

  @Test
  void names_may_have_joiners_and_no_commands() {
    assertTrue(PrintableText.isName("\u0645\u06cc\u200c\u062e \ud83d\ude00"));
    for (String bad : new String[] {"\u001b", "\u007f", "\u0085", "\u202e", "\u2069", "\ud800"}) {
      assertFalse(PrintableText.isName("a" + bad + "b"), PrintableText.of(bad));
    }
  }

  @Test
  void a_beginning_ends_with_a_whole_character() {
    assertEquals("ab", PrintableText.beginning("ab", 2));
    assertEquals("a", PrintableText.beginning("a\ud83d\ude00", 2));
    assertEquals("a\ud83d\ude00", PrintableText.beginning("a\ud83d\ude00b", 3));
    assertEquals("", PrintableText.beginning("\ud83d\ude00", 0));
  }

  @Test
  void columns_are_counted_of_what_a_terminal_shows() {
    assertEquals(3, PrintableText.columns("a\u00efb"));
    assertEquals(4, PrintableText.columns("\u65e5\u672c"));
    assertEquals(1, PrintableText.columns("e\u0301"));
    assertEquals(2, PrintableText.columns("\ud83d\ude00"));
  }
}
