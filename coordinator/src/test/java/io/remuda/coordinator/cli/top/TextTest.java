package io.remuda.coordinator.cli.top;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import net.jqwik.api.ForAll;
import net.jqwik.api.Property;
import net.jqwik.api.constraints.IntRange;
import org.junit.jupiter.api.Test;

class TextTest {

  @Test
  void what_moves_the_cursor_or_turns_the_line_is_a_question_mark() {
    assertEquals("a?b?c?[31m?", Text.printable("a\nb\tc\u001b[31m\u0085"));
    assertEquals("?x?y?", Text.printable("\u202ex\u200by\u2028"));
    assertEquals("?", Text.printable("\ud800"));
    assertEquals("\u00e4 \u65e5\u672c e\u0301", Text.printable("\u00e4 \u65e5\u672c e\u0301"));
  }

  @Test
  void wide_characters_take_two_columns_and_accents_none() {
    assertEquals(4, Text.width("\u65e5\u672c"));
    assertEquals(1, Text.width("e\u0301"));
    assertEquals(2, Text.width("\ud83d\ude00"));
  }

  @Test
  void a_wide_character_that_does_not_fit_is_a_blank() {
    assertEquals("\u65e5+", Text.left("\u65e5\u672c\u8a9e", 3));
    assertEquals("\u65e5+ ", Text.left("\u65e5\u672c\u8a9e", 4));
    assertEquals("\u65e5\u672c", Text.left("\u65e5\u672c", 4));
    assertEquals(" \u65e5+", Text.right("\u65e5\u672c\u8a9e", 4));
  }

  @Test
  void what_is_cut_ends_with_a_mark() {
    assertEquals("abc ", Text.left("abc", 4));
    assertEquals(" abc", Text.right("abc", 4));
    assertEquals("abc+", Text.left("abcde", 4));
    assertEquals("", Text.left("", 0));
  }

  @Property
  void a_cell_is_as_wide_as_its_column(
      @ForAll String text, @ForAll @IntRange(min = 1, max = 40) int columns) {
    String printable = Text.printable(text);
    assertEquals(columns, Text.width(Text.left(printable, columns)));
    assertEquals(columns, Text.width(Text.right(printable, columns)));
    assertTrue(Text.width(Text.cut(printable, columns)) <= columns);
  }

  @Property
  void what_is_printable_is_never_of_negative_width(@ForAll String text) {
    Text.printable(text)
        .codePoints()
        .forEach(one -> assertTrue(Text.width(Character.toString(one)) >= 0));
  }
}
