package io.remuda.coordinator.rest;

import io.remuda.coordinator.api.ClusterNodesSnapshot;
import io.remuda.coordinator.api.CoordinatorCommand.Caller;
import io.remuda.coordinator.api.CoordinatorCommand.NodeUse;
import io.remuda.coordinator.api.Rejection;
import io.remuda.coordinator.api.Reply;
import io.remuda.coordinator.rest.answer.ChangedNodeAnswer;
import io.remuda.coordinator.rest.answer.EndedForeignTaskAnswer;
import io.remuda.coordinator.rest.answer.NodesAnswer;
import io.remuda.coordinator.rest.answer.StoppingAnswer;
import io.remuda.coordinator.rest.answer.node.NodeReadingsAnswer;
import io.remuda.coordinator.rest.query.QueryParameters;
import io.remuda.coordinator.rest.view.JsonResponses;
import io.remuda.coordinator.rest.view.RestBackend;
import io.remuda.coordinator.schedule.model.NodeOffer;
import io.remuda.telemetry.model.NodeSample;
import io.remuda.worker.job.AttemptId;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionStage;
import java.util.function.Function;
import java.util.function.Supplier;
import org.apache.pekko.http.javadsl.model.HttpResponse;
import org.apache.pekko.http.javadsl.server.AllDirectives;
import org.apache.pekko.http.javadsl.server.PathMatchers;
import org.apache.pekko.http.javadsl.server.Route;

/** The routes of nodes and of the server itself. */
final class NodeAndServerRoutes extends AllDirectives {

  private final RestBackend backend;
  private final RestServer.Owner owner;

  NodeAndServerRoutes(RestBackend backend, RestServer.Owner owner) {
    this.backend = backend;
    this.owner = owner;
  }

  private CompletionStage<HttpResponse> list() {
    return backend
        .nodes()
        .thenCompose(
            view ->
                absence(view)
                    .thenApply(
                        absent -> JsonResponses.ok(NodesAnswer.of(view, absent.orElse(null)))));
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

  Route nodes(Caller caller) {
    return concat(
        pathEndOrSingleSlash(() -> get(() -> completeWithFuture(list()))),
        path(
            PathMatchers.segment().slash("readings"),
            node -> get(() -> completeWithFuture(readings(node)))),
        path(
            PathMatchers.segment().slash("drain"),
            node ->
                post(
                    () ->
                        parameterOptional(
                            "move",
                            move ->
                                withReason(
                                    why ->
                                        change(
                                            caller,
                                            () -> backend.use(node, drained(move), why)))))),
        path(
            PathMatchers.segment().slash("gpus").slash("drain"),
            node ->
                post(
                    () ->
                        parameterOptional(
                            "move", move -> changeGpus(caller, node, drained(move))))),
        path(
            PathMatchers.segment().slash("gpus").slash("resume"),
            node -> post(() -> changeGpus(caller, node, NodeUse.OPEN))),
        path(
            PathMatchers.segment().slash("gone"),
            node ->
                post(
                    () ->
                        withReason(
                            why -> change(caller, () -> backend.giveUp(node, why, caller))))),
        path(
            PathMatchers.segment().slash("remove"),
            node -> post(() -> completeWithFuture(change(caller, () -> backend.removeNode(node))))),
        path(
            PathMatchers.segment().slash("resume"),
            node ->
                post(
                    () ->
                        completeWithFuture(
                            change(caller, () -> backend.use(node, NodeUse.OPEN, null))))),
        path(
            PathMatchers.segment().slash("foreign").slash(PathMatchers.segment()).slash("end"),
            (node, id) -> post(() -> completeWithFuture(endForeign(node, id, caller)))));
  }

  private Route changeGpus(Caller caller, String node, NodeUse use) {
    return parameterOptional(
        "gpu",
        gpus -> {
          List<String> names = QueryParameters.gpus(gpus);
          return withReason(why -> change(caller, () -> backend.useGpus(node, names, use, why)));
        });
  }

  /** Passes the reason of a change on, null if none is given. */
  private Route withReason(Function<String, CompletionStage<HttpResponse>> change) {
    return parameterOptional(
        "reason", reason -> completeWithFuture(change.apply(QueryParameters.reason(reason))));
  }

  private static NodeUse drained(Optional<String> move) {
    return move.isPresent() ? NodeUse.DRAINED_AND_MOVED : NodeUse.DRAINED;
  }

  private CompletionStage<HttpResponse> endForeign(String node, String id, Caller caller) {
    return caller.mayAll()
        ? backend
            .endForeign(node, AttemptId.parse(id))
            .thenApply(
                answer ->
                    JsonResponses.of(
                        answer, ended -> JsonResponses.ok(new EndedForeignTaskAnswer(ended))))
        : CompletableFuture.completedFuture(ownerOnly("end tasks of another state file"));
  }

  static HttpResponse ownerOnly(String what) {
    return JsonResponses.no(
        Rejection.of(Rejection.Code.NOT_YOURS, "only the owner of this server may " + what));
  }

  private static CompletionStage<HttpResponse> change(
      Caller caller, Supplier<CompletionStage<Reply<String>>> nodeChange) {
    return caller.mayAll()
        ? nodeChange
            .get()
            .thenApply(
                answer ->
                    JsonResponses.of(answer, name -> JsonResponses.ok(new ChangedNodeAnswer(name))))
        : CompletableFuture.completedFuture(ownerOnly("drain nodes"));
  }

  Route stop(ServerStopMode how, Caller caller) {
    if (!caller.mayAll()) {
      return complete(ownerOnly("stop it"));
    }
    owner.stop(how);
    return complete(JsonResponses.ok(new StoppingAnswer(true)));
  }
}
