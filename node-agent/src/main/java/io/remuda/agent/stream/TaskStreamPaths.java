package io.remuda.agent.stream;

import io.remuda.agent.protocol.TaskStartOrder;
import io.remuda.worker.job.stream.StandardStreamTerms;
import io.remuda.worker.job.stream.StreamPathVariables;
import java.nio.file.Path;

/**
 * The paths that a user has given for the streams of a task, with the properties of the task in
 * place of their percent signs, and its parameters in place of names in braces.
 *
 * @param order what runs
 * @param folder absolute working folder
 * @param node name of this node
 */
record TaskStreamPaths(TaskStartOrder order, String folder, String node) {

  /** Returns the absolute path. */
  Path of(String given) {
    return Path.of(folder).resolve(properties().in(given)).normalize();
  }

  /** Returns whether a path is that of all tasks of the job on this node. */
  boolean isOfAllTasks(String pattern) {
    return order.job().tasks() > 1
        && StandardStreamTerms.isOfAllTasks(pattern)
        && properties().filled(pattern).equals(pattern);
  }

  private StreamPathVariables properties() {
    return order.pathVariables(node);
  }
}
