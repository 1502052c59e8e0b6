package io.remuda.coordinator.lifecycle;

import java.util.EnumSet;
import java.util.Locale;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.stream.Collectors;
import java.util.stream.Stream;

/** The words by which users name states: their labels, and those that users of Slurm know. */
public final class StateWords {

  /** For help and messages. */
  public static final String PENDING =
      "pending is whatever has not started: submitted, held and waiting";

  private static final Set<TaskState> BEFORE =
      EnumSet.of(TaskState.SUBMITTED, TaskState.HELD, TaskState.WAITING);

  private static final Map<String, Set<TaskState>> OTHERS =
      Map.of(
          "pending", BEFORE,
          "pd", BEFORE,
          "r", Set.of(TaskState.RUNNING),
          "completed", Set.of(TaskState.SUCCEEDED),
          "cd", Set.of(TaskState.SUCCEEDED),
          "f", Set.of(TaskState.FAILED),
          "canceled", Set.of(TaskState.CANCELLED),
          "ca", Set.of(TaskState.CANCELLED));

  private StateWords() {}

  /** Returns the states that a word means, in upper or lower case; empty if it is none. */
  public static Optional<Set<TaskState>> states(String word) {
    return Stream.of(TaskState.values())
        .filter(state -> state.label().equalsIgnoreCase(word))
        .<Set<TaskState>>map(Set::of)
        .findFirst()
        .or(() -> Optional.ofNullable(OTHERS.get(word.toLowerCase(Locale.ROOT))));
  }

  /** Returns the labels of all states, for messages. */
  public static String labels() {
    return Stream.of(TaskState.values()).map(TaskState::label).collect(Collectors.joining(", "));
  }
}
