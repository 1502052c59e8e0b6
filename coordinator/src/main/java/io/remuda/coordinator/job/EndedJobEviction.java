package io.remuda.coordinator.job;

import io.remuda.coordinator.lifecycle.TaskState;
import io.remuda.coordinator.registry.TaskRegistry;
import io.remuda.coordinator.registry.task.TaskChange;
import io.remuda.worker.job.JobId;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;

/**
 * Removes jobs from the registry once their end is durable, and remembers how recent ones ended,
 * since later jobs may depend on them. Used only by the coordinator's actor.
 */
public final class EndedJobEviction {

  private static final int MOST_REMEMBERED = 10_000;

  private final TaskRegistry tasks;
  private final LiveJobLimiter load;

  /** Final states; newest last. */
  private final Map<JobId, TaskState> ended =
      new LinkedHashMap<>() {
        private static final long serialVersionUID = 1;

        @Override
        protected boolean removeEldestEntry(Map.Entry<JobId, TaskState> eldest) {
          return size() > MOST_REMEMBERED;
        }
      };

  /**
   * @param load from which ended jobs are subtracted
   */
  public EndedJobEviction(TaskRegistry tasks, LiveJobLimiter load) {
    this.tasks = tasks;
    this.load = load;
  }

  /** Returns the final state of a job, whether it is still in the registry or not. */
  Optional<TaskState> stateOf(JobId job) {
    return tasks
        .stateOf(job)
        .filter(TaskState::isFinal)
        .or(() -> Optional.ofNullable(ended.get(job)));
  }

  /** Removes jobs that have ended with these changes, and the details of ended tasks. */
  public void drop(List<TaskChange> changes) {
    changes.stream()
        .map(change -> change.attempt().task().job())
        .distinct()
        .forEach(this::dropIfOver);
    changes.stream()
        .filter(change -> change.to().isFinal() && !change.isOfMany())
        .forEach(change -> tasks.isKept(change.attempt().task()));
  }

  private void dropIfOver(JobId job) {
    Optional<TaskState> end = tasks.stateOf(job).filter(TaskState::isFinal);
    end.ifPresent(
        state -> {
          ended.put(job, state);
          tasks.job(job).ifPresent(load::remove);
          tasks.drop(job);
        });
  }
}
