package io.remuda.coordinator.rest;

import io.remuda.coordinator.api.CoordinatorCommand.Caller;
import io.remuda.coordinator.api.CoordinatorCommand.NodeUse;
import io.remuda.coordinator.api.Rejection;
import io.remuda.coordinator.api.Reply;
import io.remuda.coordinator.rest.answer.AddedUserAnswer;
import io.remuda.coordinator.rest.answer.ChangedNodeAnswer;
import io.remuda.coordinator.rest.answer.EndedForeignAnswer;
import io.remuda.coordinator.rest.answer.NodesAnswer;
import io.remuda.coordinator.rest.answer.RemovedUserAnswer;
import io.remuda.coordinator.rest.answer.StoppingAnswer;
import io.remuda.coordinator.rest.answer.UsersAnswer;
import io.remuda.coordinator.rest.request.RequestBodies;
import io.remuda.coordinator.rest.request.UserRequest;
import io.remuda.coordinator.rest.view.JsonResponses;
import io.remuda.coordinator.rest.view.RestBackend;
import io.remuda.coordinator.store.row.UserRow;
import io.remuda.worker.job.AttemptId;
import java.util.Optional;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionStage;
import java.util.function.Supplier;
import org.apache.pekko.http.javadsl.model.HttpResponse;
import org.apache.pekko.http.javadsl.model.StatusCodes;
import org.apache.pekko.http.javadsl.server.AllDirectives;
import org.apache.pekko.http.javadsl.server.PathMatchers;
import org.apache.pekko.http.javadsl.server.Route;
import org.apache.pekko.http.javadsl.unmarshalling.Unmarshaller;

/** The routes of nodes, users, and the server itself. */
final class ServerRoutes extends AllDirectives {

  private final RestBackend backend;
  private final BearerTokens tokens;
  private final Stopping stopping;

  /** Stops the server after the response was sent. */
  interface Stopping {
    /** Begins to end the server in this way. */
    void stop(StopMode how);
  }

  ServerRoutes(RestBackend backend, BearerTokens tokens, Stopping stopping) {
    this.backend = backend;
    this.tokens = tokens;
    this.stopping = stopping;
  }

  Route nodes(Caller caller) {
    return concat(
        pathEndOrSingleSlash(
            () ->
                get(
                    () ->
                        completeWithFuture(
                            backend
                                .nodes()
                                .thenApply(view -> JsonResponses.ok(NodesAnswer.of(view)))))),
        path(
            PathMatchers.segment().slash("drain"),
            node ->
                post(
                    () ->
                        parameterOptional(
                            "move",
                            move ->
                                completeWithFuture(
                                    change(caller, () -> backend.use(node, drained(move))))))),
        path(
            PathMatchers.segment().slash("gone"),
            node ->
                post(() -> completeWithFuture(change(caller, () -> backend.giveUp(node, caller))))),
        path(
            PathMatchers.segment().slash("remove"),
            node -> post(() -> completeWithFuture(change(caller, () -> backend.removeNode(node))))),
        path(
            PathMatchers.segment().slash("resume"),
            node ->
                post(
                    () ->
                        completeWithFuture(change(caller, () -> backend.use(node, NodeUse.OPEN))))),
        path(
            PathMatchers.segment().slash("foreign").slash(PathMatchers.segment()).slash("end"),
            (node, id) -> post(() -> completeWithFuture(endForeign(node, id, caller)))));
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
                        answer, ended -> JsonResponses.ok(new EndedForeignAnswer(ended))))
        : CompletableFuture.completedFuture(ownerOnly("end tasks of another state file"));
  }

  private static HttpResponse ownerOnly(String what) {
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

  Route users(Caller caller) {
    return concat(
        pathEndOrSingleSlash(
            () ->
                concat(
                    get(() -> complete(list(caller))),
                    post(
                        () ->
                            entity(
                                Unmarshaller.entityToByteArray(), body -> addUser(body, caller))))),
        path(
            PathMatchers.segment().slash("remove"),
            name -> post(() -> completeWithFuture(remove(name, caller)))));
  }

  private HttpResponse list(Caller caller) {
    if (!caller.mayAll()) {
      return ownerOnly("list users");
    }
    return JsonResponses.ok(UsersAnswer.of(tokens.users(), caller.user()));
  }

  private CompletionStage<HttpResponse> remove(String name, Caller caller) {
    if (!caller.mayAll()) {
      return CompletableFuture.completedFuture(ownerOnly("remove users"));
    }
    if (name.equals(caller.user())) {
      return CompletableFuture.completedFuture(
          JsonResponses.no(
              Rejection.of(Rejection.Code.WRONG_STATE, "the owner of this server is not removed")));
    }
    Optional<UserRow> known = tokens.user(name);
    if (known.isEmpty()) {
      return CompletableFuture.completedFuture(
          JsonResponses.no(
              new Rejection(
                  Rejection.Code.NOT_FOUND, "there is no user " + name, "see remuda user list")));
    }
    UserRow removed = known.get().without(UserRow.REMOVED);
    tokens.add(removed, false); // at once, though the commit may take long
    return backend
        .setUser(removed)
        .thenApply(
            answer ->
                JsonResponses.of(
                    answer,
                    gone -> {
                      tokens.add(removed, false); // a concurrent addUser may have undone it
                      return JsonResponses.ok(new RemovedUserAnswer(gone));
                    }));
  }

  private Route addUser(byte[] body, Caller caller) {
    if (!caller.mayAll()) {
      return complete(ownerOnly("add users"));
    }
    UserRequest asked = RequestBodies.read(body, UserRequest.class);
    String name = asked.name() == null ? "" : asked.name();
    double share = asked.share() == null ? 1 : asked.share();
    if (!name.matches("[A-Za-z0-9][A-Za-z0-9._-]{0,62}") || name.equals(caller.user())) {
      throw new IllegalArgumentException(
          "name must be 1 to 63 letters, digits, '.', '_' or '-', and not yours, got '"
              + name
              + "'");
    }
    if (!(share > 0) || share > 1e6) {
      throw new IllegalArgumentException("share must be above 0, got " + share);
    }
    boolean replaced = tokens.user(name).map(UserRow::hasToken).orElse(false);
    if (replaced && !Boolean.TRUE.equals(asked.replace())) {
      return complete(
          JsonResponses.no(
              new Rejection(
                  Rejection.Code.WRONG_STATE,
                  "user " + name + " has an access file already",
                  "say --replace (replace: true) to make a new one; the old one is worth nothing"
                      + " then")));
    }
    String token = tokens.create();
    UserRow user = new UserRow(name, share, BearerTokens.hash(token));
    return completeWithFuture(
        backend
            .setUser(user)
            .thenApply(
                answer ->
                    JsonResponses.of(
                        answer,
                        added -> {
                          tokens.add(user, false);
                          return JsonResponses.json(
                              StatusCodes.CREATED, new AddedUserAnswer(added, token, replaced));
                        })));
  }

  Route stop(StopMode how, Caller caller) {
    if (!caller.mayAll()) {
      return complete(ownerOnly("stop it"));
    }
    stopping.stop(how);
    return complete(JsonResponses.ok(new StoppingAnswer(true)));
  }
}
