package io.remuda.coordinator.report;

import java.util.List;

/**
 * A section of a report.
 *
 * @param title heading
 */
public record ReportSection(String title, List<ReportBlock> blocks) {

  public ReportSection {
    blocks = List.copyOf(blocks);
  }
}
