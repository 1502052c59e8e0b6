package io.remuda.coordinator.cli.top;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.remuda.telemetry.render.PrintableText;
import net.jqwik.api.ForAll;
import net.jqwik.api.Property;
import net.jqwik.api.constraints.IntRange;
import org.junit.jupiter.api.Test;

class TextWidthFitterTest {

  @Test
  void wide_characters_take_two_columns_and_accents_none() {
    assertEquals(4, TextWidthFitter.width("\u65e5\u672c"));
    assertEquals(1, TextWidthFitter.width("e\u0301"));
    assertEquals(2, TextWidthFitter.width("\ud83d\ude00"));
  }

  @Test
  void a_wide_character_that_does_not_fit_is_a_blank() {
    assertEquals("\u65e5+", TextWidthFitter.left("\u65e5\u672c\u8a9e", 3));
    assertEquals("\u65e5+ ", TextWidthFitter.left("\u65e5\u672c\u8a9e", 4));
    assertEquals("\u65e5\u672c", TextWidthFitter.left("\u65e5\u672c", 4));
    assertEquals(" \u65e5+", TextWidthFitter.right("\u65e5\u672c\u8a9e", 4));
  }

  @Test
  void what_is_cut_ends_with_a_mark() {
    assertEquals("abc ", TextWidthFitter.left("abc", 4));
    assertEquals(" abc", TextWidthFitter.right("abc", 4));
    assertEquals("abc+", TextWidthFitter.left("abcde", 4));
    assertEquals("", TextWidthFitter.left("", 0));
  }

  @Property
  void a_cell_is_as_wide_as_its_column(
      @ForAll String text, @ForAll @IntRange(min = 1, max = 40) int columns) {
    String printable = PrintableText.of(text);
    assertEquals(columns, TextWidthFitter.width(TextWidthFitter.left(printable, columns)));
    assertEquals(columns, TextWidthFitter.width(TextWidthFitter.right(printable, columns)));
    assertTrue(TextWidthFitter.width(TextWidthFitter.cut(printable, columns)) <= columns);
  }

  @Property
  void what_is_printable_is_never_of_negative_width(@ForAll String text) {
    PrintableText.of(text)
        .codePoints()
        .forEach(one -> assertTrue(TextWidthFitter.width(Character.toString(one)) >= 0));
  }
}
