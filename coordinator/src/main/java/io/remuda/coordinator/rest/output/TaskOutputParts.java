package io.remuda.coordinator.rest.output;

import io.remuda.agent.protocol.AgentMessage;
import io.remuda.agent.protocol.OutputStreamName;
import io.remuda.coordinator.api.Rejection;
import io.remuda.coordinator.api.Reply;
import io.remuda.coordinator.rest.view.RestBackend;
import io.remuda.coordinator.store.row.TaskRow;
import io.remuda.worker.job.AttemptId;
import java.util.EnumSet;
import java.util.Optional;
import java.util.Set;
import java.util.concurrent.CompletionStage;
import java.util.stream.Stream;

/**
 * A node's answers to requests for the next part of both streams of an attempt.
 *
 * @param task the task before the requests: if it had ended, all of its output was there
 * @param attempt number of the attempt, not always the newest
 */
record TaskOutputParts(
    TaskRow task, int attempt, Reply<AgentMessage.Output> out, Reply<AgentMessage.Output> err) {

  /** Of answers that a later question may have another one to. */
  private static final Set<Rejection.Code> AWAY =
      EnumSet.of(Rejection.Code.UNREACHABLE, Rejection.Code.NO_LEADER, Rejection.Code.NOT_YET);

  /** Requests the next parts; a node that does not answer counts as unreachable. */
  static CompletionStage<TaskOutputParts> ask(
      RestBackend backend,
      TaskRow task,
      int attempt,
      String node,
      OutputPosition from,
      int bytes,
      String machine) {
    AttemptId id = new AttemptId(task.id(), attempt, task.tag());
    CompletionStage<Reply<AgentMessage.Output>> err =
        ask(backend, node, id, OutputStreamName.ERR, from, bytes, machine);
    return ask(backend, node, id, OutputStreamName.OUT, from, bytes, machine)
        .thenCombine(err, (out, error) -> new TaskOutputParts(task, attempt, out, error));
  }

  private static CompletionStage<Reply<AgentMessage.Output>> ask(
      RestBackend backend,
      String node,
      AttemptId attempt,
      OutputStreamName stream,
      OutputPosition from,
      int bytes,
      String machine) {
    long offset = from.seen(attempt.task().index(), attempt.attempt(), stream);
    return backend
        .output(node, attempt, stream, offset, bytes, machine)
        .exceptionally(
            late ->
                Reply.no(
                    Rejection.of(Rejection.Code.UNREACHABLE, "node " + node + " does not answer")));
  }

  /** Returns whether it is the newest attempt. */
  boolean isNewest() {
    return attempt == task.attempt();
  }

  /** Returns whether nothing follows these parts; a task that could not start has no output. */
  boolean isWhole() {
    boolean over = !isNewest() || task.state().isFinal();
    return over && isWhole(out) && isWhole(err);
  }

  private static boolean isWhole(Reply<AgentMessage.Output> answer) {
    return answer instanceof Reply.Yes<AgentMessage.Output> yes
        ? end(yes.value()) >= yes.value().size()
        : !isAway(answer);
  }

  /** Returns whether the parts contain output or report dropped output. */
  boolean hasMore() {
    return hasMore(out) || hasMore(err);
  }

  private static boolean hasMore(Reply<AgentMessage.Output> answer) {
    return answer instanceof Reply.Yes<AgentMessage.Output> yes
        && (yes.value().bytes().length > 0 || yes.value().dropped() > 0);
  }

  /** Returns why output may follow later: its node, or the leader, does not answer now. */
  Optional<String> away() {
    return Stream.of(out, err)
        .filter(TaskOutputParts::isAway)
        .map(answer -> ((Reply.No<AgentMessage.Output>) answer).rejection().message())
        .findFirst();
  }

  private static boolean isAway(Reply<AgentMessage.Output> answer) {
    return answer instanceof Reply.No<AgentMessage.Output> no
        && AWAY.contains(no.rejection().code());
  }

  /** Returns whether other tasks write to the same file. */
  boolean isShared() {
    return isShared(out) || isShared(err);
  }

  private static boolean isShared(Reply<AgentMessage.Output> answer) {
    return answer instanceof Reply.Yes<AgentMessage.Output> yes && yes.value().shared();
  }

  /** Returns the offset after a part, and after what the client reads itself. */
  static long end(AgentMessage.Output part) {
    return part.place() == null ? part.end() : Math.max(part.end(), part.size());
  }
}
