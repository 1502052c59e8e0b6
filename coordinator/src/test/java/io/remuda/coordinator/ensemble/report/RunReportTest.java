package io.remuda.coordinator.ensemble.report;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.remuda.coordinator.report.HtmlFile;
import io.remuda.telemetry.model.DeviceHealth;
import io.remuda.telemetry.model.DeviceId;
import io.remuda.telemetry.model.DeviceSample;
import io.remuda.telemetry.model.HostSample;
import io.remuda.telemetry.model.NodeSample;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.ZoneId;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

class RunReportTest {
  private static final String BAD = "<script>alert(1)</script>";

  @TempDir private Path folder;

  private final RunRecorder recorder = new RunRecorder(1_795_885_200L, 1);

  private HtmlFile report(int exitCode, String... events) throws IOException {
    Path file = Files.write(folder.resolve("events.jsonl"), List.of(events));
    return HtmlFile.of(
        RunReport.of("r1", recorder, file, exitCode, 1_795_885_260L, ZoneId.of("UTC")).html());
  }

  private static String event(String task, int attempt, int second, String rest) {
    return ("{\"at\": \"2026-11-28T17:00:%02dZ\", \"type\": \"task\", \"task\": \"%s\","
            + " \"attempt\": %d, %s}")
        .formatted(second, task, attempt, rest);
  }

  @Test
  void tasks_have_their_attempts_and_ends() throws IOException {
    HtmlFile html =
        report(
            0,
            event("1.0", 0, 0, "\"from\": \"submitted\", \"to\": \"waiting\", \"releases\": false"),
            event("1.0", 1, 5, "\"to\": \"starting\", \"node\": \"n1\", \"releases\": false"),
            event("1.0", 1, 20, "\"to\": \"waiting\", \"node\": \"n1\", \"releases\": true"),
            event("1.0", 2, 25, "\"to\": \"starting\", \"node\": \"n2\", \"releases\": false"),
            event("1.0", 2, 50, "\"to\": \"succeeded\", \"node\": \"n2\", \"releases\": true"),
            "{\"at\": \"2026-11-28T17:00:51Z\", \"type\": \"ta");
    assertTrue(html.text("title").contains("waited 5 s"), html.text("title"));
    assertTrue(html.text("title").contains("try 1 on n1, tried again"), html.text("title"));
    assertTrue(html.text("title").contains("try 2 on n2, succeeded"), html.text("title"));
    assertTrue(html.text("dd").contains("all succeeded"), html.text("dd"));
  }

  @ParameterizedTest
  @ValueSource(doubles = {0.5, 1, 5, 60})
  void energy_is_power_over_time_whatever_the_interval_of_readings_is(double period) {
    RunRecorder slow = new RunRecorder(1_795_885_200L, period);
    HostSample host = new HostSample(1, 1, 1, 0.5, 8, 16L << 30, 8L << 30, null);
    for (double second = 0; second < 7200; second += period) { // two hours of 100 W
      long at = Math.round((1_795_885_200L + second) * 1000);
      slow.sampled(new NodeSample("n1", 1, at, host, List.of(gpu(100_000))));
    }
    assertEquals(100 * 7200, slow.joules(), 1e-3);
  }

  private static DeviceSample gpu(int milliwatts) {
    return new DeviceSample(
        new DeviceId("GPU-a"),
        0,
        null,
        null,
        null,
        null,
        null,
        null,
        null,
        null,
        milliwatts,
        null,
        null,
        null,
        null,
        null,
        null,
        null,
        null,
        DeviceHealth.OK,
        null);
  }

  @Test
  void what_was_shown_is_in_it_and_nothing_of_it_is_markup() throws IOException {
    recorder.said(BAD);
    recorder.result("Final test for learning rate 0.5");
    HostSample host = new HostSample(1, 1, 1, 0.5, 8, 16L << 30, 8L << 30, null);
    recorder.sampled(new NodeSample("n1", 1, 1_795_885_210_000L, host, List.of()));
    HtmlFile html = report(130, event(BAD, 1, 5, "\"to\": \"running\", \"node\": \"<b>\""));
    assertEquals(0, html.count("script"));
    assertTrue(html.text("pre").contains(BAD), html.text("pre"));
    assertTrue(html.text("pre").contains("Final test for learning rate 0.5"), html.text("pre"));
    assertTrue(html.text("h2").contains("Node n1"), html.text("h2"));
    assertTrue(html.text("dd").contains("interrupted"), html.text("dd"));
    assertTrue(html.text("text").contains("mean 50 %"), html.text("text"));
  }
}
