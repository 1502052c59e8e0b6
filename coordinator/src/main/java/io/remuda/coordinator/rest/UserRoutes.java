package io.remuda.coordinator.rest;

import io.remuda.coordinator.api.CoordinatorCommand.Caller;
import io.remuda.coordinator.api.Rejection;
import io.remuda.coordinator.rest.answer.AddedUserAnswer;
import io.remuda.coordinator.rest.answer.MetricsTokenAnswer;
import io.remuda.coordinator.rest.answer.RemovedMetricsTokenAnswer;
import io.remuda.coordinator.rest.answer.RemovedUserAnswer;
import io.remuda.coordinator.rest.answer.UsersAnswer;
import io.remuda.coordinator.rest.query.RouteHandlers;
import io.remuda.coordinator.rest.request.AddUserRequest;
import io.remuda.coordinator.rest.request.RequestBodyParser;
import io.remuda.coordinator.rest.request.UserLimitRequest;
import io.remuda.coordinator.rest.view.JsonResponses;
import io.remuda.coordinator.rest.view.RestBackend;
import io.remuda.coordinator.route.ApiRoute;
import io.remuda.coordinator.schedule.model.UserLimits;
import io.remuda.coordinator.store.row.UserRow;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionStage;
import java.util.function.Supplier;
import org.apache.pekko.http.javadsl.model.HttpResponse;
import org.apache.pekko.http.javadsl.model.StatusCodes;

/** The routes of users, and of the token that reads metrics alone. */
final class UserRoutes {

  private final RestBackend backend;
  private final UserTokenRegistry tokens;

  UserRoutes(RestBackend backend, UserTokenRegistry tokens) {
    this.backend = backend;
    this.tokens = tokens;
  }

  void add(RouteHandlers routes) {
    routes
        .onNow(ApiRoute.USERS, request -> list(request.caller()))
        .on(ApiRoute.ADD_USER, request -> addUser(request.body(), request.caller()))
        .on(ApiRoute.LIMIT_USER, request -> limit(request.name(), request.body(), request.caller()))
        .on(ApiRoute.REMOVE_USER, request -> remove(request.name(), request.caller()))
        .on(ApiRoute.METRICS_TOKEN, request -> createMetricsToken())
        .on(ApiRoute.REMOVE_METRICS_TOKEN, request -> removeMetricsToken());
  }

  /**
   * Stores a user's row, and makes it valid then.
   *
   * @param mayAll whether it is that of the owner
   */
  private CompletionStage<HttpResponse> store(
      UserRow row, boolean mayAll, Supplier<HttpResponse> done) {
    return backend
        .setUser(row)
        .thenApply(
            answer ->
                JsonResponses.of(
                    answer,
                    name -> {
                      tokens.add(row, mayAll); // a concurrent request may have undone it
                      return done.get();
                    }));
  }

  private CompletionStage<HttpResponse> limit(String name, byte[] body, Caller caller) {
    UserLimitRequest asked = RequestBodyParser.read(body, UserLimitRequest.class);
    Optional<UserRow> known =
        name.equals(UserLimits.ALL_USERS)
            ? Optional.of(UserRow.ofAll(tokens.limitsOfAll()))
            : tokens.user(name);
    if (known.isEmpty()) {
      return CompletableFuture.completedFuture(noUser(name));
    }
    UserRow limited = known.get().with(asked.changed(known.get().limits()));
    return store(
        limited,
        name.equals(caller.user()),
        () ->
            JsonResponses.ok(
                UsersAnswer.of(List.of(limited), tokens.limitsOfAll(), caller.user())));
  }

  private static HttpResponse noUser(String name) {
    return JsonResponses.no(
        new Rejection(
            Rejection.Code.NOT_FOUND, "there is no user " + name, "see remuda user list"));
  }

  private HttpResponse list(Caller caller) {
    return JsonResponses.ok(UsersAnswer.of(tokens.users(), tokens.limitsOfAll(), caller.user()));
  }

  private CompletionStage<HttpResponse> remove(String name, Caller caller) {
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
    return store(removed, false, () -> JsonResponses.ok(new RemovedUserAnswer(name)));
  }

  private CompletionStage<HttpResponse> addUser(byte[] body, Caller caller) {
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
      return CompletableFuture.completedFuture(
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
    return store(
        user,
        false,
        () -> JsonResponses.json(StatusCodes.CREATED, new AddedUserAnswer(name, token, replaced)));
  }

  private CompletionStage<HttpResponse> createMetricsToken() {
    String token = tokens.create();
    boolean replaced = tokens.hasMetricsToken();
    return store(
        UserTokenRegistry.metricsReader(token),
        false,
        () -> JsonResponses.json(StatusCodes.CREATED, new MetricsTokenAnswer(token, replaced)));
  }

  private CompletionStage<HttpResponse> removeMetricsToken() {
    boolean was = tokens.hasMetricsToken();
    UserRow nobody = UserTokenRegistry.metricsReader(null);
    tokens.add(nobody, false); // at once, though the commit may take long
    return store(nobody, false, () -> JsonResponses.ok(new RemovedMetricsTokenAnswer(was)));
  }
}
