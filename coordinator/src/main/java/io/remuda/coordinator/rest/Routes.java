package io.remuda.coordinator.rest;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.json.JsonMapper;
import io.remuda.agent.protocol.AgentMessage;
import io.remuda.agent.protocol.Build;
import io.remuda.agent.protocol.OutputStreamName;
import io.remuda.coordinator.actor.Coordinator.Action;
import io.remuda.coordinator.actor.Coordinator.Caller;
import io.remuda.coordinator.actor.NewJob;
import io.remuda.coordinator.actor.Rejection;
import io.remuda.coordinator.actor.Reply;
import io.remuda.coordinator.store.JobRow;
import io.remuda.coordinator.store.StoreReader;
import io.remuda.coordinator.store.StoreReader.Page;
import io.remuda.coordinator.store.StoreReader.Which;
import io.remuda.coordinator.store.TaskRow;
import io.remuda.coordinator.store.UserRow;
import io.remuda.worker.job.AttemptId;
import io.remuda.worker.job.JobId;
import io.remuda.worker.job.TaskId;
import java.io.IOException;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionException;
import java.util.concurrent.CompletionStage;
import java.util.concurrent.TimeoutException;
import java.util.function.Function;
import java.util.function.Supplier;
import org.apache.pekko.http.javadsl.marshalling.sse.EventStreamMarshalling;
import org.apache.pekko.http.javadsl.model.ContentTypes;
import org.apache.pekko.http.javadsl.model.HttpResponse;
import org.apache.pekko.http.javadsl.model.StatusCodes;
import org.apache.pekko.http.javadsl.model.headers.RawHeader;
import org.apache.pekko.http.javadsl.server.AllDirectives;
import org.apache.pekko.http.javadsl.server.ExceptionHandler;
import org.apache.pekko.http.javadsl.server.PathMatchers;
import org.apache.pekko.http.javadsl.server.Route;
import org.apache.pekko.http.javadsl.unmarshalling.Unmarshaller;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/** All that can be asked over HTTP; described for people and programs in openapi.json. */
final class Routes extends AllDirectives {

  private static final Logger LOG = LoggerFactory.getLogger(Routes.class);
  private static final int MOST_ROWS = 10_000;
  private static final int USUAL_ROWS = 1000;
  private static final String BEARER = "Bearer ";

  private final Backend backend;
  private final Tokens tokens;
  private final Supplier<Optional<String>> trouble;
  private final Stopping stopping;
  private final byte[] openApi;

  /** Ends the server, once the answer is out. */
  interface Stopping {
    /** With all that runs, or without. */
    void stop(boolean keepTasks);
  }

  Routes(
      Backend backend,
      Tokens tokens,
      Supplier<Optional<String>> trouble,
      Stopping stopping,
      byte[] openApi) {
    this.backend = backend;
    this.tokens = tokens;
    this.trouble = trouble;
    this.stopping = stopping;
    this.openApi = openApi;
  }

  Route all() {
    return handleExceptions(
        faults(),
        () ->
            pathPrefix(
                "api",
                () ->
                    pathPrefix(
                        "v1",
                        () ->
                            concat(
                                path("version", () -> get(() -> complete(version()))),
                                path("openapi.json", () -> get(() -> complete(openApi()))),
                                authenticated(this::forCaller)))));
  }

  private static HttpResponse version() {
    return Replies.ok(Map.of("version", Build.VERSION, "api", "v1"));
  }

  private HttpResponse openApi() {
    return HttpResponse.create().withEntity(ContentTypes.APPLICATION_JSON, openApi);
  }

  private Route authenticated(Function<Caller, Route> inner) {
    return optionalHeaderValueByName(
        "Authorization",
        header -> {
          Optional<Caller> caller =
              header
                  .filter(value -> value.startsWith(BEARER))
                  .flatMap(value -> tokens.callerOf(value.substring(BEARER.length()).trim()));
          return caller
              .map(inner)
              .orElseGet(
                  () ->
                      complete(
                          Replies.error(
                              StatusCodes.UNAUTHORIZED,
                              "unauthorized",
                              "no valid token",
                              "send 'Authorization: Bearer TOKEN' with the token of an access"
                                  + " file")));
        });
  }

  private Route forCaller(Caller caller) {
    return concat(
        pathPrefix("jobs", () -> jobs(caller)),
        pathPrefix("nodes", () -> nodes(caller)),
        path("users", () -> post(() -> withBody(body -> addUser(body, caller)))),
        path("stop", () -> post(() -> parameterOptional("keep", value -> stop(value, caller)))),
        path(
            "events",
            () ->
                get(
                    () ->
                        parameterOptional(
                            "after", after -> events(null, number(after, 0), caller)))));
  }

