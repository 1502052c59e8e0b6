package io.remuda.agent.channel;

import io.remuda.agent.protocol.TaskOrder;
import io.remuda.agent.stream.StreamFiles;
import io.remuda.worker.job.CommandWorkload;
import java.io.IOException;
import java.nio.file.Path;
import java.util.Optional;

/** Makes the channels of tasks before they start. */
public final class TaskChannels {

  private TaskChannels() {}

  /**
   * Makes the channel to the stdin of a job's first task, if the submitter sends it.
   *
   * @param folder of the attempt
   */
  public static Optional<TaskChannel> make(TaskOrder order, Path folder) throws IOException {
    boolean first = order.attempt().task().index() == 0;
    if (!first
        || !(order.workload() instanceof CommandWorkload command)
        || command.streams() == null) {
      return Optional.empty();
    }
    return command.streams().inputStreamed()
        ? Optional.of(InputPipe.make(folder.resolve(StreamFiles.INPUT)))
        : Optional.empty();
  }
}
