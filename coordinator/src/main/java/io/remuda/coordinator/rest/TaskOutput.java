package io.remuda.coordinator.rest;

import io.remuda.agent.protocol.AgentMessage;
import io.remuda.agent.protocol.OutputStreamName;
import io.remuda.coordinator.actor.Rejection;
import io.remuda.coordinator.actor.Reply;
import io.remuda.coordinator.store.TaskRow;
import io.remuda.worker.job.AttemptId;
import java.util.concurrent.CompletionStage;

/**
 * What a node has answered when it was asked for the next part of both streams of an attempt.
 *
 * @param task as it stood before it was asked, so that all of a final task's output was there
 * @param attempt of it, maybe one before the newest
 */
record TaskOutput(
    TaskRow task, int attempt, Reply<AgentMessage.Output> out, Reply<AgentMessage.Output> err) {

  /** Asks; a node that does not answer is one that cannot be reached. */
  static CompletionStage<TaskOutput> ask(
      RestBackend backend, TaskRow task, int attempt, String node, OutputPosition from, int bytes) {
    AttemptId id = new AttemptId(task.id(), attempt, task.tag());
    CompletionStage<Reply<AgentMessage.Output>> err =
        ask(backend, node, id, OutputStreamName.ERR, from, bytes);
    return ask(backend, node, id, OutputStreamName.OUT, from, bytes)
        .thenCombine(err, (out, error) -> new TaskOutput(task, attempt, out, error));
  }

  private static CompletionStage<Reply<AgentMessage.Output>> ask(
      RestBackend backend,
      String node,
      AttemptId attempt,
      OutputStreamName stream,
      OutputPosition from,
      int bytes) {
    long offset = from.seen(attempt.task().index(), attempt.attempt(), stream);
    return backend
        .output(node, attempt, stream, offset, bytes)
        .exceptionally(
            late ->
                Reply.no(
                    Rejection.of(Rejection.Code.UNREACHABLE, "node " + node + " does not answer")));
  }

  /** Whether it is the newest attempt. */
  boolean isNewest() {
    return attempt == task.attempt();
  }

  /** Whether nothing will come behind these parts: a task that could not start has none. */
  boolean isWhole() {
    boolean over = !isNewest() || task.state().isFinal();
    return over && isWhole(out) && isWhole(err);
  }

  private static boolean isWhole(Reply<AgentMessage.Output> answer) {
    return answer instanceof Reply.Yes<AgentMessage.Output> yes
        ? end(yes.value()) >= yes.value().size()
        : !isAway(answer);
  }

  /** Whether there was anything. */
  boolean hasMore() {
    return hasMore(out) || hasMore(err);
  }

  private static boolean hasMore(Reply<AgentMessage.Output> answer) {
    return answer instanceof Reply.Yes<AgentMessage.Output> yes
        && (yes.value().bytes().length > 0 || yes.value().dropped() > 0);
  }

  /** Whether its node is away, so that something may come once it is back. */
  boolean isAway() {
    return isAway(out) || isAway(err);
  }

  private static boolean isAway(Reply<AgentMessage.Output> answer) {
    return answer instanceof Reply.No<AgentMessage.Output> no
        && no.rejection().code() == Rejection.Code.UNREACHABLE;
  }

  /** The offset behind a part. */
  static long end(AgentMessage.Output part) {
    return part.offset() + part.bytes().length;
  }
}