  private Route withBody(Function<byte[], Route> inner) {
    return entity(Unmarshaller.entityToByteArray(), inner::apply);
  }

  private Route answer(CompletionStage<HttpResponse> response) {
    return completeWithFuture(response);
  }

  // --- jobs

  private Route jobs(Caller caller) {
    return concat(
        pathEndOrSingleSlash(
            () ->
                concat(
                    post(
                        () ->
                            parameterOptional(
                                "dryRun",
                                dry ->
                                    withBody(
                                        body -> answer(submit(body, dry.isPresent(), caller))))),
                    get(this::list))),
        pathPrefix(PathMatchers.longSegment(), id -> job(jobId(id), caller)));
  }

  private static JobId jobId(long number) {
    return new JobId(number); // refuses 0
  }

  private CompletionStage<HttpResponse> submit(byte[] body, boolean dry, Caller caller) {
    List<NewJob> jobs = Submissions.read(body, caller.user());
    return backend
        .query(reader -> Dependencies.fault(jobs, reader))
        .thenCompose(
            fault ->
                fault
                    .<CompletionStage<HttpResponse>>map(
                        no -> CompletableFuture.completedFuture(Replies.no(no)))
                    .orElseGet(() -> checked(jobs, dry, caller)));
  }

  private CompletionStage<HttpResponse> checked(List<NewJob> jobs, boolean dry, Caller caller) {
    if (dry) {
      return backend.check(jobs).thenApply(answer -> submitted(answer, 200));
    }
    return backend
        .query(reader -> known(jobs, caller.user(), reader))
        .thenCompose(
            ids ->
                ids.isEmpty()
                    ? backend.submit(jobs).thenApply(answer -> submitted(answer, 201))
                    : CompletableFuture.completedFuture(Replies.ok(Map.of("ids", ids))));
  }

  /** What was submitted under the same keys before; empty unless all of it was. */
  private static List<JobId> known(List<NewJob> jobs, String user, StoreReader reader)
      throws IOException {
    List<JobId> ids = new ArrayList<>();
    for (NewJob job : jobs) {
      if (job.clientKey() != null) {
        reader.byKey(user, job.clientKey()).map(JobRow::id).ifPresent(ids::add);
      }
    }
    return ids.size() == jobs.size() ? ids : List.of();
  }

  private static HttpResponse submitted(Reply<List<JobId>> answer, int status) {
    return respond(answer, ids -> Replies.json(StatusCodes.get(status), Map.of("ids", ids)));
  }

  private static <T> HttpResponse respond(Reply<T> answer, Function<T, HttpResponse> good) {
    return answer instanceof Reply.Yes<T> yes
        ? good.apply(yes.value())
        : Replies.no(((Reply.No<T>) answer).rejection());
  }

  private Route list() {
    return parameterOptional(
        "all",
        all ->
            parameterOptional(
                "user",
                user ->
                    parameterOptional(
                        "before",
                        before ->
                            parameterOptional(
                                "limit",
                                limit ->
                                    answer(
                                        list(
                                            new Page(
                                                all.isPresent() ? Which.ALL : Which.LIVE,
                                                user.orElse(null),
                                                number(before, 0),
                                                rows(limit))))))));
  }

  private static long number(Optional<String> text, long usual) {
    if (text.isEmpty()) {
      return usual;
    }
    if (!text.get().matches("\\d{1,18}")) {
      throw new IllegalArgumentException("not a number: '" + text.get() + "'");
    }
    return Long.parseLong(text.get());
  }

  private static int rows(Optional<String> limit) {
    return (int) Math.max(1, Math.min(MOST_ROWS, number(limit, USUAL_ROWS)));
  }

  private CompletionStage<HttpResponse> list(Page page) {
    return backend
        .query(reader -> reader.jobs(page))
        .thenApply(
            jobs -> {
              Map<String, Object> view = new LinkedHashMap<>();
              view.put("jobs", jobs.stream().map(Views::job).toList());
              boolean more = jobs.size() == page.limit();
              view.put("next", more ? jobs.get(jobs.size() - 1).id().value() : null);
              return Replies.ok(view);
            });
  }

  private Route job(JobId id, Caller caller) {
    return concat(
        pathEndOrSingleSlash(() -> get(() -> answer(show(id)))),
        path(
            "tasks",
            () ->
                get(
                    () ->
                        parameterOptional(
                            "first",
                            first ->
                                parameterOptional(
                                    "limit",
                                    limit ->
                                        answer(tasks(id, (int) number(first, 0), rows(limit))))))),
        path("explain", () -> get(() -> answer(explain(id)))),
        path(
            "events",
            () ->
                get(
                    () ->
                        parameterOptional("after", after -> events(id, number(after, 0), caller)))),
        path("output", () -> get(() -> follow(id))),
        path("logs", () -> get(() -> logs(id))),
        path("cancel", () -> post(() -> answer(change(id, Action.CANCEL, caller)))),
        path("hold", () -> post(() -> answer(change(id, Action.HOLD, caller)))),
        path("release", () -> post(() -> answer(change(id, Action.RELEASE, caller)))));
  }

