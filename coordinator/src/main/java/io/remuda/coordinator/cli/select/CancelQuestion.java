package io.remuda.coordinator.cli.select;

import io.remuda.telemetry.render.PrintableText;
import java.util.List;
import java.util.Locale;
import java.util.Optional;
import java.util.Set;
import java.util.stream.Collectors;

/** Whether to ask before jobs are cancelled. */
public final class CancelQuestion {

  /** So many tasks are cancelled without a question. */
  private static final int MOST_UNASKED = 10;

  private static final int MOST_NAMED = 3;

  private CancelQuestion() {}

  /**
   * Returns the question, if these jobs have more than ten tasks in these states.
   *
   * @param states by their labels
   */
  public static Optional<String> about(List<ChosenJob> jobs, Set<String> states) {
    long tasks = jobs.stream().mapToLong(job -> job.count(states)).sum();
    if (tasks <= MOST_UNASKED) {
      return Optional.empty();
    }
    String names =
        jobs.stream()
            .limit(MOST_NAMED)
            .map(job -> job.id() + " " + PrintableText.of(job.job().path("name").asText()))
            .collect(Collectors.joining(", "));
    int more = jobs.size() - MOST_NAMED;
    return Optional.of(
        String.format(
            Locale.ROOT,
            "cancel %,d tasks of %,d %s (%s%s)? [y/N] ",
            tasks,
            jobs.size(),
            jobs.size() == 1 ? "job" : "jobs",
            names,
            more > 0 ? " and " + more + " more" : ""));
  }

  /** Returns whether an answer is a yes. */
  public static boolean isYes(String line) {
    return Set.of("y", "yes").contains(line.trim().toLowerCase(Locale.ROOT));
  }
}
