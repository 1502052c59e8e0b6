package io.remuda.coordinator.rest.view;

import io.remuda.agent.attempt.StoredOutputReader;
import io.remuda.agent.protocol.AgentMessage;
import io.remuda.agent.protocol.CoordinatorMessage;
import io.remuda.agent.protocol.OutputStreamName;
import io.remuda.coordinator.api.Rejection;
import io.remuda.coordinator.api.Reply;
import io.remuda.worker.job.AttemptId;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;

/**
 * Output of nodes that do not answer and have their folders in the server's: those of a Slurm job
 * that is over, or that of the server's machine.
 *
 * @param nodes folder of the folders of nodes
 */
public record UnreachableNodeOutput(Path nodes) {

  /**
   * Returns the reply, or what is in the node's folder here if the node does not answer. Blocks.
   */
  Reply<AgentMessage.Output> orKept(
      Reply<AgentMessage.Output> reply,
      String node,
      AttemptId attempt,
      OutputStreamName stream,
      long offset,
      int limit) {
    boolean away =
        reply instanceof Reply.No<AgentMessage.Output> no
            && no.rejection().code() == Rejection.Code.UNREACHABLE;
    Path folder = nodes.resolve(node);
    if (!away || !Files.isDirectory(folder)) {
      return reply;
    }
    AgentMessage.Output kept =
        StoredOutputReader.answer(
            folder,
            node,
            new CoordinatorMessage.ReadOutput(0, attempt, stream, offset, limit, List.of(), null));
    return kept.fault() == null ? Reply.of(kept) : reply;
  }
}