  private static HttpResponse noJob(JobId id, StoreReader reader) throws IOException {
    return Replies.no(MissingJob.of(id, reader));
  }

  private CompletionStage<HttpResponse> show(JobId id) {
    return backend.query(
        reader -> {
          Optional<JobRow> row = reader.job(id);
          if (row.isEmpty()) {
            return noJob(id, reader);
          }
          Map<String, Object> view = Views.job(row.get());
          reader
              .spec(id)
              .ifPresent(
                  spec -> {
                    view.put("needs", spec.request());
                    view.put("terms", spec.terms());
                    view.put("workload", spec.tasks().get(0));
                  });
          view.put("attempts", reader.tasks(id, 0, 100).stream().map(Views::task).toList());
          return Replies.ok(view);
        });
  }

  private CompletionStage<HttpResponse> tasks(JobId id, int first, int limit) {
    return backend.query(
        reader ->
            reader.job(id).isEmpty()
                ? noJob(id, reader)
                : Replies.ok(
                    Map.of(
                        "tasks",
                        reader.tasks(id, first, limit).stream().map(Views::task).toList())));
  }

  private CompletionStage<HttpResponse> explain(JobId id) {
    return backend
        .explain(id)
        .thenCompose(
            answer ->
                answer instanceof Reply.Yes<?>
                    ? CompletableFuture.completedFuture(
                        respond(answer, found -> Replies.ok(Views.explanation(found))))
                    : overAlready(id));
  }

  private CompletionStage<HttpResponse> overAlready(JobId id) {
    return backend.query(
        reader ->
            reader
                .job(id)
                .map(
                    row -> {
                      Map<String, Object> view = new LinkedHashMap<>();
                      view.put("id", id.value());
                      view.put("state", row.state().label());
                      view.put("counts", Map.of());
                      view.put("reasons", List.of());
                      view.put("text", row.reason() == null ? List.of() : List.of(row.reason()));
                      return Replies.ok(view);
                    })
                .orElse(noJob(id, reader)));
  }

  private CompletionStage<HttpResponse> change(JobId id, Action action, Caller caller) {
    return backend
        .change(id, action, caller)
        .thenCompose(
            answer -> {
              boolean gone =
                  answer instanceof Reply.No<JobId> no
                      && no.rejection().code() == Rejection.Code.NOT_FOUND;
              return gone
                  ? changeOfOver(id)
                  : CompletableFuture.completedFuture(
                      respond(answer, job -> Replies.ok(Map.of("id", job))));
            });
  }

  private CompletionStage<HttpResponse> changeOfOver(JobId id) {
    return backend.query(
        reader ->
            reader
                .job(id)
                .map(
                    row ->
                        Replies.no(
                            Rejection.of(
                                Rejection.Code.WRONG_STATE,
                                "job " + id + " is over: " + row.state().label())))
                .orElse(noJob(id, reader)));
  }

  // --- output

