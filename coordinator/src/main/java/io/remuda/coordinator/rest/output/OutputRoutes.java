package io.remuda.coordinator.rest.output;

import io.remuda.agent.protocol.AgentMessage;
import io.remuda.agent.protocol.OutputStreamName;
import io.remuda.coordinator.api.Rejection;
import io.remuda.coordinator.api.Reply;
import io.remuda.coordinator.jobfield.ShortenedValues;
import io.remuda.coordinator.rest.query.ApiRequest;
import io.remuda.coordinator.rest.query.QueryParameters;
import io.remuda.coordinator.rest.query.RouteHandlers;
import io.remuda.coordinator.rest.select.MissingJob;
import io.remuda.coordinator.rest.view.ForwardedTaskOutput;
import io.remuda.coordinator.rest.view.JsonResponses;
import io.remuda.coordinator.rest.view.RestBackend;
import io.remuda.coordinator.route.ApiRoute;
import io.remuda.coordinator.store.StoreReader;
import io.remuda.coordinator.store.row.TaskRow;
import io.remuda.worker.job.AttemptId;
import io.remuda.worker.job.JobId;
import io.remuda.worker.job.TaskId;
import java.io.IOException;
import java.time.Clock;
import java.util.Optional;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionStage;
import java.util.function.Supplier;
import java.util.regex.Pattern;
import org.apache.pekko.http.javadsl.marshalling.sse.EventStreamMarshalling;
import org.apache.pekko.http.javadsl.model.ContentTypes;
import org.apache.pekko.http.javadsl.model.HttpResponse;
import org.apache.pekko.http.javadsl.server.AllDirectives;
import org.apache.pekko.http.javadsl.server.Route;

/** The routes of task output and of events, to read once or to follow. */
public final class OutputRoutes extends AllDirectives {

  private static final Pattern MACHINE = Pattern.compile("[-0-9a-f]{1,50}/\\d{1,20}");

  private final RestBackend backend;
  private final FollowerMemoryBudget followers = new FollowerMemoryBudget();

  public OutputRoutes(RestBackend backend) {
    this.backend = backend;
  }

  public void add(RouteHandlers routes) {
    routes
        .on(ApiRoute.LOGS, this::log)
        .onRoute(ApiRoute.OUTPUT, request -> ifThere(request.job(), () -> follow(request)))
        .onRoute(ApiRoute.EVENTS, request -> events(null, after(request)))
        .onRoute(
            ApiRoute.JOB_EVENTS,
            request -> ifThere(request.job(), () -> events(request.job(), after(request))));
  }

  private static long after(ApiRequest request) {
    return QueryParameters.number(request.query("after"), 0);
  }

  /** Checks that the job exists before a stream begins, after which its status is fixed. */
  private Route ifThere(JobId id, Supplier<Route> stream) {
    return onSuccess(
        backend.query(
            reader ->
                reader.job(id).isPresent()
                    ? Optional.<HttpResponse>empty()
                    : Optional.of(JsonResponses.no(MissingJob.of(id, reader)))),
        missing -> missing.<Route>map(no -> complete(no)).orElseGet(stream));
  }

  private CompletionStage<HttpResponse> log(ApiRequest request) {
    return log(
        new TaskId(request.job(), QueryParameters.index(request.query("task"))),
        QueryParameters.index(request.query("attempt")),
        streamOf(request.query("stream").orElse("out")),
        QueryParameters.number(request.query("offset"), 0),
        bytes(request.query("limit")),
        machine(request));
  }

  /** Returns the machine that a client names, or null. */
  private static String machine(ApiRequest request) {
    return request.query("machine").filter(MACHINE.asMatchPredicate()).orElse(null);
  }

  private static int bytes(Optional<String> limit) {
    long asked = QueryParameters.number(limit, AgentMessage.Output.MOST_BYTES);
    if (asked < 1 || asked > AgentMessage.Output.MOST_BYTES) {
      throw new IllegalArgumentException(
          "limit must be 1 to " + AgentMessage.Output.MOST_BYTES + " bytes, got " + asked);
    }
    return (int) asked;
  }

  private static OutputStreamName streamOf(String text) {
    return switch (text) {
      case "out" -> OutputStreamName.OUT;
      case "err" -> OutputStreamName.ERR;
      default ->
          throw new IllegalArgumentException(
              "stream must be out or err, got " + ShortenedValues.quoted(text));
    };
  }

  private CompletionStage<HttpResponse> log(
      TaskId id, int attempt, OutputStreamName stream, long offset, int limit, String machine) {
    return backend
        .query(reader -> placeOf(reader, id))
        .thenCompose(
            place -> {
              if (place instanceof Reply.No<TaskRow> no) {
                return CompletableFuture.completedFuture(JsonResponses.no(no.rejection()));
              }
              TaskRow row = ((Reply.Yes<TaskRow>) place).value();
              int which = Math.max(1, attempt == 0 ? row.attempt() : attempt);
              return backend
                  .nodeOf(row, which)
                  .thenCompose(
                      node ->
                          backend.output(
                              node,
                              new AttemptId(id, which, row.tag()),
                              stream,
                              offset,
                              limit,
                              machine))
                  .thenApply(answer -> JsonResponses.of(answer, OutputRoutes::log));
            });
  }

  private static Reply<TaskRow> placeOf(StoreReader reader, TaskId id) throws IOException {
    Optional<TaskRow> row = reader.task(id).filter(task -> task.node() != null);
    if (row.isPresent()) {
      return Reply.of(row.get());
    }
    return Reply.no(
        reader.job(id.job()).isEmpty()
            ? MissingJob.of(id.job(), reader)
            : Rejection.of(Rejection.Code.NOT_FOUND, "task " + id + " has not started anywhere"));
  }

  private static HttpResponse log(AgentMessage.Output output) {
    return ForwardedTaskOutput.headers(
        HttpResponse.create().withEntity(ContentTypes.APPLICATION_OCTET_STREAM, output.bytes()),
        output);
  }

  private Route follow(ApiRequest request) {
    OutputPosition position = OutputPosition.parse(request.query("after").orElse(""));
    OutputStreaming.Attempts which = attemptsOf(request.query("attempts").orElse("newest"));
    return completeOK(
        new OutputStreaming(
                backend,
                request.job(),
                position,
                new OutputStreaming.Wanted(which, machine(request)),
                followers,
                Clock.systemUTC())
            .events(),
        EventStreamMarshalling.toEventStream());
  }

  private static OutputStreaming.Attempts attemptsOf(String text) {
    return switch (text) {
      case "newest" -> OutputStreaming.Attempts.NEWEST;
      case "all" -> OutputStreaming.Attempts.ALL;
      default ->
          throw new IllegalArgumentException(
              "attempts must be newest or all, got " + ShortenedValues.quoted(text));
    };
  }

  private Route events(JobId job, long after) {
    return completeOK(
        new EventStreaming(backend, job).after(after), EventStreamMarshalling.toEventStream());
  }
}
