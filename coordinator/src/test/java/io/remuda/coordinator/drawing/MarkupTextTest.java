package io.remuda.coordinator.drawing;

import static org.junit.jupiter.api.Assertions.assertEquals;

import io.remuda.coordinator.drawing.MarkupWriter.MarkupText;
import java.util.stream.IntStream;
import org.junit.jupiter.api.Test;

class MarkupTextTest {
  @Test
  void nothing_of_a_text_is_markup() {
    assertEquals(
        "&lt;b title=&quot;x&quot; id=&#39;y&#39;&gt;&amp;lt;",
        MarkupText.of("<b title=\"x\" id='y'>&lt;"));
    assertEquals("plain, ü and 日本", MarkupText.of("plain, ü and 日本"));
  }

  @Test
  void what_xml_forbids_and_what_turns_text_stands_as_its_number() {
    assertEquals(
        "a\\u0000b\\u001b[1m\\u202e\\uffff\\ud800",
        MarkupText.of("a\0b\u001b[1m\u202e\uffff\ud800"));
    assertEquals("one\ntwo\tthree\\r", MarkupText.lines("one\ntwo\tthree\r"));
  }

  @Test
  void every_character_is_read_back_by_a_reader_of_xml() {
    StringBuilder all = new StringBuilder();
    IntStream.range(0, 0x3000).forEach(all::appendCodePoint);
    IntStream.range(0xd800, 0x10000).forEach(one -> all.append((char) one));
    String svg = new MarkupWriter().write("text", all.toString(), "title", all).toString();
    SvgDocument.of(svg); // throws if one is forbidden
  }
}
