package io.remuda.worker.job.sweep;

import java.util.Map;
import java.util.Set;

/**
 * Names in braces. {@code {lr}} stands for the value of lr, {@code {{lr}}} for the text {@code
 * {lr}}. Braces around anything that is no parameter's name are left alone.
 */
public final class PlaceholderSubstitution {

  private PlaceholderSubstitution() {}

  /** What takes the place of a name in braces. */
  private interface Replacement {
    String of(String name, boolean doubled);
  }

  /** Returns a text with the values of these names; the same object if it has none of them. */
  public static String filled(String text, Map<String, String> values) {
    return replaced(
        text, values.keySet(), (name, doubled) -> doubled ? "{" + name + "}" : values.get(name));
  }

  /** Returns a text of which {@link #filled} makes the given one. */
  public static String kept(String text, Set<String> names) {
    return replaced(
        text, names, (name, doubled) -> (doubled ? "{{{" : "{{") + name + (doubled ? "}}}" : "}}"));
  }

  /** Returns a text without these names and their braces. */
  public static String without(String text, Set<String> names) {
    return replaced(text, names, (name, doubled) -> "");
  }

  /** Returns whether the value of a name has a place in a text. */
  public static boolean uses(String text, String name) {
    boolean[] used = {false};
    replaced(
        text,
        Set.of(name),
        (found, doubled) -> {
          used[0] |= !doubled;
          return found;
        });
    return used[0];
  }

  private static String replaced(String text, Set<String> names, Replacement with) {
    StringBuilder whole = null;
    int done = 0;
    for (int open = text.indexOf('{'); open >= 0; open = text.indexOf('{', open + 1)) {
      int begin = open;
      boolean doubled = text.startsWith("{{", begin) && isName(text, begin + 2, names, "}}");
      if (!doubled && !isName(text, begin + 1, names, "}")) {
        continue;
      }
      int braces = doubled ? 2 : 1;
      int close = text.indexOf('}', begin);
      whole = whole == null ? new StringBuilder() : whole;
      whole.append(text, done, begin);
      whole.append(with.of(text.substring(begin + braces, close), doubled));
      done = close + braces;
      open = done - 1;
    }
    return whole == null ? text : whole.append(text, done, text.length()).toString();
  }

  private static boolean isName(String text, int begin, Set<String> names, String end) {
    int close = text.indexOf('}', begin);
    return close >= 0
        && text.startsWith(end, close)
        && names.contains(text.substring(begin, close));
  }
}
