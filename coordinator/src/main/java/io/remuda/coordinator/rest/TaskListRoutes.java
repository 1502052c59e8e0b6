package io.remuda.coordinator.rest;

import static org.apache.pekko.http.javadsl.server.Directives.completeWithFuture;
import static org.apache.pekko.http.javadsl.server.Directives.parameterMultiMap;

import io.remuda.agent.protocol.TaskUse;
import io.remuda.coordinator.rest.answer.TaskAnswer;
import io.remuda.coordinator.rest.answer.TasksAnswer;
import io.remuda.coordinator.rest.select.MissingJob;
import io.remuda.coordinator.rest.select.TaskListRequest;
import io.remuda.coordinator.rest.view.JsonResponses;
import io.remuda.coordinator.rest.view.RestBackend;
import io.remuda.coordinator.store.StoreReader;
import io.remuda.coordinator.store.query.AttemptHistory;
import io.remuda.coordinator.store.query.EarlierAttempt;
import io.remuda.coordinator.store.row.TaskRow;
import io.remuda.worker.job.JobId;
import io.remuda.worker.job.JobSpec;
import java.io.IOException;
import java.util.List;
import java.util.Map;
import org.apache.pekko.http.javadsl.model.HttpResponse;
import org.apache.pekko.http.javadsl.server.Route;

/** The route of a job's tasks. */
final class TaskListRoutes {

  private final RestBackend backend;

  TaskListRoutes(RestBackend backend) {
    this.backend = backend;
  }

  Route of(JobId job) {
    return parameterMultiMap(
        parameters -> {
          TaskListRequest request = TaskListRequest.of(job, parameters);
          return completeWithFuture(
              backend
                  .uses(job)
                  .thenCompose(uses -> backend.query(reader -> list(request, uses, reader))));
        });
  }

  private static HttpResponse list(
      TaskListRequest request, Map<Integer, TaskUse> uses, StoreReader reader) throws IOException {
    JobId job = request.query().job();
    if (reader.job(job).isEmpty()) {
      return JsonResponses.no(MissingJob.of(job, reader));
    }
    StoreReader.RowBatch<TaskRow> part = request.query().ask(reader);
    List<TaskRow> tasks = part.rows();
    JobSpec spec = reader.spec(job).orElse(null);
    Map<Integer, List<EarlierAttempt>> earlier =
        request.attempts() ? AttemptHistory.of(job, tasks, reader) : Map.of();
    return JsonResponses.ok(
        new TasksAnswer(
            tasks.stream()
                .map(
                    task ->
                        TaskAnswer.of(
                            task,
                            spec,
                            uses.get(task.id().index()),
                            earlier.get(task.id().index())))
                .toList(),
            part.more() ? tasks.get(tasks.size() - 1).id().index() + 1 : null));
  }
}
