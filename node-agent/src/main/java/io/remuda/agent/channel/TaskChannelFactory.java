package io.remuda.agent.channel;

import io.remuda.agent.attempt.TaskFolder;
import io.remuda.agent.protocol.TaskStartOrder;
import io.remuda.agent.stream.TaskStreamFilePreparer;
import io.remuda.worker.job.CommandWorkload;
import io.remuda.worker.job.stream.StandardStreamTerms;
import java.io.IOException;
import java.nio.file.Path;
import java.util.Optional;

/** Makes the channels of tasks before they start. */
public final class TaskChannelFactory {

  private TaskChannelFactory() {}

  /**
   * Makes the channel to the stdin or terminal of a job's first task, if it has one.
   *
   * @param folder of the attempt
   */
  public static Optional<TaskChannel> make(TaskStartOrder order, Path folder) throws IOException {
    boolean first = order.attempt().task().index() == 0;
    if (!first
        || !(order.workload() instanceof CommandWorkload command)
        || command.streams() == null) {
      return Optional.empty();
    }
    Path input = folder.resolve(TaskStreamFilePreparer.INPUT);
    StandardStreamTerms terms = command.streams();
    if (terms.terminal() != null) {
      Path output = new TaskFolder(folder).stdout();
      return Optional.of(TaskTerminalChannel.make(input, output, terms.terminal()));
    }
    return terms.inputStreamed() ? Optional.of(InputPipe.make(input)) : Optional.empty();
  }
}
