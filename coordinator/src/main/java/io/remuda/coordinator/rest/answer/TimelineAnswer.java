package io.remuda.coordinator.rest.answer;

import java.util.List;

/**
 * What ran where. Times are seconds since 1970.
 *
 * @param since from when on it is known why nobody had a GPU; what ran before is of the jobs that
 *     are kept, the newest attempt of each task
 * @param gaps times in which nobody had a GPU
 * @param more whether shorter ones are left out
 */
public record TimelineAnswer(
    long from, long to, long since, List<Span> spans, List<Gap> gaps, boolean more) {

  /**
   * A time in which an attempt had a GPU or a part of it.
   *
   * @param gpu as {@code NODE:NUMBER}, or {@code NODE:UUID} if its number is not known
   * @param to null if it still has it
   * @param user whose; null if the job is not kept any more, as type
   * @param memory bytes that were promised to it; null if that is not known
   */
  public record Span(
      String gpu,
      String uuid,
      long from,
      Long to,
      long job,
      int task,
      int attempt,
      String user,
      String type,
      Long memory) {}

  /**
   * A time in which nobody had a GPU.
   *
   * @param to null if that is still so
   * @param reason why
   * @param job that it was kept for, or that the free GPUs were too few for; or null
   * @param text the reason in words, with the job
   */
  public record Gap(
      String gpu, String uuid, long from, Long to, String reason, Long job, String text) {}
}
