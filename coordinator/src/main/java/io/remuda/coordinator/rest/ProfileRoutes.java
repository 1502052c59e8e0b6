package io.remuda.coordinator.rest;

import static org.apache.pekko.http.javadsl.server.Directives.completeWithFuture;
import static org.apache.pekko.http.javadsl.server.Directives.concat;
import static org.apache.pekko.http.javadsl.server.Directives.entity;
import static org.apache.pekko.http.javadsl.server.Directives.get;
import static org.apache.pekko.http.javadsl.server.Directives.path;
import static org.apache.pekko.http.javadsl.server.Directives.pathEndOrSingleSlash;
import static org.apache.pekko.http.javadsl.server.Directives.post;

import io.remuda.coordinator.api.CoordinatorCommand.Caller;
import io.remuda.coordinator.api.Rejection;
import io.remuda.coordinator.profile.JobType;
import io.remuda.coordinator.profile.Profile;
import io.remuda.coordinator.profile.Profiles;
import io.remuda.coordinator.rest.request.ForgetRequest;
import io.remuda.coordinator.rest.request.RequestBodies;
import io.remuda.coordinator.rest.view.JsonResponses;
import io.remuda.coordinator.rest.view.RestBackend;
import io.remuda.coordinator.store.row.ProfileRow;
import java.time.Instant;
import java.util.Comparator;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.OptionalInt;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionStage;
import org.apache.pekko.http.javadsl.model.HttpResponse;
import org.apache.pekko.http.javadsl.server.Route;
import org.apache.pekko.http.javadsl.unmarshalling.Unmarshaller;

/** The routes of profiles: what job types were measured to need of a GPU. */
final class ProfileRoutes {

  private static final double MEDIAN = 0.5;
  private static final double NEARLY_ALL = 0.95;

  private final RestBackend backend;

  ProfileRoutes(RestBackend backend) {
    this.backend = backend;
  }

  Route all(Caller caller) {
    return concat(
        pathEndOrSingleSlash(() -> get(() -> completeWithFuture(list(caller)))),
        path(
            "forget",
            () ->
                post(
                    () ->
                        entity(
                            Unmarshaller.entityToByteArray(),
                            body -> completeWithFuture(forget(body, caller))))));
  }

  private CompletionStage<HttpResponse> list(Caller caller) {
    return backend
        .query(reader -> reader.profiles(null)) // "slowWith" needs profiles of other users, too
        .thenApply(rows -> JsonResponses.ok(Map.of("profiles", views(rows, caller))));
  }

  static List<Map<String, Object>> views(List<ProfileRow> rows, Caller caller) {
    Profiles all = new Profiles();
    all.restore(rows.stream().map(ProfileRow::profile).toList());
    Map<JobType, Map<JobType, Integer>> slow = all.slowTogether();
    return rows.stream()
        .filter(row -> caller.mayAll() || row.profile().type().user().equals(caller.user()))
        .map(row -> view(row, slow.getOrDefault(row.profile().type(), Map.of())))
        .toList();
  }

  private static Map<String, Object> view(ProfileRow row, Map<JobType, Integer> slowWith) {
    Profile profile = row.profile();
    Map<String, Object> view = new LinkedHashMap<>();
    view.put("type", profile.type().name());
    view.put("user", profile.type().user());
    view.put("runs", profile.runs());
    view.put("reservationBytes", profile.isKnown() ? profile.reservation() : null);
    view.put("medianBytes", profile.isKnown() ? profile.quantile(MEDIAN) : null);
    view.put("p95Bytes", profile.isKnown() ? profile.quantile(NEARLY_ALL) : null);
    view.put("mostBytes", profile.most());
    view.put("tooLittleBytes", profile.floor() == 0 ? null : profile.floor());
    view.put("gpuPercent", profile.utilPercent());
    view.put("unusedRuns", profile.unusedRuns());
    OptionalInt nearlyAll = profile.nearlyAllPercent();
    view.put("nearlyAllPercent", nearlyAll.isPresent() ? nearlyAll.getAsInt() : null);
    view.put("seconds", profile.isKnown() ? profile.wallMillis() / 1000.0 : null);
    view.put("slowWith", slowWith(slowWith));
    view.put("epochs", profile.epochs().measured());
    view.put("updatedAt", Instant.ofEpochMilli(row.updated()).toString());
    return view;
  }

  private static List<Map<String, Object>> slowWith(Map<JobType, Integer> others) {
    return others.entrySet().stream()
        .sorted(
            Comparator.comparing((Map.Entry<JobType, Integer> other) -> other.getKey().name())
                .thenComparing(other -> other.getKey().user()))
        .map(
            other ->
                Map.<String, Object>of(
                    "type",
                    other.getKey().name(),
                    "user",
                    other.getKey().user(),
                    "togetherPercent",
                    other.getValue()))
        .toList();
  }

  private CompletionStage<HttpResponse> forget(byte[] body, Caller caller) {
    ForgetRequest asked = RequestBodies.read(body, ForgetRequest.class);
    String type = asked.type() == null ? "" : asked.type();
    String user = asked.user() == null ? caller.user() : asked.user();
    if (!caller.mayAll() && !user.equals(caller.user())) {
      return CompletableFuture.completedFuture(
          JsonResponses.no(
              Rejection.of(
                  Rejection.Code.NOT_YOURS,
                  "only the owner of this server may forget what others' jobs need")));
    }
    return backend
        .forgetProfile(new JobType(user, type))
        .thenApply(
            answer -> JsonResponses.of(answer, name -> JsonResponses.ok(Map.of("type", name))));
  }
}
