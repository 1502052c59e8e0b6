package io.remuda.coordinator.report;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.util.List;
import java.util.stream.IntStream;
import org.junit.jupiter.api.Test;

class ReportPageTest {
  private static final String BAD =
      "</title></pre><script>alert(1)</script><img src=x onerror=y>\u001b";

  private static ReportPage page(ReportBlock... blocks) {
    return new ReportPage(BAD, List.of(BAD), List.of(new ReportSection(BAD, List.of(blocks))));
  }

  @Test
  void nothing_of_what_is_reported_is_markup() {
    String html =
        page(
                new ReportBlock.Tiles(List.of(new ReportBlock.Tile(BAD, BAD, BAD))),
                new ReportBlock.Table(List.of(BAD, ">" + BAD), List.of(List.of(BAD, BAD))),
                new ReportBlock.Words(BAD),
                new ReportBlock.Output(BAD, BAD + "\n" + BAD))
            .html();
    HtmlFile file = HtmlFile.of(html);
    assertEquals(0, file.count("script"));
    assertEquals(0, file.count("img"));
    assertTrue(file.text("pre").contains("<script>alert(1)</script>"), html);
  }

  @Test
  void a_report_asks_for_nothing_outside_and_forbids_scripts() {
    String html = page(new ReportBlock.Words("x")).html();
    assertTrue(
        html.contains("content=\"default-src &#39;none&#39;; style-src &#39;unsafe-inline&#39;\""),
        html);
    for (String outside : List.of("src=", "href=", "url(http", "@import", "//cdn")) {
      assertFalse(html.replace(BAD, "").replace("img src=x", "").contains(outside), outside);
    }
    assertTrue(html.startsWith("<!DOCTYPE html>\n<html"), html);
  }

  @Test
  void line_ends_of_output_stay() {
    String html = page(new ReportBlock.Output("x", "one\n  two\n")).html();
    assertTrue(html.contains("<pre tabindex=\"0\">one\n  two\n</pre>"), html);
  }

  @Test
  void what_has_no_room_is_named() {
    List<ReportSection> sections =
        IntStream.range(0, 50)
            .mapToObj(
                number ->
                    new ReportSection(
                        "Job " + number, List.of(new ReportBlock.Words("x".repeat(1 << 16)))))
            .toList();
    String html = new ReportPage("Many", List.of(), sections).html(1 << 20);
    assertTrue(html.length() < (1 << 20) + 20_000, () -> html.length() + " characters");
    assertTrue(
        html.contains("35 sections have no room in this file, which has 1 MiB at most: Job 15"));
    assertTrue(html.contains("and others"));
    HtmlFile.of(html);
  }
}
