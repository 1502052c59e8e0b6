package io.remuda.agent.attempt;

import java.util.HashMap;
import java.util.List;
import java.util.Map;

/**
 * What an attempt is started with besides what every attempt gets.
 *
 * @param prefix words before its command, mostly none
 * @param variables of its environment
 */
public record LaunchAdditions(List<String> prefix, Map<String, String> variables) {

  /** Nothing. */
  public static final LaunchAdditions NONE = new LaunchAdditions(List.of(), Map.of());

  public LaunchAdditions {
    prefix = List.copyOf(prefix);
    variables = Map.copyOf(variables);
  }

  /** Returns a copy with further variables. */
  public LaunchAdditions with(Map<String, String> others) {
    if (others.isEmpty()) {
      return this;
    }
    Map<String, String> all = new HashMap<>(variables);
    all.putAll(others);
    return new LaunchAdditions(prefix, all);
  }
}
