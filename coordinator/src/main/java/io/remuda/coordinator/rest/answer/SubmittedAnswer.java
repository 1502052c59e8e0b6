package io.remuda.coordinator.rest.answer;

import com.fasterxml.jackson.annotation.JsonInclude;
import io.remuda.coordinator.api.NewJob;
import io.remuda.worker.job.CommandWorkload;
import io.remuda.worker.job.JobId;
import io.remuda.worker.job.sweep.IndexRanges;
import io.remuda.worker.job.sweep.Sweep;
import java.util.ArrayList;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Optional;
import java.util.Set;

/**
 * The jobs of a submission.
 *
 * @param ids in the order of the submission
 * @param planned what would be submitted; only of a dry run
 */
public record SubmittedAnswer(
    List<Long> ids, @JsonInclude(JsonInclude.Include.NON_NULL) List<Planned> planned) {

  /** Tasks of a job whose commands are told. */
  private static final int MOST_COMMANDS = 10;

  /** Approximate characters of the commands of an answer; further ones are left out. */
  private static final int MOST_CHARACTERS = 1 << 20;

  /**
   * A job that would be submitted.
   *
   * @param tasks number of its tasks
   * @param indices array indices of its tasks, as 3,7-20:2, also of those that would run again;
   *     absent if they count from 0
   * @param sweep whether its tasks differ by their values
   * @param commands program and arguments of its first tasks with their values, ten at most; of
   *     tasks that are alike once. Those that would make the answer too long are left out
   * @param needs of each task, or of the first role
   * @param timeLimitMillis of each attempt, 0 for none
   */
  public record Planned(
      String name,
      int tasks,
      @JsonInclude(JsonInclude.Include.NON_NULL) String indices,
      boolean sweep,
      List<List<String>> commands,
      NeedsAnswer needs,
      long timeLimitMillis) {

    private static Planned of(NewJob job, int most) {
      Sweep sweep = job.terms().array().sweep();
      Set<List<String>> commands = new LinkedHashSet<>();
      long left = most;
      for (int task = 0; task < Math.min(MOST_COMMANDS, job.tasks().size()); task++) {
        if (job.tasks().get(task) instanceof CommandWorkload command) {
          List<String> words =
              sweep == null ? command.argv() : sweep.parameters(task).filled(command.argv());
          left -= size(words);
          if (left >= 0) {
            commands.add(words);
          }
        }
      }
      return new Planned(
          job.name(),
          job.tasks().size(),
          sweep == null
              ? null
              : sweep
                  .indices()
                  .or(() -> Optional.ofNullable(sweep.picked()))
                  .map(IndexRanges::toString)
                  .orElse(null),
          sweep != null,
          List.copyOf(commands),
          NeedsAnswer.of(job.request()),
          job.terms().timeLimitMillis());
    }

    private static int size(List<String> words) {
      return words.stream().mapToInt(String::length).sum();
    }
  }

  public static SubmittedAnswer of(List<JobId> jobs) {
    return new SubmittedAnswer(jobs.stream().map(JobId::value).toList(), null);
  }

  /** Returns the answer to a dry run, in which jobs have no numbers. */
  public static SubmittedAnswer planned(List<NewJob> jobs) {
    List<Planned> planned = new ArrayList<>();
    int left = MOST_CHARACTERS;
    for (NewJob job : jobs) {
      Planned next = Planned.of(job, left);
      left -= next.commands().stream().mapToInt(Planned::size).sum();
      planned.add(next);
    }
    return new SubmittedAnswer(List.of(), planned);
  }
}
