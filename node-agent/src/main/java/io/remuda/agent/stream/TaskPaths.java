package io.remuda.agent.stream;

import io.remuda.agent.protocol.TaskOrder;
import io.remuda.worker.job.TaskId;
import io.remuda.worker.job.stream.StreamTerms;
import io.remuda.worker.job.sweep.BraceText;
import io.remuda.worker.job.sweep.SweepAxis;
import java.nio.file.Path;
import java.util.HashMap;
import java.util.Map;

/**
 * The paths that a user has given for the streams of a task, with the properties of the task in
 * place of their percent signs, and its parameters in place of names in braces.
 *
 * @param order what runs
 * @param folder absolute working folder
 * @param node name of this node
 */
record TaskPaths(TaskOrder order, String folder, String node) {

  /** Returns the absolute path. */
  Path of(String given) {
    StringBuilder path = new StringBuilder();
    String pattern = filled(given);
    for (int i = 0; i < pattern.length(); i++) {
      char letter = pattern.charAt(i);
      path.append(letter == '%' && i + 1 < pattern.length() ? value(pattern.charAt(++i)) : letter);
    }
    return Path.of(folder).resolve(path.toString()).normalize();
  }

  /** Returns whether a path is that of all tasks of the job on this node. */
  boolean isOfAllTasks(String pattern) {
    return order.job().tasks() > 1
        && StreamTerms.isOfAllTasks(pattern)
        && filled(pattern).equals(pattern);
  }

  /** Puts the values of the task in the place of names in braces; a value is no folder. */
  private String filled(String pattern) {
    if (order.parameters() == null) {
      return pattern;
    }
    Map<String, String> values = new HashMap<>(order.parameters().values());
    values.replaceAll((name, value) -> value.replace('/', '_').replace("%", "%%"));
    return BraceText.filled(pattern, values);
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
