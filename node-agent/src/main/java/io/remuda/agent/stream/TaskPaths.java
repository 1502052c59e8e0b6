package io.remuda.agent.stream;

import io.remuda.agent.protocol.TaskOrder;
import io.remuda.worker.job.TaskId;
import io.remuda.worker.job.sweep.SweepAxis;
import java.nio.file.Path;

/**
 * The paths that a user has given for the streams of a task, with the properties of the task in
 * place of their percent signs.
 *
 * @param order what runs
 * @param folder absolute working folder
 * @param node name of this node
 */
record TaskPaths(TaskOrder order, String folder, String node) {

  /** Returns the absolute path. */
  Path of(String pattern) {
    StringBuilder path = new StringBuilder();
    for (int i = 0; i < pattern.length(); i++) {
      char letter = pattern.charAt(i);
      path.append(letter == '%' && i + 1 < pattern.length() ? value(pattern.charAt(++i)) : letter);
    }
    return Path.of(folder).resolve(path.toString()).normalize();
  }

  private String arrayIndex() {
    String task = Integer.toString(order.attempt().task().index());
    return order.parameters() == null
        ? task
        : order.parameters().variables().getOrDefault(SweepAxis.INDEX, task);
  }

  private String value(char letter) {
    TaskId task = order.attempt().task();
    return switch (letter) {
      case 'j' -> task.job().toString();
      case 't' -> Integer.toString(task.index());
      case 'a' -> arrayIndex();
      case 'n' -> node;
      case 'x' -> order.job().name().replace('/', '_'); // a name is no folder
      default -> "%";
    };
  }
}
