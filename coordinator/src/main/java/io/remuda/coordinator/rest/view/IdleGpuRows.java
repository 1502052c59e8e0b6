package io.remuda.coordinator.rest.view;

import io.remuda.coordinator.rest.answer.TimelineAnswer;
import io.remuda.coordinator.rest.answer.WasteAnswer;
import java.util.List;
import java.util.stream.Collectors;

/** Says which GPUs a job has and does not use. */
final class IdleGpuRows {

  /** GPUs and tasks that are named. */
  private static final int MOST_NAMES = 8;

  private static final int MINUTE = 60;

  private IdleGpuRows() {}

  /**
   * Returns the row of a job.
   *
   * @param idle GPUs of the job, one at the least
   * @param tasks that the job has
   * @param now in seconds since 1970
   */
  static WasteAnswer.Row row(List<GpuEnergy.Idle> idle, int tasks, long now) {
    TimelineAnswer.Span first = idle.get(0).span();
    long since = idle.stream().mapToLong(GpuEnergy.Idle::since).max().orElse(now);
    List<String> gpus = idle.stream().map(one -> one.span().gpu()).distinct().sorted().toList();
    List<String> nodes = gpus.stream().map(IdleGpuRows::node).distinct().toList();
    List<Integer> ends = idle.stream().map(one -> one.span().task()).distinct().sorted().toList();
    String job = Long.toString(first.job());
    return new WasteAnswer.Row(
        "lent-and-idle",
        first.user(),
        first.type(),
        nodes.size() == 1 ? nodes.get(0) : null,
        names(gpus),
        first.job(),
        "job "
            + job
            + " has "
            + (gpus.size() == 1 ? "a GPU" : gpus.size() + " GPUs")
            + " and has not used "
            + (gpus.size() == 1 ? "it" : "them")
            + " for "
            + (now - since) / MINUTE
            + " min: look at remuda logs "
            + job
            + " before you end it",
        since,
        ends.size() >= tasks
            ? "remuda cancel " + job
            : "remuda cancel "
                + ends.stream()
                    .limit(MOST_NAMES)
                    .map(task -> job + "." + task)
                    .collect(Collectors.joining(" ")));
  }

  private static String node(String gpu) {
    return gpu.substring(0, gpu.indexOf(':'));
  }

  private static String names(List<String> all) {
    String some = all.stream().limit(MOST_NAMES).collect(Collectors.joining(", "));
    return all.size() > MOST_NAMES ? some + " and " + (all.size() - MOST_NAMES) + " more" : some;
  }
}
