package io.remuda.coordinator.report.server;

import io.remuda.coordinator.drawing.request.DrawingRequests;
import io.remuda.coordinator.report.ReportBlock;
import java.io.IOException;
import java.time.ZoneId;
import java.util.HashMap;
import java.util.Map;

/** The drawings of a report, each for large and for small screens. */
final class ReportDrawings {

  private final DrawingRequests drawings;
  private final ZoneId zone;

  ReportDrawings(DrawingRequests drawings, ZoneId zone) {
    this.drawings = drawings;
    this.zone = zone;
  }

  /**
   * Returns a drawing.
   *
   * @param query parameters as name and value in turn
   */
  ReportBlock of(String name, String caption, Object... query) throws IOException {
    return new ReportBlock.Drawing(
        caption,
        svg(name, ReportBlock.Drawing.WIDE, query),
        svg(name, ReportBlock.Drawing.NARROW, query));
  }

  private String svg(String name, int width, Object... query) throws IOException {
    Map<String, String> asked = new HashMap<>();
    for (int at = 0; at < query.length; at += 2) {
      asked.put(query[at].toString(), query[at + 1].toString());
    }
    asked.put("theme", "page");
    asked.put("zone", zone.getId());
    asked.put("width", Integer.toString(width));
    return drawings.svg(name, asked).orElseThrow();
  }
}
