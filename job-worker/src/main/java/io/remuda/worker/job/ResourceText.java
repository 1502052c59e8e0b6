package io.remuda.worker.job;

import java.util.Collection;
import java.util.SortedMap;
import java.util.TreeMap;

/** Counted resources as people write them: {@code lic=2}. */
public final class ResourceText {

  private ResourceText() {}

  /**
   * Returns the amounts of resources.
   *
   * @param texts each {@code NAME=N}, or several of them with commas between them
   * @throws IllegalArgumentException if a text is wrong or a name occurs twice; the message has it
   */
  public static SortedMap<String, Long> amounts(Collection<String> texts) {
    SortedMap<String, Long> amounts = new TreeMap<>();
    for (String text : texts) {
      for (String part : text.split(",", -1)) {
        int equals = part.indexOf('=');
        String number = equals < 0 ? "" : part.substring(equals + 1);
        if (!number.matches("\\d{1,13}")) {
          throw new IllegalArgumentException(
              "a resource is NAME=N with a whole number, as lic=2, got '" + part + "'");
        }
        String name = part.substring(0, equals);
        if (amounts.put(name, Long.parseLong(number)) != null) {
          throw new IllegalArgumentException("resource '" + name + "' is given twice");
        }
      }
    }
    return NodeNeeds.amounts(amounts);
  }
}
