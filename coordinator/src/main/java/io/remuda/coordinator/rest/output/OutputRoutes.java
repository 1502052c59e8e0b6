package io.remuda.coordinator.rest.output;

import io.remuda.agent.protocol.AgentMessage;
import io.remuda.agent.protocol.OutputStreamName;
import io.remuda.coordinator.api.Rejection;
import io.remuda.coordinator.api.Reply;
import io.remuda.coordinator.rest.query.QueryParameters;
import io.remuda.coordinator.rest.request.ShortenedValues;
import io.remuda.coordinator.rest.select.MissingJob;
import io.remuda.coordinator.rest.view.ForwardedTaskOutput;
import io.remuda.coordinator.rest.view.JsonResponses;
import io.remuda.coordinator.rest.view.RestBackend;
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
import java.util.function.Function;
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

  public Route logs(JobId id) {
    return parameterOptional(
        "task",
        task ->
            parameterOptional(
                "attempt",
                attempt ->
                    parameterOptional(
                        "stream",
                        stream ->
                            parameterOptional(
                                "offset",
                                offset ->
                                    parameterOptional(
                                        "limit",
                                        limit ->
                                            onMachine(
                                                machine ->
                                                    completeWithFuture(
                                                        log(
                                                            new TaskId(
                                                                id, QueryParameters.index(task)),
                                                            QueryParameters.index(attempt),
                                                            streamOf(stream.orElse("out")),
                                                            QueryParameters.number(offset, 0),
                                                            bytes(limit),
                                                            machine))))))));
  }

  /** Passes on the machine that a client names, or null. */
  private Route onMachine(Function<String, Route> route) {
    return parameterOptional(
        "machine", machine -> route.apply(machine.filter(MACHINE.asMatchPredicate()).orElse(null)));
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

  /**
   * @param attempts {@code newest} or {@code all}
   */
  public Route follow(JobId id, Optional<String> after, Optional<String> attempts) {
    OutputPosition position = OutputPosition.parse(after.orElse(""));
    OutputStreaming.Attempts which = attemptsOf(attempts.orElse("newest"));
    return onMachine(
        machine ->
            completeOK(
                new OutputStreaming(
                        backend,
                        id,
                        position,
                        new OutputStreaming.Wanted(which, machine),
                        followers,
                        Clock.systemUTC())
                    .events(),
                EventStreamMarshalling.toEventStream()));
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

  public Route events(JobId job, long after) {
    return completeOK(
        new EventStreaming(backend, job).after(after), EventStreamMarshalling.toEventStream());
  }
}
