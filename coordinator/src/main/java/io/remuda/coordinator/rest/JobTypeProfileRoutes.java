package io.remuda.coordinator.rest;

import io.remuda.coordinator.api.CoordinatorCommand.Caller;
import io.remuda.coordinator.api.Rejection;
import io.remuda.coordinator.profile.JobType;
import io.remuda.coordinator.rest.answer.ForgottenProfileAnswer;
import io.remuda.coordinator.rest.answer.ProfilesAnswer;
import io.remuda.coordinator.rest.query.RouteHandlers;
import io.remuda.coordinator.rest.request.ForgetProfileRequest;
import io.remuda.coordinator.rest.request.RequestBodyParser;
import io.remuda.coordinator.rest.view.JsonResponses;
import io.remuda.coordinator.rest.view.RestBackend;
import io.remuda.coordinator.route.ApiRoute;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionStage;
import org.apache.pekko.http.javadsl.model.HttpResponse;

/** The routes of profiles: what job types were measured to need of a GPU. */
final class JobTypeProfileRoutes {

  private final RestBackend backend;

  JobTypeProfileRoutes(RestBackend backend) {
    this.backend = backend;
  }

  void add(RouteHandlers routes) {
    routes
        .on(ApiRoute.PROFILES, request -> list(request.caller()))
        .on(ApiRoute.FORGET_PROFILE, request -> forget(request.body(), request.caller()));
  }

  private CompletionStage<HttpResponse> list(Caller caller) {
    return backend
        .query(reader -> reader.profiles(null)) // "slowWith" needs profiles of other users, too
        .thenApply(rows -> JsonResponses.ok(ProfilesAnswer.of(rows, caller)));
  }

  private CompletionStage<HttpResponse> forget(byte[] body, Caller caller) {
    ForgetProfileRequest asked = RequestBodyParser.read(body, ForgetProfileRequest.class);
    String type = asked.type() == null ? "" : asked.type();
    String user = asked.user() == null ? caller.user() : asked.user();
    if (!caller.mayActFor(user)) {
      return CompletableFuture.completedFuture(
          JsonResponses.no(
              Rejection.of(
                  Rejection.Code.NOT_YOURS,
                  "only the owner of this server may forget what others' jobs need")));
    }
    return backend
        .forgetProfile(new JobType(user, type))
        .thenApply(
            answer ->
                JsonResponses.of(
                    answer, name -> JsonResponses.ok(new ForgottenProfileAnswer(name))));
  }
}