  private Route logs(JobId id) {
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
                                    answer(
                                        log(
                                            new TaskId(id, (int) number(task, 0)),
                                            (int) number(attempt, 0),
                                            streamOf(stream.orElse("out")),
                                            number(offset, 0)))))));
  }

  private static OutputStreamName streamOf(String text) {
    return switch (text) {
      case "out" -> OutputStreamName.OUT;
      case "err" -> OutputStreamName.ERR;
      default ->
          throw new IllegalArgumentException("stream must be out or err, got '" + text + "'");
    };
  }

  private CompletionStage<HttpResponse> log(
      TaskId id, int attempt, OutputStreamName stream, long offset) {
    return backend
        .query(reader -> placeOf(reader, id))
        .thenCompose(
            place -> {
              if (place instanceof Reply.No<TaskRow> no) {
                return CompletableFuture.completedFuture(Replies.no(no.rejection()));
              }
              TaskRow row = ((Reply.Yes<TaskRow>) place).value();
              int which = attempt == 0 ? row.attempt() : attempt;
              return backend
                  .output(
                      row.node(),
                      new AttemptId(id, Math.max(1, which)),
                      stream,
                      offset,
                      AgentMessage.Output.MOST_BYTES)
                  .thenApply(answer -> respond(answer, Routes::log));
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
    return HttpResponse.create()
        .withEntity(ContentTypes.APPLICATION_OCTET_STREAM, output.bytes())
        .addHeader(RawHeader.create("Remuda-Offset", Long.toString(output.offset())))
        .addHeader(RawHeader.create("Remuda-Size", Long.toString(output.size())))
        .addHeader(RawHeader.create("Remuda-Dropped", Long.toString(output.dropped())));
  }

  private Route follow(JobId id) {
    return completeOK(
        new OutputStreaming(backend, id).events(), EventStreamMarshalling.toEventStream());
  }

  private Route events(JobId job, long after, Caller caller) {
    LOG.debug("{} follows events after {}", caller.user(), after);
    return completeOK(
        new EventStreaming(backend, job).after(after), EventStreamMarshalling.toEventStream());
  }

  // --- nodes, users, the server

  private Route nodes(Caller caller) {
    return concat(
        pathEndOrSingleSlash(
            () ->
                get(
                    () ->
                        answer(
                            backend
                                .nodes()
                                .thenApply(
                                    view -> Replies.ok(Map.of("nodes", Views.nodes(view))))))),
        path(
            PathMatchers.segment().slash("drain"),
            node -> post(() -> answer(drain(node, true, caller)))),
        path(
            PathMatchers.segment().slash("resume"),
            node -> post(() -> answer(drain(node, false, caller)))));
  }

  private static HttpResponse ownerOnly(String what) {
    return Replies.no(
        Rejection.of(Rejection.Code.NOT_YOURS, "only the owner of this server may " + what));
  }

  private CompletionStage<HttpResponse> drain(String node, boolean drained, Caller caller) {
    return caller.mayAll()
        ? backend
            .drain(node, drained)
            .thenApply(answer -> respond(answer, name -> Replies.ok(Map.of("node", name))))
        : CompletableFuture.completedFuture(ownerOnly("drain nodes"));
  }

  private Route addUser(byte[] body, Caller caller) {
    if (!caller.mayAll()) {
      return complete(ownerOnly("add users"));
    }
    JsonNode request;
    try {
      request = JsonMapper.builder().build().readTree(body);
    } catch (IOException wrong) {
      throw new IllegalArgumentException("the body is no JSON", wrong);
    }
    String name = request == null ? "" : request.path("name").asText("");
    double share = request == null ? 0 : request.path("share").asDouble(1);
    if (!name.matches("[A-Za-z0-9][A-Za-z0-9._-]{0,62}") || name.equals(caller.user())) {
      throw new IllegalArgumentException(
          "name must be 1 to 63 letters, digits, '.', '_' or '-', and not yours, got '"
              + name
              + "'");
    }
    if (!(share > 0) || share > 1e6) {
      throw new IllegalArgumentException("share must be above 0, got " + share);
    }
    String token = tokens.create();
    UserRow user = new UserRow(name, share, Tokens.hash(token));
    return answer(
        backend
            .setUser(user)
            .thenApply(
                answer ->
                    respond(
                        answer,
                        added -> {
                          tokens.add(user, false);
                          return Replies.json(
                              StatusCodes.CREATED, Map.of("name", added, "token", token));
                        })));
  }

  private Route stop(Optional<String> keepTasks, Caller caller) {
    if (!caller.mayAll()) {
      return complete(ownerOnly("stop it"));
    }
    stopping.stop(keepTasks.isPresent());
    return complete(Replies.ok(Map.of("stopping", true)));
  }

  // --- faults

  private ExceptionHandler faults() {
    return ExceptionHandler.newBuilder()
        .match(IllegalArgumentException.class, this::invalid)
        .match(CompletionException.class, fault -> failed(fault.getCause()))
        .matchAny(this::failed)
        .build();
  }

  private Route invalid(Throwable fault) {
    return complete(
        Replies.no(Rejection.of(Rejection.Code.INVALID, String.valueOf(fault.getMessage()))));
  }

  private Route failed(Throwable fault) {
    if (fault instanceof IllegalArgumentException) {
      return invalid(fault);
    }
    if (fault instanceof TimeoutException) {
      return complete(tooLate());
    }
    if (fault instanceof org.apache.pekko.http.scaladsl.model.EntityStreamSizeException) {
      return complete(
          Replies.error(StatusCodes.PAYLOAD_TOO_LARGE, "too-large", "the body is too large", null));
    }
    LOG.error("a request failed", fault);
    return complete(
        Replies.error(
            StatusCodes.INTERNAL_SERVER_ERROR, "fault", String.valueOf(fault.getMessage()), null));
  }

  /** What waits for the disk is not taken back: it will be done, unless the server ends before. */
  private HttpResponse tooLate() {
    return trouble
        .get()
        .map(
            why ->
                Replies.no(
                    new Rejection(
                        Rejection.Code.DISK,
                        "not done yet: the state cannot be written: " + why,
                        "make room on the disk, then look whether it was done")))
        .orElseGet(
            () ->
                Replies.error(
                    StatusCodes.SERVICE_UNAVAILABLE,
                    "busy",
                    "the server takes too long",
                    "try again"));
  }
}
