package io.remuda.agent.actor;

import io.remuda.agent.container.NodeContainers;
import io.remuda.agent.freeze.FrozenFilesTaskOrder;
import io.remuda.agent.protocol.TaskStartOrder;
import io.remuda.agent.settings.AgentSettings;
import java.time.Duration;
import java.time.LocalTime;
import java.time.temporal.ChronoUnit;
import java.util.Optional;

/** Says what an attempt that does not start waits for, beside the disk of its node. */
final class SlowPreparationText {

  private SlowPreparationText() {}

  /**
   * Returns what has taken so long.
   *
   * @param copying how long the copy of its frozen tree is waited for; empty if it is not
   */
  static String of(
      TaskStartOrder order, Optional<Duration> copying, AgentSettings settings, Duration time) {
    String node = "node " + settings.node() + " ";
    if (copying.isPresent()) {
      return node
          + "copies its frozen tree "
          + FrozenFilesTaskOrder.archive(order)
          + since(copying.get())
          + ": the disk or file server takes so long, or that of an earlier job of "
          + order.user();
    }
    return node
        + (NodeContainers.isIn(order) ? "prepares its container" : "prepares its folder")
        + since(time);
  }

  private static String since(Duration time) {
    return " since " + LocalTime.now().minus(time).truncatedTo(ChronoUnit.SECONDS);
  }
}
