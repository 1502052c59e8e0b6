package io.remuda.coordinator.cli.select;

import io.remuda.telemetry.render.PrintableText;
import io.remuda.telemetry.render.ShortList;
import java.util.List;
import java.util.Locale;
import java.util.Optional;
import java.util.Set;
import java.util.TreeMap;
import java.util.stream.Collectors;

/** What is said before jobs are cancelled, or instead. */
public final class CancellationPreviewText {

  /** So many tasks are cancelled without a question. */
  private static final int MOST_UNASKED = 10;

  private static final int MOST_NAMED = 3;

  private CancellationPreviewText() {}

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
    List<ChosenJob> whole =
        jobs.stream()
            .collect(Collectors.toMap(ChosenJob::id, job -> job, (one, same) -> one, TreeMap::new))
            .values()
            .stream()
            .toList();
    List<String> names =
        whole.stream()
            .map(job -> job.id() + " " + PrintableText.of(job.job().path("name").asText()))
            .toList();
    return Optional.of(
        String.format(
            Locale.ROOT,
            "cancel %,d tasks of %,d %s (%s)? [y/N] ",
            tasks,
            whole.size(),
            whole.size() == 1 ? "job" : "jobs",
            ShortList.of(names, MOST_NAMED)));
  }

  /**
   * Returns what a cancellation of a job would end; null if nothing.
   *
   * @param states whose tasks would end, by their labels
   */
  public static String planned(ChosenJob job, Set<String> states) {
    if (job.count(states) == 0) {
      return null;
    }
    if (job.task() != null) {
      return "would cancel " + job.words(job.job());
    }
    String counts =
        states.stream()
            .filter(state -> job.count(Set.of(state)) > 0)
            .map(state -> String.format(Locale.ROOT, "%,d %s", job.count(Set.of(state)), state))
            .collect(Collectors.joining(", "));
    return "would cancel job %d (%s): %s"
        .formatted(job.id(), PrintableText.of(job.job().path("name").asText()), counts);
  }
}
