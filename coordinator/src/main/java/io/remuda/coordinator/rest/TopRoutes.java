package io.remuda.coordinator.rest;

import static org.apache.pekko.http.javadsl.server.Directives.completeWithFuture;
import static org.apache.pekko.http.javadsl.server.Directives.get;
import static org.apache.pekko.http.javadsl.server.Directives.parameterOptional;

import io.remuda.coordinator.api.Explanation;
import io.remuda.coordinator.api.Reply;
import io.remuda.coordinator.lifecycle.TaskState;
import io.remuda.coordinator.rest.answer.TopAnswer;
import io.remuda.coordinator.rest.request.QueryParameters;
import io.remuda.coordinator.rest.view.JsonResponses;
import io.remuda.coordinator.rest.view.RestBackend;
import io.remuda.coordinator.schedule.model.WaitReason;
import io.remuda.coordinator.store.row.JobRow;
import io.remuda.worker.job.JobId;
import java.time.Instant;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionStage;
import org.apache.pekko.http.javadsl.model.HttpResponse;
import org.apache.pekko.http.javadsl.server.Route;

/**
 * The route of {@code remuda top}: nodes, GPUs and jobs in one response. It costs the agents
 * nothing, because they send a sample each second in any case, for the placement of tasks.
 */
final class TopRoutes {

  /** Maximum number of jobs with the reasons for their wait; the others wait behind them. */
  private static final int EXPLAINED = 50;

  private final RestBackend backend;

  TopRoutes(RestBackend backend) {
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
        .thenCompose(this::explained)
        .thenCombine(
            backend.nodes(),
            (jobs, cluster) -> JsonResponses.ok(TopAnswer.of(cluster, jobs, Instant.now())));
  }

  private CompletionStage<TopAnswer.Jobs> explained(Rows rows) {
    List<CompletableFuture<Reply<Explanation>>> answers =
        rows.shown().stream()
            .filter(job -> job.state().isBefore())
            .limit(EXPLAINED)
            .map(job -> backend.explain(job.id()).toCompletableFuture())
            .toList();
    return CompletableFuture.allOf(answers.toArray(CompletableFuture[]::new))
        .thenApply(done -> new TopAnswer.Jobs(rows.counts(), rows.shown(), reasons(answers)));
  }

  /** Returns the reasons of completed answers; a job that has ended meanwhile has none. */
  private static Map<JobId, List<WaitReason>> reasons(
      List<CompletableFuture<Reply<Explanation>>> answers) {
    Map<JobId, List<WaitReason>> reasons = new HashMap<>();
    for (CompletableFuture<Reply<Explanation>> answer : answers) {
      if (answer.join() instanceof Reply.Yes<Explanation> yes) {
        reasons.put(yes.value().job(), yes.value().reasons());
      }
    }
    return reasons;
  }
}
