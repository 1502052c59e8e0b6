package io.remuda.coordinator.rest.channel;

import io.remuda.agent.protocol.AgentMessage;
import io.remuda.agent.protocol.ChannelExchangeRequest;
import io.remuda.coordinator.api.CoordinatorCommand.Caller;
import io.remuda.coordinator.api.Rejection;
import io.remuda.coordinator.api.Reply;
import io.remuda.coordinator.lifecycle.TaskState;
import io.remuda.coordinator.rest.answer.ChannelAnswer;
import io.remuda.coordinator.rest.query.RouteHandlers;
import io.remuda.coordinator.rest.request.ChannelRequest;
import io.remuda.coordinator.rest.request.RequestBodyParser;
import io.remuda.coordinator.rest.view.JsonResponses;
import io.remuda.coordinator.rest.view.RestBackend;
import io.remuda.coordinator.route.ApiRoute;
import io.remuda.coordinator.store.StoreReader;
import io.remuda.coordinator.store.row.JobRow;
import io.remuda.coordinator.store.row.TaskRow;
import io.remuda.worker.job.AttemptId;
import io.remuda.worker.job.JobId;
import io.remuda.worker.job.TaskId;
import java.io.IOException;
import java.util.EnumSet;
import java.util.Optional;
import java.util.Set;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionStage;
import org.apache.pekko.http.javadsl.model.HttpResponse;

/** The route of channels, for the owner of a job. A response may wait some seconds for bytes. */
public final class ChannelRoutes {

  /** States in which the newest attempt is on a node, or was. */
  private static final Set<TaskState> PLACED =
      EnumSet.complementOf(EnumSet.of(TaskState.SUBMITTED, TaskState.HELD, TaskState.WAITING));

  private final RestBackend backend;
  private final SignalRoutes signals;

  public ChannelRoutes(RestBackend backend) {
    this.backend = backend;
    this.signals = new SignalRoutes(backend);
  }

  public void add(RouteHandlers routes) {
    routes.on(ApiRoute.CHANNEL, request -> use(request.job(), request.body(), request.caller()));
    signals.add(routes);
  }

  /** Writes to and reads from a channel beside a task of a job. */
  private CompletionStage<HttpResponse> use(JobId job, byte[] body, Caller caller) {
    ChannelRequest request = RequestBodyParser.read(body, ChannelRequest.class);
    ChannelExchangeRequest ask = request.toAsk();
    TaskId task = new TaskId(job, request.task() == null ? 0 : request.task());
    return backend
        .query(reader -> rowOf(reader, task, caller))
        .thenCompose(
            found ->
                found instanceof Reply.Yes<TaskRow> yes
                    ? use(yes.value(), request.attempt(), ask)
                    : CompletableFuture.completedFuture(
                        JsonResponses.no(((Reply.No<TaskRow>) found).rejection())));
  }

  private static Reply<TaskRow> rowOf(StoreReader reader, TaskId task, Caller caller)
      throws IOException {
    Reply<JobRow> found = OwnedJobFinder.find(reader, task.job(), task.index(), caller);
    if (found instanceof Reply.No<JobRow> no) {
      return Reply.no(no.rejection());
    }
    JobRow job = ((Reply.Yes<JobRow>) found).value();
    Optional<TaskRow> row = reader.task(task);
    boolean placed = row.isPresent() && row.get().node() != null;
    if (placed && PLACED.contains(row.get().state())) {
      return Reply.of(row.get());
    }
    return Reply.no(
        job.state().isFinal()
            ? Rejection.of(Rejection.Code.WRONG_STATE, "task " + task + " is over")
            : Rejection.of(Rejection.Code.NOT_YET, "task " + task + " has not started"));
  }

  private CompletionStage<HttpResponse> use(
      TaskRow row, Integer attempt, ChannelExchangeRequest ask) {
    if (attempt != null && attempt > 0 && attempt != row.attempt()) {
      return CompletableFuture.completedFuture(
          JsonResponses.ok(ChannelAnswer.ofOther(row.attempt())));
    }
    return backend
        .channel(row.node(), new AttemptId(row.id(), row.attempt(), row.tag()), ask)
        .thenApply(reply -> answer(row, reply));
  }

  private static HttpResponse answer(TaskRow row, Reply<AgentMessage.Output> reply) {
    if (reply instanceof Reply.Yes<AgentMessage.Output> yes) {
      return yes.value().channel() == null
          ? JsonResponses.no(
              new Rejection(
                  Rejection.Code.WRONG_STATE,
                  "the agent of node " + row.node() + " is from an earlier build, without channels",
                  "replace that agent"))
          : JsonResponses.ok(ChannelAnswer.of(row.attempt(), yes.value()));
    }
    Rejection no = ((Reply.No<AgentMessage.Output>) reply).rejection();
    boolean missing = no.code() == Rejection.Code.NOT_FOUND;
    if (missing && row.state() == TaskState.STARTING) {
      return JsonResponses.no(
          Rejection.of(Rejection.Code.NOT_YET, "task " + row.id() + " is starting"));
    }
    return JsonResponses.no(missing ? Rejection.of(Rejection.Code.WRONG_STATE, no.message()) : no);
  }
}
