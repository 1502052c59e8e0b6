package io.remuda.coordinator.ensemble;

import io.remuda.agent.protocol.TaskReport.TaskProgress;
import io.remuda.coordinator.api.NewJob;
import io.remuda.coordinator.console.BarSource;
import io.remuda.coordinator.lifecycle.TaskState;
import io.remuda.coordinator.registry.task.TaskChange;
import io.remuda.telemetry.window.UtilizationSummary;
import io.remuda.worker.job.AttemptId;
import io.remuda.worker.job.JobId;
import io.remuda.worker.job.TaskId;
import io.remuda.worker.protocol.ToWorker;
import io.remuda.worker.protocol.WorkerEvent;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;

/**
 * The work and the results of a run: unfinished tasks, images that were handed out, results. It is
 * independent of nodes and time. One thread.
 */
final class EnsembleWorkAndResults {

  private final EnsembleSettings settings;
  private final ItemPool pool;
  private final RunResults results = new RunResults();
  private final PoolProgress progress;
  private final Set<TaskId> unfinished = new HashSet<>();
  private int poolsToSubmit;

  /** The job of the trainings; null before it is submitted. */
  private JobId trainings;

  private final Set<TaskId> lostWorkers = new HashSet<>();
  private final Map<TaskId, String> notedRefusals = new HashMap<>();

  EnsembleWorkAndResults(EnsembleSettings settings) {
    this.settings = settings;
    this.pool = new ItemPool(settings.images(), settings.scipyWorkers());
    this.progress = new PoolProgress(settings);
    this.poolsToSubmit = settings.mnistWorkers() > 0 ? 2 : 1;
  }

  /** Records that a pool has become a job. */
  void submitted(NewJob pool, JobId job) {
    poolsToSubmit--;
    if (pool.name().equals(EnsembleJobFactory.MNIST)) {
      trainings = job;
    }
    for (int index = 0; index < pool.tasks().size(); index++) {
      unfinished.add(new TaskId(job, index));
    }
  }

  /** Returns whether both pools were submitted and have ended. */
  boolean isDone() {
    return poolsToSubmit <= 0 && unfinished.isEmpty();
  }

  /** Returns the job of the trainings, empty before it is submitted. */
  Optional<JobId> trainings() {
    return Optional.ofNullable(trainings);
  }

  /** Returns the next images for a worker, or the answer that there are no more. */
  ToWorker grant(AttemptId worker, long request) {
    return pool.next(worker)
        .<ToWorker>map(range -> new ToWorker.ItemsGranted(request, range.from(), range.to()))
        .orElseGet(() -> new ToWorker.NoMoreItems(request));
  }

  /** Records an event of a worker; returns a line for the user if there is one. */
  Optional<String> told(AttemptId attempt, WorkerEvent event) {
    if (event instanceof WorkerEvent.ItemsDone items) {
      pool.done(attempt, items.from(), items.to());
      progress.imagesDone(pool.doneItems());
      results.failedItems(items.failures());
    } else if (event instanceof WorkerEvent.Trained trained) {
      results.trained(
          attempt.task().index(), trained.learningRate(), trained.testLoss(), trained.accuracy());
    } else if (event instanceof WorkerEvent.EpochDone epoch) {
      progress.epoch(attempt.task().index(), epoch);
      return Optional.of(ProgressLines.epoch(rate(attempt.task()), epoch));
    } else if (event instanceof WorkerEvent.Said said) {
      return Optional.of(who(attempt.task()) + ": " + said.text());
    }
    return Optional.empty();
  }

  /** Records a task's change of state; returns a line for the user if there is one. */
  Optional<String> moved(TaskChange change) {
    TaskId task = change.attempt().task();
    if (task.job().equals(trainings)) {
      progress.moved(task.index(), change.to());
    }
    if (change.releases()) {
      pool.returned(change.attempt());
    }
    if (change.to().isFinal()) {
      unfinished.remove(task);
      return change.to() == TaskState.SUCCEEDED ? Optional.empty() : failed(task, change);
    }
    return switch (change.trigger()) {
      case INTERRUPTED -> Optional.of(ProgressLines.interrupted(who(task), change));
      case REFUSED -> refused(task, change);
      default -> Optional.empty();
    };
  }

  private Optional<String> failed(TaskId task, TaskChange change) {
    String cause = String.valueOf(change.cause());
    if (task.job().equals(trainings)) {
      results.failed(task.index(), rate(task), cause);
      return Optional.empty(); // the final report lists it
    }
    lostWorkers.add(task);
    return Optional.of(who(task) + " failed: " + cause);
  }

  /** Returns why a node refused a task, unless this cause was reported just before. */
  private Optional<String> refused(TaskId task, TaskChange change) {
    String cause = String.valueOf(change.cause());
    boolean news = !cause.equals(notedRefusals.put(task, cause));
    return news ? Optional.of(who(task) + " waits: " + cause) : Optional.empty();
  }

  /** Records the progress of trainings. */
  void progressed(Map<AttemptId, TaskProgress> tasks) {
    tasks.forEach(
        (attempt, at) -> {
          if (attempt.task().job().equals(trainings)) {
            progress.at(attempt.task().index(), at);
          }
        });
  }

  /** Returns the current progress as bars. */
  BarSource progress() {
    return progress.picture();
  }

  private double rate(TaskId task) {
    return settings.learningRate(task.index());
  }

  private String who(TaskId task) {
    return task.job().equals(trainings)
        ? ProgressLines.learningRate(rate(task))
        : "scipy worker " + task.index();
  }

  int imagesDone() {
    return pool.doneItems();
  }

  int images() {
    return pool.total();
  }

  void observed(List<UtilizationSummary> summaries) {
    results.observed(summaries);
  }

  List<UtilizationSummary> telemetry() {
    return results.telemetry();
  }

  /** Returns the final lines, in the order of the learning rates. */
  List<String> finalLines() {
    return results.finalLines();
  }

  /** Returns one line for each failure; see {@link #isGood}, which also counts lost workers. */
  List<String> failureLines() {
    return results.failureLines(pool);
  }

  boolean isGood() {
    return failureLines().isEmpty() && lostWorkers.isEmpty();
  }

  /** Returns the report for programs. */
  String json(String run, List<String> nodes, double seconds) {
    return results.json(run, nodes, pool, seconds);
  }
}
