package io.remuda.coordinator.cli.top;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.remuda.telemetry.render.PrintableText;
import net.jqwik.api.ForAll;
import net.jqwik.api.Property;
import net.jqwik.api.constraints.IntRange;
import org.junit.jupiter.api.Test;

class DisplayTextTest {

  @Test
  void wide_characters_take_two_columns_and_accents_none() {
    assertEquals(4, DisplayText.width("\u65e5\u672c"));
    assertEquals(1, DisplayText.width("e\u0301"));
    assertEquals(2, DisplayText.width("\ud83d\ude00"));
  }

  @Test
  void a_wide_character_that_does_not_fit_is_a_blank() {
    assertEquals("\u65e5+", DisplayText.left("\u65e5\u672c\u8a9e", 3));
    assertEquals("\u65e5+ ", DisplayText.left("\u65e5\u672c\u8a9e", 4));
    assertEquals("\u65e5\u672c", DisplayText.left("\u65e5\u672c", 4));
    assertEquals(" \u65e5+", DisplayText.right("\u65e5\u672c\u8a9e", 4));
  }

  @Test
  void what_is_cut_ends_with_a_mark() {
    assertEquals("abc ", DisplayText.left("abc", 4));
    assertEquals(" abc", DisplayText.right("abc", 4));
    assertEquals("abc+", DisplayText.left("abcde", 4));
    assertEquals("", DisplayText.left("", 0));
  }

  @Property
  void a_cell_is_as_wide_as_its_column(
      @ForAll String text, @ForAll @IntRange(min = 1, max = 40) int columns) {
    String printable = PrintableText.of(text);
    assertEquals(columns, DisplayText.width(DisplayText.left(printable, columns)));
    assertEquals(columns, DisplayText.width(DisplayText.right(printable, columns)));
    assertTrue(DisplayText.width(DisplayText.cut(printable, columns)) <= columns);
  }

  @Property
  void what_is_printable_is_never_of_negative_width(@ForAll String text) {
    PrintableText.of(text)
        .codePoints()
        .forEach(one -> assertTrue(DisplayText.width(Character.toString(one)) >= 0));
  }
}
