package io.remuda.worker.job;

import com.fasterxml.jackson.annotation.JsonIgnore;
import com.fasterxml.jackson.annotation.JsonInclude;
import java.util.Collection;
import java.util.Collections;
import java.util.Map;
import java.util.SortedMap;
import java.util.SortedSet;
import java.util.TreeMap;
import java.util.TreeSet;

/**
 * What a task needs of a node besides CPUs, memory, GPUs and labels.
 *
 * @param only names of the nodes that it may run on; empty for all
 * @param except names of the nodes that it must not run on
 * @param counted resources that are counted by name, of its node or of the cluster; each at least 1
 */
@JsonInclude(JsonInclude.Include.NON_EMPTY)
public record NodeConstraints(
    SortedSet<String> only, SortedSet<String> except, SortedMap<String, Long> counted) {

  /** Any node, and nothing that is counted. */
  public static final NodeConstraints NONE =
      new NodeConstraints(new TreeSet<>(), new TreeSet<>(), new TreeMap<>());

  /** The longest name of a counted resource. */
  public static final int MOST_NAME = 63;

  /** The highest amount of a counted resource. */
  public static final long MOST = 1_000_000_000_000L;

  public NodeConstraints {
    only = sorted(only);
    except = sorted(except);
    for (String name : only) {
      if (except.contains(name)) {
        throw new IllegalArgumentException("node '" + name + "' is both wanted and excluded");
      }
    }
    counted = amounts(counted);
  }

  private static SortedSet<String> sorted(Collection<String> names) {
    return Collections.unmodifiableSortedSet(
        names == null ? new TreeSet<>() : new TreeSet<>(names));
  }

  /**
   * Returns checked amounts of counted resources.
   *
   * @throws IllegalArgumentException if a name or an amount is wrong
   */
  public static SortedMap<String, Long> amounts(Map<String, Long> given) {
    SortedMap<String, Long> amounts = new TreeMap<>(given == null ? Map.of() : given);
    amounts.forEach(
        (name, amount) -> {
          if (!name.matches("[A-Za-z][A-Za-z0-9_.-]*") || name.length() > MOST_NAME) {
            throw new IllegalArgumentException(
                "the name of a resource is a letter and then letters, digits, '_', '.' or '-', at"
                    + " most "
                    + MOST_NAME
                    + ", got '"
                    + name
                    + "'");
          }
          if (amount == null || amount < 1 || amount > MOST) {
            throw new IllegalArgumentException(
                "resource "
                    + name
                    + " must be a whole number from 1 to "
                    + MOST
                    + ", got "
                    + amount);
          }
        });
    return Collections.unmodifiableSortedMap(amounts);
  }

  /**
   * Returns the amounts of resources as people write them: {@code lic=2}.
   *
   * @param texts each {@code NAME=N}, or several of them with commas between them
   * @throws IllegalArgumentException if a text is wrong or a name occurs twice; the message has it
   */
  public static SortedMap<String, Long> read(Collection<String> texts) {
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
    return amounts(amounts);
  }

  /** Returns whether a task may run on the node of this name. */
  public boolean allows(String node) {
    return (only.isEmpty() || only.contains(node)) && !except.contains(node);
  }

  /** Returns whether any node will do and nothing is counted. */
  @JsonIgnore
  public boolean isNone() {
    return only.isEmpty() && except.isEmpty() && counted.isEmpty();
  }
}
