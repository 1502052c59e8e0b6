package io.remuda.worker.job.stream;

import io.remuda.worker.job.sweep.PlaceholderSubstitution;
import java.util.HashMap;
import java.util.Map;

/**
 * The properties of a task that stand in the paths of its streams.
 *
 * @param job number of its job
 * @param task its number, from 0
 * @param arrayIndex the index that its user has given it, or its number
 * @param node name of the node that runs it
 * @param name of its job
 * @param values its parameters; empty if it has none
 */
public record StreamPathVariables(
    long job, int task, String arrayIndex, String node, String name, Map<String, String> values) {

  public StreamPathVariables {
    values = Map.copyOf(values);
  }

  /**
   * Returns a path with the properties in place of percent signs and names in braces. A name or a
   * value is no folder, and so never the folder above: the dots of one that would be are replaced.
   */
  public String in(String given) {
    StringBuilder path = new StringBuilder();
    String pattern = filled(given);
    for (int i = 0; i < pattern.length(); i++) {
      char letter = pattern.charAt(i);
      path.append(letter == '%' && i + 1 < pattern.length() ? value(pattern.charAt(++i)) : letter);
    }
    return withoutNewDots(given, path.toString());
  }

  private static String withoutNewDots(String given, String path) {
    String[] before = given.split("/", -1);
    String[] parts = path.split("/", -1);
    for (int i = 0; i < parts.length && parts.length == before.length; i++) {
      boolean dots = parts[i].equals(".") || parts[i].equals("..");
      if (dots && !parts[i].equals(before[i])) {
        parts[i] = parts[i].replace('.', '_');
      }
    }
    return String.join("/", parts);
  }

  /** Returns a path with the values in the place of names in braces; a value is no folder. */
  public String filled(String pattern) {
    Map<String, String> plain = new HashMap<>(values);
    plain.replaceAll((name, value) -> value.replace('/', '_').replace("%", "%%"));
    return PlaceholderSubstitution.filled(pattern, plain);
  }

  private String value(char letter) {
    return switch (letter) {
      case 'j' -> Long.toString(job);
      case 't' -> Integer.toString(task);
      case 'a' -> arrayIndex;
      case 'n' -> node;
      case 'x' -> name.replace('/', '_'); // a name is no folder
      default -> "%";
    };
  }
}
