package io.remuda.worker.job.stream;

import io.remuda.worker.job.sweep.PlaceholderSubstitution;
import java.util.HashMap;
import java.util.Map;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/**
 * The properties of a task that stand in the paths of its streams.
 *
 * @param job number of its job
 * @param number by which commands know the task: its own, or that of its job if it has none
 * @param task its number, from 0
 * @param arrayIndex the index that its user has given it, or its number
 * @param node name of the node that runs it
 * @param name of its job
 * @param values its parameters; empty if it has none
 */
public record StreamPathVariables(
    long job,
    long number,
    int task,
    String arrayIndex,
    String node,
    String name,
    Map<String, String> values) {

  /** A percent sign with the letter of a property, whose width may be before it. */
  private static final Pattern SIGN = Pattern.compile("%(\\d{0,2})(.)", Pattern.DOTALL);

  public StreamPathVariables {
    values = Map.copyOf(values);
  }

  /**
   * Returns a path with the properties in place of percent signs and names in braces, numbers with
   * zeros before them as wide as {@code %4j} says. A name or a value is not a folder, and so never
   * the folder above: the dots of one that would be are replaced.
   */
  public String in(String given) {
    StringBuilder path = new StringBuilder();
    String pattern = filled(given);
    Matcher sign = SIGN.matcher(pattern);
    while (sign.find()) {
      String value = padded(value(sign.group(2).charAt(0)), sign.group(1));
      sign.appendReplacement(path, Matcher.quoteReplacement(value));
    }
    return withoutNewDots(given, sign.appendTail(path).toString());
  }

  /**
   * Returns a path that an agent of an earlier build fills in as this one does {@code given}: it
   * knows neither widths nor the task's own number. Zeros stand before the plain sign, so that the
   * agent still sees of which task the file is.
   */
  public String plain(String given) {
    return SIGN.matcher(given)
        .replaceAll(
            sign -> {
              char letter = sign.group(2).charAt(0);
              String value = value(letter);
              String plain = letter == 'J' ? value : "%" + letter;
              return Matcher.quoteReplacement(zeros(value, sign.group(1)) + plain);
            });
  }

  /** Returns a value with zeros before it, at least as wide as that. */
  private static String padded(String value, String width) {
    return zeros(value, width) + value;
  }

  private static String zeros(String value, String width) {
    int missing = width.isEmpty() ? 0 : Integer.parseInt(width) - value.length();
    return "0".repeat(Math.max(0, missing));
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

  /** Returns a path with the values in the place of names in braces; a value is not a folder. */
  public String filled(String pattern) {
    Map<String, String> plain = new HashMap<>(values);
    plain.replaceAll((name, value) -> value.replace('/', '_').replace("%", "%%"));
    return PlaceholderSubstitution.filled(pattern, plain);
  }

  private String value(char letter) {
    return switch (letter) {
      case 'j' -> Long.toString(job);
      case 'J' -> Long.toString(number);
      case 't' -> Integer.toString(task);
      case 'a' -> arrayIndex;
      case 'n' -> node;
      case 'x' -> name.replace('/', '_'); // a name is not a folder
      default -> "%";
    };
  }
}
