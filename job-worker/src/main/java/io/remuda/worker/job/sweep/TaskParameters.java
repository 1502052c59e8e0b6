package io.remuda.worker.job.sweep;

import java.util.ArrayList;
import java.util.List;
import java.util.Map;

/**
 * What distinguishes one task from the others of its job.
 *
 * @param values by the name that stands for each in arguments and variables
 * @param variables that the task finds in its environment
 */
public record TaskParameters(Map<String, String> values, Map<String, String> variables) {

  private static final int ENTRY = 20;

  public TaskParameters {
    values = Map.copyOf(values);
    variables = Map.copyOf(variables);
  }

  /** Returns texts with the values; the same list if none has one. */
  public List<String> filled(List<String> texts) {
    List<String> filled = new ArrayList<>(texts.size());
    boolean same = true;
    for (String text : texts) {
      String own = PlaceholderSubstitution.filled(text, values);
      same &= own == text;
      filled.add(own);
    }
    return same ? texts : filled;
  }

  /** Returns about how many bytes they take in a message. */
  public long size() {
    long size = 0;
    for (Map<String, String> texts : List.of(values, variables)) {
      for (Map.Entry<String, String> one : texts.entrySet()) {
        size += ENTRY + one.getKey().length() + one.getValue().length();
      }
    }
    return size;
  }
}
