package io.remuda.coordinator.ensemble;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.remuda.coordinator.testkit.EnsembleProcess;
import io.remuda.coordinator.testkit.EnsembleProcess.Line;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeMap;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import java.util.stream.Stream;

/** What a run prints of its telemetry and its results, read again. */
final class RunLines {

  /** How long samples may be missing. */
  static final Duration TICKS = Duration.ofSeconds(60);

  private static final Pattern TELEMETRY =
      Pattern.compile(
          "nodename: (\\S+) cpu load average 1 minute: \\d+\\.\\d+"
              + "( device # (\\d+) utilization: (n/a|\\d+\\.\\d\\d%))?");

  private static final Pattern FINAL =
      Pattern.compile(
          "Final test for learning rate (\\d\\.\\d+): loss: \\d+(\\.\\d+)?(e-\\d+)?"
              + " accuracy: (\\d+\\.\\d+)");

  /** One tick of 1 s and one driver deadline of 2 s, on a machine that stalls. */
  private static final long LONGEST_GAP_MILLIS = 10_000;

  /** The same, without the stall. */
  private static final long LONGEST_MEAN_GAP_MILLIS = 3500;

  private RunLines() {}

  static boolean isTelemetry(String line) {
    return TELEMETRY.matcher(line).matches();
  }

  /** The learning rates of the results, in order. */
  static List<String> rates(List<String> lines) {
    return lines.stream()
        .map(FINAL::matcher)
        .filter(Matcher::matches)
        .map(matcher -> matcher.group(1))
        .toList();
  }

  private static Map<String, List<Line>> telemetry(EnsembleProcess run) {
    Map<String, List<Line>> byNode = new TreeMap<>();
    for (Line line : run.lines()) {
      Matcher matcher = TELEMETRY.matcher(line.text());
      if (matcher.matches()) {
        byNode.computeIfAbsent(matcher.group(1), node -> new ArrayList<>()).add(line);
      }
    }
    return byNode;
  }

  /** Waits for samples after a line: a failure does not delay the next ticks. */
  static void awaitSamplesAfter(EnsembleProcess run, Line line) {
    run.await(
        "two more samples",
        TICKS,
        () ->
            run.lines().stream()
                    .filter(one -> one.millis() > line.millis() && isTelemetry(one.text()))
                    .count()
                >= 2);
  }

  static void assertTelemetryIsBetween(String first, String last, EnsembleProcess run) {
    List<String> out = run.out();
    List<Integer> at =
        Stream.iterate(0, index -> index < out.size(), index -> index + 1)
            .filter(index -> isTelemetry(out.get(index)))
            .toList();
    assertFalse(at.isEmpty(), run::describe);
    assertTrue(out.indexOf(first) < at.get(0), run::describe);
    assertTrue(out.get(at.get(at.size() - 1) + 1).matches("Shutting down procs|" + last + ".*"));
  }

  /** No node is left out, none reports twice, none pauses. */
  static void assertEachNodeReportsOncePerTick(EnsembleProcess run, List<String> nodes) {
    Map<String, List<Line>> byNode = telemetry(run);
    assertEquals(Set.copyOf(nodes), byNode.keySet(), run::describe);
    List<Integer> counts = byNode.values().stream().map(List::size).sorted().toList();
    assertTrue(counts.get(counts.size() - 1) - counts.get(0) <= 2, () -> counts + run.describe());
    for (List<Line> lines : byNode.values()) {
      long span = lines.get(lines.size() - 1).millis() - lines.get(0).millis();
      assertTrue((lines.size() - 2) * 1000L <= span + 500, () -> "too often: " + lines);
      assertNoPause(run, lines);
    }
  }

  /** One node's lines go on all the time. */
  static void assertNoPause(EnsembleProcess run, List<Line> lines) {
    for (int i = 1; i < lines.size(); i++) {
      long gap = lines.get(i).millis() - lines.get(i - 1).millis();
      String after = lines.get(i - 1).toString();
      assertTrue(gap < LONGEST_GAP_MILLIS, () -> gap + " ms after " + after + run.describe());
    }
    long span = lines.get(lines.size() - 1).millis() - lines.get(0).millis();
    assertTrue(span <= LONGEST_MEAN_GAP_MILLIS * (lines.size() - 1), () -> "too seldom: " + lines);
  }

  /** Each node's first device shows these values, in this order, and no others. */
  static void assertUtilisationTurns(EnsembleProcess run, List<String> nodes, String... values) {
    for (String node : nodes) {
      List<String> turns = new ArrayList<>();
      for (Line line : telemetry(run).get(node)) {
        String value = line.text().substring(line.text().lastIndexOf(' ') + 1);
        if (turns.isEmpty() || !turns.get(turns.size() - 1).equals(value)) {
          turns.add(value);
        }
      }
      assertEquals(List.of(values), turns, () -> node + "\n" + run.describe());
    }
  }
}
