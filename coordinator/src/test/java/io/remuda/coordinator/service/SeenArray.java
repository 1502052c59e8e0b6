package io.remuda.coordinator.service;

import com.fasterxml.jackson.databind.JsonNode;
import java.util.Set;
import java.util.function.Predicate;
import java.util.stream.StreamSupport;

/** What looks at the tasks of an array have seen of it. One thread at a time. */
final class SeenArray {

  /** Milliseconds; a quarter of {@code sharing.ahead}. */
  private static final long SHORT = 50;

  private int mostOnNodes;
  private boolean quick;

  /**
   * Adds a look.
   *
   * @return whether all tasks are over
   */
  boolean seen(JsonNode tasks) {
    mostOnNodes = Math.max(mostOnNodes, count(tasks, SeenArray::isOnNode));
    quick = 2 * count(tasks, SeenArray::wasShort) > tasks.size();
    return count(tasks, task -> task.hasNonNull("endedAt")) == tasks.size();
  }

  /** How many tasks were seen on nodes at once. */
  int mostOnNodes() {
    return mostOnNodes;
  }

  /** Whether most tasks were so short that others are sent ahead of their turn. */
  boolean wasQuick() {
    return quick;
  }

  private static boolean isOnNode(JsonNode task) {
    return Set.of("starting", "running").contains(task.path("state").asText());
  }

  private static boolean wasShort(JsonNode task) {
    return task.path("wallMillis").asLong(SHORT + 1) <= SHORT;
  }

  private static int count(JsonNode tasks, Predicate<JsonNode> which) {
    return (int) StreamSupport.stream(tasks.spliterator(), false).filter(which).count();
  }
}
