package io.remuda.coordinator.rest;

import io.remuda.coordinator.api.CoordinatorCommand.Caller;
import io.remuda.coordinator.api.Rejection;
import io.remuda.coordinator.rest.answer.AddedUserAnswer;
import io.remuda.coordinator.rest.answer.RemovedUserAnswer;
import io.remuda.coordinator.rest.answer.UsersAnswer;
import io.remuda.coordinator.rest.request.AddUserRequest;
import io.remuda.coordinator.rest.request.RequestBodyParser;
import io.remuda.coordinator.rest.request.UserLimitRequest;
import io.remuda.coordinator.rest.view.JsonResponses;
import io.remuda.coordinator.rest.view.RestBackend;
import io.remuda.coordinator.schedule.model.UserLimits;
import io.remuda.coordinator.store.row.UserRow;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionStage;
import org.apache.pekko.http.javadsl.model.HttpResponse;
import org.apache.pekko.http.javadsl.model.StatusCodes;
import org.apache.pekko.http.javadsl.server.AllDirectives;
import org.apache.pekko.http.javadsl.server.PathMatchers;
import org.apache.pekko.http.javadsl.server.Route;
import org.apache.pekko.http.javadsl.unmarshalling.Unmarshaller;

/** The routes of users. */
final class UserRoutes extends AllDirectives {

  private final RestBackend backend;
  private final UserTokenRegistry tokens;

  UserRoutes(RestBackend backend, UserTokenRegistry tokens) {
    this.backend = backend;
    this.tokens = tokens;
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
            name -> post(() -> completeWithFuture(remove(name, caller)))),
        path(
            PathMatchers.segment().slash("limits"),
            name ->
                post(
                    () ->
                        entity(
                            Unmarshaller.entityToByteArray(),
                            body -> completeWithFuture(limit(name, body, caller))))));
  }

  private CompletionStage<HttpResponse> limit(String name, byte[] body, Caller caller) {
    if (!caller.mayAll()) {
      return CompletableFuture.completedFuture(NodeAndServerRoutes.ownerOnly("limit users"));
    }
    UserLimitRequest asked = RequestBodyParser.read(body, UserLimitRequest.class);
    Optional<UserRow> known =
        name.equals(UserLimits.ALL_USERS)
            ? Optional.of(UserRow.ofAll(tokens.limitsOfAll()))
            : tokens.user(name);
    if (known.isEmpty()) {
      return CompletableFuture.completedFuture(noUser(name));
    }
    UserRow limited = known.get().with(asked.changed(known.get().limits()));
    return backend
        .setUser(limited)
        .thenApply(
            answer ->
                JsonResponses.of(
                    answer,
                    done -> {
                      tokens.add(limited, name.equals(caller.user()));
                      return JsonResponses.ok(
                          UsersAnswer.of(List.of(limited), tokens.limitsOfAll(), caller.user()));
                    }));
  }

  private static HttpResponse noUser(String name) {
    return JsonResponses.no(
        new Rejection(
            Rejection.Code.NOT_FOUND, "there is no user " + name, "see remuda user list"));
  }

  private HttpResponse list(Caller caller) {
    if (!caller.mayAll()) {
      return NodeAndServerRoutes.ownerOnly("list users");
    }
    return JsonResponses.ok(UsersAnswer.of(tokens.users(), tokens.limitsOfAll(), caller.user()));
  }

  private CompletionStage<HttpResponse> remove(String name, Caller caller) {
    if (!caller.mayAll()) {
      return CompletableFuture.completedFuture(NodeAndServerRoutes.ownerOnly("remove users"));
    }
    if (name.equals(caller.user())) {
      return CompletableFuture.completedFuture(
          JsonResponses.no(
              Rejection.of(Rejection.Code.WRONG_STATE, "the owner of this server is not removed")));
    }
    Optional<UserRow> known = tokens.user(name);
    if (known.isEmpty()) {
      return CompletableFuture.completedFuture(noUser(name));
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
      return complete(NodeAndServerRoutes.ownerOnly("add users"));
    }
    AddUserRequest asked = RequestBodyParser.read(body, AddUserRequest.class);
    String name = asked.name() == null ? "" : asked.name();
    Optional<UserRow> known = tokens.user(name);
    double usual = known.map(UserRow::share).orElse(1.0);
    double share = asked.share() == null ? usual : asked.share();
    if (!name.matches("[A-Za-z0-9][A-Za-z0-9._-]{0,62}") || name.equals(caller.user())) {
      throw new IllegalArgumentException(
          "name must be 1 to 63 letters, digits, '.', '_' or '-', and not yours, got '"
              + name
              + "'");
    }
    if (!(share > 0) || share > 1e6) {
      throw new IllegalArgumentException("share must be above 0, got " + share);
    }
    boolean replaced = known.map(UserRow::hasToken).orElse(false);
    if (replaced && !Boolean.TRUE.equals(asked.replace())) {
      return complete(
          JsonResponses.no(
              new Rejection(
                  Rejection.Code.WRONG_STATE,
                  "user " + name + " has an access file already",
                  "remuda user renew " + name + " makes a new one; the old one is invalid then")));
    }
    String token = tokens.create();
    UserRow user =
        new UserRow(
            name,
            share,
            UserTokenRegistry.hash(token),
            known.map(UserRow::limits).orElse(UserLimits.USUAL));
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
}
