package io.remuda.coordinator.metrics;

import io.prometheus.metrics.expositionformats.ExpositionFormatWriter;
import io.prometheus.metrics.expositionformats.OpenMetricsTextFormatWriter;
import io.prometheus.metrics.expositionformats.PrometheusTextFormatWriter;
import io.prometheus.metrics.model.snapshots.MetricSnapshots;
import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.util.zip.Deflater;
import java.util.zip.GZIPOutputStream;

/** A format of metrics. */
public enum MetricsFormat {
  /** The text format 0.0.4 of Prometheus, which every program reads. */
  TEXT,
  /** OpenMetrics 1.0.0. */
  OPEN_METRICS;

  private static final String OPEN = "application/openmetrics-text";

  /** Compresses well even where it is quick: the lines are much alike. */
  private static final class Quick extends GZIPOutputStream {
    private Quick(ByteArrayOutputStream into) throws IOException {
      super(into, 1 << 13);
      def.setLevel(Deflater.BEST_SPEED);
    }
  }

  /**
   * Returns the format that a client asks for; {@link #TEXT} if it does not mind.
   *
   * @param accept the header, or null
   */
  public static MetricsFormat of(String accept) {
    return accept != null && accept.contains(OPEN) ? OPEN_METRICS : TEXT;
  }

  /** Returns the media type without its parameters. */
  public String type() {
    return this == TEXT ? "text/plain" : OPEN;
  }

  /** Returns the version that the media type names. */
  public String version() {
    return this == TEXT ? "0.0.4" : "1.0.0";
  }

  private ExpositionFormatWriter writer() {
    return this == TEXT
        ? PrometheusTextFormatWriter.create()
        : OpenMetricsTextFormatWriter.create();
  }

  /** Returns metrics in this format, compressed by gzip. */
  byte[] compressed(MetricSnapshots metrics) {
    ByteArrayOutputStream bytes = new ByteArrayOutputStream();
    try (GZIPOutputStream into = new Quick(bytes)) {
      writer().write(into, metrics);
    } catch (IOException impossible) {
      throw new UncheckedIOException(impossible); // it is written into memory
    }
    return bytes.toByteArray();
  }
}
