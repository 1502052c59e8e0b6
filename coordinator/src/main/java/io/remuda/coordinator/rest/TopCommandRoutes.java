package io.remuda.coordinator.rest;

import static org.apache.pekko.http.javadsl.server.Directives.completeWithFuture;
import static org.apache.pekko.http.javadsl.server.Directives.get;
import static org.apache.pekko.http.javadsl.server.Directives.parameterOptional;

import io.remuda.coordinator.lifecycle.TaskState;
import io.remuda.coordinator.rest.answer.TopAnswer;
import io.remuda.coordinator.rest.query.QueryParameters;
import io.remuda.coordinator.rest.view.JsonResponses;
import io.remuda.coordinator.rest.view.RestBackend;
import io.remuda.coordinator.store.row.JobRow;
import io.remuda.worker.job.JobId;
import java.time.Instant;
import java.util.List;
import java.util.Map;
import java.util.concurrent.CompletionStage;
import org.apache.pekko.http.javadsl.model.HttpResponse;
import org.apache.pekko.http.javadsl.server.Route;

/**
 * The route of {@code remuda top}: nodes, GPUs and jobs in one response. It costs the agents
 * nothing, because they send a sample each second in any case, for the placement of tasks.
 */
final class TopCommandRoutes {

  private final RestBackend backend;

  TopCommandRoutes(RestBackend backend) {
    this.backend = backend;
  }

  Route look() {
    return get(
        () ->
            parameterOptional(
                "jobs", jobs -> completeWithFuture(look(QueryParameters.rows(jobs)))));
  }

  private record Rows(Map<TaskState, Integer> counts, List<JobRow> shown) {}

  private CompletionStage<HttpResponse> look(int limit) {
    return backend
        .query(reader -> new Rows(reader.liveCounts(), reader.liveJobs(limit)))
        .thenCompose(this::seen)
        .thenCombine(
            backend.nodes(),
            (jobs, cluster) -> JsonResponses.ok(TopAnswer.of(cluster, jobs, Instant.now())));
  }

  private CompletionStage<TopAnswer.Jobs> seen(Rows rows) {
    List<JobId> shown = rows.shown().stream().map(JobRow::id).toList();
    return backend
        .look(shown)
        .thenApply(views -> new TopAnswer.Jobs(rows.counts(), rows.shown(), views));
  }
}
