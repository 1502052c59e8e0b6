package io.remuda.coordinator.metrics;

import static org.junit.jupiter.api.Assertions.assertEquals;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Arrays;
import java.util.List;
import java.util.Locale;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;

/** docs/metrics.md lists what the code serves. */
class MetricsDocumentTest {
  private static final Path DOCUMENT = Path.of("..", "docs", "metrics.md");

  private static String row(MetricDescription metric) {
    return "| `"
        + metric.title()
        + "` | "
        + metric.kind().name().toLowerCase(Locale.ROOT)
        + " | "
        + String.join(" ", metric.labels())
        + " | "
        + metric.help()
        + " |";
  }

  private static List<String> rows(String prefix) throws IOException {
    try (Stream<String> lines = Files.lines(DOCUMENT)) {
      return lines.filter(line -> line.startsWith("| `" + prefix)).toList();
    }
  }

  @Test
  void the_document_lists_each_metric() throws IOException {
    assertEquals(
        Arrays.stream(RemudaMetric.values()).map(MetricsDocumentTest::row).toList(),
        rows("remuda_"));
  }

  @Test
  void the_document_lists_each_metric_of_the_exporter() throws IOException {
    assertEquals(
        Arrays.stream(DcgmMetric.values())
            .map(metric -> "| `" + metric.title() + "` | " + metric.help() + " |")
            .toList(),
        rows("DCGM_"));
  }
}
