package io.remuda.coordinator.rest;

import io.remuda.agent.protocol.BuildVersion;
import io.remuda.coordinator.api.ClusterNodesSnapshot;
import io.remuda.coordinator.api.CoordinatorCommand.NodeUse;
import io.remuda.coordinator.api.Rejection;
import io.remuda.coordinator.api.Reply;
import io.remuda.coordinator.lifecycle.TaskState;
import io.remuda.coordinator.rest.answer.ChangedNodeAnswer;
import io.remuda.coordinator.rest.answer.EndedForeignTaskAnswer;
import io.remuda.coordinator.rest.answer.NodeReadingsAnswer;
import io.remuda.coordinator.rest.answer.NodesAnswer;
import io.remuda.coordinator.rest.answer.StoppingAnswer;
import io.remuda.coordinator.rest.answer.TopAnswer;
import io.remuda.coordinator.rest.answer.VersionAnswer;
import io.remuda.coordinator.rest.query.ApiRequest;
import io.remuda.coordinator.rest.query.QueryParameters;
import io.remuda.coordinator.rest.query.RouteHandlers;
import io.remuda.coordinator.rest.view.JsonResponses;
import io.remuda.coordinator.rest.view.RestBackend;
import io.remuda.coordinator.route.ApiRoute;
import io.remuda.coordinator.schedule.model.NodeOffer;
import io.remuda.coordinator.store.row.JobRow;
import io.remuda.telemetry.model.NodeSample;
import io.remuda.worker.job.AttemptId;
import io.remuda.worker.job.JobId;
import java.time.Instant;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionStage;
import org.apache.pekko.http.javadsl.model.HttpResponse;

/** The routes of nodes, of {@code remuda top} and of the server itself. */
final class NodeAndServerRoutes {

  private final RestBackend backend;
  private final RestServer.Owner owner;
  private final MemberAndForwardingRoutes members;

  NodeAndServerRoutes(
      RestBackend backend, RestServer.Owner owner, MemberAndForwardingRoutes members) {
    this.backend = backend;
    this.owner = owner;
    this.members = members;
  }

  private CompletionStage<HttpResponse> list() {
    return backend
        .nodes()
        .thenCompose(
            view ->
                absence(view)
                    .thenApply(
                        absent ->
                            JsonResponses.ok(
                                NodesAnswer.of(view, absent.orElse(null), owner.scheduling()))));
  }

  private CompletionStage<HttpResponse> readings(String node) {
    return backend
        .nodes()
        .thenApply(
            view -> {
              boolean silent =
                  view.nodes().stream()
                      .noneMatch(
                          one ->
                              one.node().equals(node)
                                  && one.presence() != NodeOffer.Presence.SILENT);
              NodeSample sample = silent ? null : view.samples().get(node);
              return sample == null
                  ? JsonResponses.no(
                      Rejection.of(
                          Rejection.Code.NOT_FOUND, "nothing is known of a node '" + node + "'"))
                  : JsonResponses.ok(NodeReadingsAnswer.of(sample));
            });
  }

  /** Returns why the node of this machine is not there, if it is not. */
  private CompletionStage<Optional<String>> absence(ClusterNodesSnapshot view) {
    boolean there = owner.ownNode().filter(view.builds()::containsKey).isPresent();
    return there || owner.ownNode().isEmpty()
        ? CompletableFuture.completedFuture(Optional.empty())
        : backend.query(none -> owner.absence());
  }

  void add(RouteHandlers routes) {
    routes
        .on(ApiRoute.TOP, request -> top(QueryParameters.rows(request.query("jobs"))))
        .on(ApiRoute.NODES, request -> list())
        .on(ApiRoute.READINGS, request -> readings(request.name()))
        .on(
            ApiRoute.DRAIN,
            request -> changed(backend.use(request.name(), drained(request), request.reason())))
        .on(ApiRoute.RESUME, request -> changed(backend.use(request.name(), NodeUse.OPEN, null)))
        .on(
            ApiRoute.GONE,
            request -> changed(backend.giveUp(request.name(), request.reason(), request.caller())))
        .on(ApiRoute.REMOVE_NODE, request -> changed(backend.removeNode(request.name())))
        .on(ApiRoute.DRAIN_GPUS, request -> changeGpus(request, drained(request)))
        .on(ApiRoute.RESUME_GPUS, request -> changeGpus(request, NodeUse.OPEN))
        .onNow(
            ApiRoute.VERSION,
            request -> JsonResponses.ok(new VersionAnswer(BuildVersion.VERSION, "v1")))
        .onNow(ApiRoute.STOP, this::stop)
        .on(ApiRoute.END_FOREIGN, request -> endForeign(request.name(), request.values().get(1)));
  }

  private CompletionStage<HttpResponse> changeGpus(ApiRequest request, NodeUse use) {
    List<String> gpus = QueryParameters.gpus(request.query("gpu"));
    return changed(backend.useGpus(request.name(), gpus, use, request.reason()));
  }

  private static NodeUse drained(ApiRequest request) {
    return request.has("move") ? NodeUse.DRAINED_AND_MOVED : NodeUse.DRAINED;
  }

  private CompletionStage<HttpResponse> endForeign(String node, String attempt) {
    return backend
        .endForeign(node, AttemptId.parse(attempt))
        .thenApply(
            answer ->
                JsonResponses.of(
                    answer, ended -> JsonResponses.ok(new EndedForeignTaskAnswer(ended))));
  }

  private static CompletionStage<HttpResponse> changed(CompletionStage<Reply<String>> nodeChange) {
    return nodeChange.thenApply(
        answer -> JsonResponses.of(answer, name -> JsonResponses.ok(new ChangedNodeAnswer(name))));
  }

  private HttpResponse stop(ApiRequest request) {
    ServerStopMode how = stopMode(request);
    Optional<HttpResponse> refusal = members.refusalToStop(how);
    if (refusal.isEmpty()) {
      owner.stop(how);
    }
    return refusal.orElseGet(() -> JsonResponses.ok(new StoppingAnswer(true)));
  }

  private static ServerStopMode stopMode(ApiRequest request) {
    if (request.has("keep")) {
      return ServerStopMode.TASKS_RUN_ON;
    }
    return request.has("now") ? ServerStopMode.TASKS_ARE_KILLED : ServerStopMode.TASKS_END;
  }

  /**
   * Returns nodes, GPUs and jobs. It costs the agents nothing, because they send a sample each
   * second in any case, for the placement of tasks.
   */
  private CompletionStage<HttpResponse> top(int limit) {
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

  private record Rows(Map<TaskState, Integer> counts, List<JobRow> shown) {}
}
