package io.remuda.coordinator.rest.channel;

import io.remuda.agent.protocol.AgentMessage;
import io.remuda.agent.protocol.TaskSignal;
import io.remuda.coordinator.api.CoordinatorCommand.Caller;
import io.remuda.coordinator.api.Rejection;
import io.remuda.coordinator.api.Reply;
import io.remuda.coordinator.lifecycle.TaskState;
import io.remuda.coordinator.rest.answer.SignalAnswer;
import io.remuda.coordinator.rest.query.ApiRequest;
import io.remuda.coordinator.rest.query.RouteHandlers;
import io.remuda.coordinator.rest.view.JsonResponses;
import io.remuda.coordinator.rest.view.RestBackend;
import io.remuda.coordinator.route.ApiRoute;
import io.remuda.coordinator.store.StoreReader;
import io.remuda.coordinator.store.query.TaskQuery;
import io.remuda.coordinator.store.row.JobRow;
import io.remuda.coordinator.store.row.TaskRow;
import io.remuda.worker.job.AttemptId;
import io.remuda.worker.job.CommandWorkload;
import io.remuda.worker.job.JobId;
import io.remuda.worker.job.JobSpec;
import java.io.IOException;
import java.util.ArrayList;
import java.util.EnumSet;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionStage;
import java.util.regex.Pattern;
import org.apache.pekko.http.javadsl.model.HttpResponse;

/** The route by which the owner of a job sends a signal to its running tasks. */
final class SignalRoutes {

  /** Tasks that one query of the store returns. */
  private static final int PAGE = 1000;

  /** A signal to an array of thousands must not be thousands of questions to nodes at once. */
  private static final int TASKS_AT_ONCE = 64;

  /** What an agent of an earlier build says. */
  private static final String UNKNOWN = "cannot open 'signal:";

  /** What an agent says that knows signals, but not their reach. */
  private static final Pattern NO_REACH = Pattern.compile(":[0-9]+' is not a signal");

  private final RestBackend backend;

  SignalRoutes(RestBackend backend) {
    this.backend = backend;
  }

  void add(RouteHandlers routes) {
    routes
        .on(ApiRoute.SIGNAL, request -> send(request, null))
        .on(ApiRoute.SIGNAL_TASK, request -> send(request, request.task()));
  }

  /** The tasks of a job that run. */
  private record Running(JobSpec spec, List<TaskRow> rows) {
    Integer arrayIndex(TaskRow row) {
      return spec == null ? null : spec.terms().array().indexOf(row.id().index());
    }
  }

  /**
   * Sends a signal.
   *
   * @param task index of the only task that gets it, or null for all that run
   */
  private CompletionStage<HttpResponse> send(ApiRequest request, Integer task) {
    JobId job = request.job();
    TaskSignal signal =
        TaskSignal.parse(
            request
                .query("signal")
                .orElseThrow(
                    () -> new IllegalArgumentException("signal is missing: such as ?signal=USR1")));
    return backend
        .query(reader -> running(reader, job, task, request.caller()))
        .thenCompose(
            found ->
                found instanceof Reply.Yes<Running> yes
                    ? send(yes.value(), signal)
                    : CompletableFuture.completedFuture(
                        JsonResponses.no(((Reply.No<Running>) found).rejection())));
  }

  private static Reply<Running> running(StoreReader reader, JobId id, Integer task, Caller caller)
      throws IOException {
    Reply<JobRow> found = OwnedJobFinder.find(reader, id, task, caller);
    if (found instanceof Reply.No<JobRow> no) {
      return Reply.no(no.rejection());
    }
    JobRow job = ((Reply.Yes<JobRow>) found).value();
    JobSpec spec = reader.spec(id).orElse(null);
    if (spec != null && !(spec.tasks().get(0) instanceof CommandWorkload)) {
      return refused(
          Rejection.Code.INVALID, "job " + id + " runs no command that could get a signal");
    }
    List<TaskRow> rows = running(reader, id, task);
    return rows.isEmpty()
        ? refused(Rejection.Code.WRONG_STATE, idle(job, task))
        : Reply.of(new Running(spec, rows));
  }

  private static String idle(JobRow job, Integer task) {
    if (job.state() == TaskState.UNKNOWN) {
      return "no task of job " + job.id() + " can get a signal: its node does not answer";
    }
    return task == null
        ? "no task of job " + job.id() + " runs: it is " + job.state().label()
        : "task " + job.id() + "." + task + " does not run";
  }

  private static <T> Reply<T> refused(Rejection.Code code, String message) {
    return Reply.no(Rejection.of(code, message));
  }

  private static List<TaskRow> running(StoreReader reader, JobId job, Integer task)
      throws IOException {
    List<TaskRow> rows = new ArrayList<>();
    int first = task == null ? 0 : task;
    int end = task == null ? 0 : task + 1;
    StoreReader.RowBatch<TaskRow> page;
    do {
      page = new TaskQuery(job, first, end, EnumSet.of(TaskState.RUNNING), PAGE).ask(reader);
      rows.addAll(page.rows());
      first = rows.isEmpty() ? first : rows.get(rows.size() - 1).id().index() + 1;
    } while (page.more() && !page.rows().isEmpty());
    return rows;
  }

  private CompletionStage<HttpResponse> send(Running running, TaskSignal signal) {
    return sendFrom(0, running, signal, new ArrayList<>())
        .thenApply(told -> JsonResponses.ok(new SignalAnswer(signal.text(), told)));
  }

  /** Sends to the tasks from this row on, to some of them at a time. */
  private CompletionStage<List<SignalAnswer.Told>> sendFrom(
      int first, Running running, TaskSignal signal, List<SignalAnswer.Told> told) {
    if (first >= running.rows().size()) {
      return CompletableFuture.completedFuture(told);
    }
    int end = Math.min(first + TASKS_AT_ONCE, running.rows().size());
    CompletionStage<List<SignalAnswer.Told>> some = CompletableFuture.completedFuture(told);
    for (TaskRow row : running.rows().subList(first, end)) {
      some =
          some.thenCombine(
              send(row, running.arrayIndex(row), signal),
              (all, one) -> {
                all.add(one);
                return all;
              });
    }
    return some.thenCompose(all -> sendFrom(end, running, signal, all));
  }

  private CompletionStage<SignalAnswer.Told> send(
      TaskRow row, Integer arrayIndex, TaskSignal signal) {
    return backend
        .channel(row.node(), new AttemptId(row.id(), row.attempt(), row.tag()), signal.toAsk())
        .thenApply(
            reply -> new SignalAnswer.Told(row.id().toString(), arrayIndex, fault(row, reply)));
  }

  /** Returns why a task did not get it, or null if it did. */
  private static String fault(TaskRow row, Reply<AgentMessage.Output> reply) {
    if (!(reply instanceof Reply.No<AgentMessage.Output> no)) {
      boolean reads = ((Reply.Yes<AgentMessage.Output>) reply).value().channel() == null;
      return reads ? earlier(row) : null;
    }
    if (no.rejection().code() == Rejection.Code.UNREACHABLE) {
      return "its node " + row.node() + " does not answer";
    }
    String why = no.rejection().message();
    if (NO_REACH.matcher(why).find()) {
      return earlier(row, "all: and children: before signals");
    }
    return why.contains(UNKNOWN) ? earlier(row) : why;
  }

  private static String earlier(TaskRow row) {
    return earlier(row, "signals");
  }

  private static String earlier(TaskRow row, String what) {
    return "the agent of node "
        + row.node()
        + " is from an earlier build, without "
        + what
        + ": replace it";
  }
}
