package io.remuda.coordinator.rest;

import io.remuda.agent.protocol.TaskUse;
import io.remuda.coordinator.api.CoordinatorCommand.Caller;
import io.remuda.coordinator.api.LiveJobProgress;
import io.remuda.coordinator.api.Rejection;
import io.remuda.coordinator.rest.answer.JobAnswer;
import io.remuda.coordinator.rest.answer.JobDetailsAnswer;
import io.remuda.coordinator.rest.answer.TaskAnswer;
import io.remuda.coordinator.rest.query.QueryParameters;
import io.remuda.coordinator.rest.select.MissingJob;
import io.remuda.coordinator.rest.view.JobProgressReader;
import io.remuda.coordinator.rest.view.JsonResponses;
import io.remuda.coordinator.rest.view.RestBackend;
import io.remuda.coordinator.store.StoreReader;
import io.remuda.coordinator.store.query.DependentJobs;
import io.remuda.coordinator.store.row.JobRow;
import io.remuda.coordinator.store.row.TaskRow;
import io.remuda.worker.job.JobId;
import io.remuda.worker.job.JobSpec;
import java.io.IOException;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionStage;
import org.apache.pekko.http.javadsl.model.HttpResponse;

/** Answers what is known of one job, with its first tasks. */
final class JobDetailsHandler {

  /** Tasks that the answer about a job has; the others are asked for in parts. */
  private static final int SHOWN_TASKS = 100;

  /** What is read of a job of whose tasks none is wanted. */
  private static final StoreReader.RowBatch<TaskRow> NO_TASKS =
      new StoreReader.RowBatch<>(List.of(), true);

  private final RestBackend backend;
  private final JobProgressReader progress;

  JobDetailsHandler(RestBackend backend, JobProgressReader progress) {
    this.backend = backend;
    this.progress = progress;
  }

  /** What the store knows of a job. */
  private record Stored(
      JobRow row,
      Optional<JobSpec> spec,
      StoreReader.RowBatch<TaskRow> tasks,
      List<Long> dependents,
      Rejection no) {}

  /**
   * Returns what is known of a job.
   *
   * @param withProgress whether that is also how far it is, and what waits for it
   * @param most how many tasks the answer has at most; empty for as many as it can have
   * @throws IllegalArgumentException if it cannot have so many; the message is for users
   */
  CompletionStage<HttpResponse> of(
      JobId id, boolean withProgress, Optional<String> most, Caller caller) {
    long tasks = QueryParameters.number(most, SHOWN_TASKS);
    if (tasks < 0 || tasks > SHOWN_TASKS) {
      throw new IllegalArgumentException(
          "limit must be 0 to " + SHOWN_TASKS + " tasks, got " + tasks);
    }
    CompletionStage<Map<Integer, TaskUse>> used =
        tasks == 0 ? CompletableFuture.completedFuture(Map.of()) : backend.uses(id);
    return used.thenCompose(uses -> show(id, uses, withProgress, (int) tasks, caller));
  }

  private CompletionStage<HttpResponse> show(
      JobId id, Map<Integer, TaskUse> uses, boolean withProgress, int most, Caller caller) {
    CompletionStage<Stored> stored = backend.query(reader -> read(id, withProgress, most, reader));
    return withProgress
        ? stored.thenCompose(
            found ->
                progress
                    .of(found.row() == null ? List.of() : List.of(found.row()))
                    .thenApply(views -> details(found, views.get(id), uses, caller)))
        : stored.thenApply(found -> details(found, null, uses, caller));
  }

  private static Stored read(JobId id, boolean withProgress, int most, StoreReader reader)
      throws IOException {
    Optional<JobRow> row = reader.job(id);
    return row.isEmpty()
        ? new Stored(null, Optional.empty(), null, List.of(), MissingJob.of(id, reader))
        : new Stored(
            row.get(),
            reader.spec(id),
            most == 0 ? NO_TASKS : reader.tasks(id, 0, most),
            withProgress ? DependentJobs.of(row.get(), reader) : List.of(),
            null);
  }

  private static HttpResponse details(
      Stored found, LiveJobProgress view, Map<Integer, TaskUse> uses, Caller caller) {
    if (found.row() == null) {
      return JsonResponses.no(found.no());
    }
    boolean own = caller.mayActFor(found.row().user());
    JobAnswer job = JobAnswer.of(found.row(), own);
    JobSpec spec = found.spec().orElse(null);
    return JsonResponses.ok(
        JobDetailsAnswer.of(
            view == null ? job : job.with(view),
            spec,
            found.dependents(),
            found.tasks().rows().stream()
                .map(task -> TaskAnswer.of(task, spec, uses.get(task.id().index()), null))
                .toList(),
            found.tasks().more(),
            own));
  }
}
