package io.remuda.coordinator.cli.select;

import io.remuda.coordinator.lifecycle.TaskState;
import java.util.Set;
import java.util.stream.Collectors;
import java.util.stream.Stream;

/** The states in which jobs and tasks stay, by the names that the server gives them. */
public final class FinalStates {

  private static final Set<String> LABELS =
      Stream.of(TaskState.values())
          .filter(TaskState::isFinal)
          .map(TaskState::label)
          .collect(Collectors.toUnmodifiableSet());

  private FinalStates() {}

  /** Returns whether a state is one of them. */
  public static boolean include(String label) {
    return LABELS.contains(label);
  }
}
