package io.remuda.coordinator.ensemble;

import io.remuda.agent.protocol.TaskReport.TaskProgress;
import io.remuda.coordinator.console.BarSource;
import io.remuda.coordinator.lifecycle.TaskState;
import io.remuda.coordinator.registry.TaskChange;
import io.remuda.telemetry.window.UtilizationSummary;
import io.remuda.worker.job.AttemptId;
import io.remuda.worker.job.JobSpec;
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
 * What a run has to do and what it has brought: which tasks are unfinished, which images are handed
 * out, the results. It decides nothing about nodes or time. One thread.
 */
final class RunProgress {

  private final EnsembleSettings settings;
  private final ItemPool pool;
  private final RunResults results = new RunResults();
  private final PoolProgress progress;
  private final Set<TaskId> unfinished = new HashSet<>();
  private final Set<TaskId> lostWorkers = new HashSet<>();
  private final Map<TaskId, String> notedRefusals = new HashMap<>();

  RunProgress(EnsembleSettings settings) {
    this.settings = settings;
    this.pool = new ItemPool(settings.images(), settings.scipyWorkers());
    this.progress = new PoolProgress(settings);
    for (int index = 0; index < settings.mnistWorkers(); index++) {
      unfinished.add(new TaskId(EnsembleJobs.MNIST, index)); // also before their data is there
    }
  }

  void submitted(JobSpec job) {
    for (int index = 0; index < job.tasks().size(); index++) {
      unfinished.add(new TaskId(job.id(), index));
    }
  }

  boolean isDone() {
    return unfinished.isEmpty();
  }

  /** The next images for a worker that asks, or word that there are none. */
  ToWorker grant(AttemptId worker, long request) {
    return pool.next(worker)
        .<ToWorker>map(range -> new ToWorker.ItemsGranted(request, range.from(), range.to()))
        .orElseGet(() -> new ToWorker.NoMoreItems(request));
  }

  /** Takes in what a worker told; returns a line for people if it is of interest to them. */
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

  /** Takes in a task's change of state; returns a line for people if they should know. */
  Optional<String> moved(TaskChange change) {
    TaskId task = change.attempt().task();
    if (task.job().equals(EnsembleJobs.MNIST)) {
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
    if (task.job().equals(EnsembleJobs.MNIST)) {
      results.failed(task.index(), rate(task), cause);
      return Optional.empty(); // it is among the failures of the final report
    }
    lostWorkers.add(task);
    return Optional.of(who(task) + " failed: " + cause);
  }

  /** Says once why a task cannot have the device that it was to get. */
  private Optional<String> refused(TaskId task, TaskChange change) {
    String cause = String.valueOf(change.cause());
    boolean news = !cause.equals(notedRefusals.put(task, cause));
    return news ? Optional.of(who(task) + " waits: " + cause) : Optional.empty();
  }

  /** Takes in how far tasks say that they are. */
  void progressed(Map<AttemptId, TaskProgress> tasks) {
    tasks.forEach(
        (attempt, at) -> {
          if (attempt.task().job().equals(EnsembleJobs.MNIST)) {
            progress.at(attempt.task().index(), at);
          }
        });
  }

  /** How far all of it is. */
  BarSource progress() {
    return progress.picture();
  }

  private double rate(TaskId task) {
    return settings.learningRate(task.index());
  }

  private String who(TaskId task) {
    return task.job().equals(EnsembleJobs.MNIST)
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

  /** The final lines, in the order of the learning rates. */
  List<String> finalLines() {
    return results.finalLines();
  }

  /** What went wrong, a line each; a run without any is good unless a worker was lost. */
  List<String> failureLines() {
    return results.failureLines(pool);
  }

  boolean isGood() {
    return failureLines().isEmpty() && lostWorkers.isEmpty();
  }

  /** The report for programs. */
  String json(String run, List<String> nodes, double seconds) {
    return results.json(run, nodes, pool, seconds);
  }
}
