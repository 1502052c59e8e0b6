package io.remuda.coordinator.cli.script;

import java.util.Iterator;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;

/**
 * The options of sbatch in the head of a script, by their long names; of equal ones the last.
 *
 * @param given value of each, empty for a flag
 */
record SbatchOptions(Map<String, Stated> given) {

  /**
   * An option as it is written.
   *
   * @param line where it is
   * @param value empty if it has none
   */
  record Stated(DirectiveLine line, String value) {}

  /** Those that mean something here. */
  static final Set<String> FOLLOWED =
      Set.of(
          "array",
          "begin",
          "chdir",
          "comment",
          "constraint",
          "cpus-per-gpu",
          "cpus-per-task",
          "dependency",
          "error",
          "exclude",
          "exclusive",
          "export",
          "gpus",
          "gpus-per-node",
          "gpus-per-task",
          "gres",
          "hold",
          "input",
          "job-name",
          "licenses",
          "mem",
          "mem-per-cpu",
          "mem-per-gpu",
          "mincpus",
          "nice",
          "nodelist",
          "nodes",
          "no-requeue",
          "ntasks",
          "ntasks-per-gpu",
          "ntasks-per-node",
          "open-mode",
          "output",
          "overcommit",
          "priority",
          "requeue",
          "signal",
          "time",
          "wait");

  private static final Map<Character, String> SHORT =
      Map.ofEntries(
          Map.entry('A', "account"),
          Map.entry('B', "extra-node-info"),
          Map.entry('C', "constraint"),
          Map.entry('D', "chdir"),
          Map.entry('F', "nodefile"),
          Map.entry('G', "gpus"),
          Map.entry('H', "hold"),
          Map.entry('J', "job-name"),
          Map.entry('L', "licenses"),
          Map.entry('M', "clusters"),
          Map.entry('N', "nodes"),
          Map.entry('O', "overcommit"),
          Map.entry('Q', "quiet"),
          Map.entry('S', "core-spec"),
          Map.entry('W', "wait"),
          Map.entry('a', "array"),
          Map.entry('b', "begin"),
          Map.entry('c', "cpus-per-task"),
          Map.entry('d', "dependency"),
          Map.entry('e', "error"),
          Map.entry('i', "input"),
          Map.entry('k', "no-kill"),
          Map.entry('m', "distribution"),
          Map.entry('n', "ntasks"),
          Map.entry('o', "output"),
          Map.entry('p', "partition"),
          Map.entry('q', "qos"),
          Map.entry('s', "oversubscribe"),
          Map.entry('t', "time"),
          Map.entry('v', "verbose"),
          Map.entry('w', "nodelist"),
          Map.entry('x', "exclude"));

  /** Options without a value, or with one only behind {@code =}. */
  private static final Set<String> FLAGS =
      Set.of(
          "contiguous",
          "exclusive",
          "get-user-env",
          "hold",
          "ignore-pbs",
          "nice",
          "no-kill",
          "no-requeue",
          "overcommit",
          "oversubscribe",
          "parsable",
          "propagate",
          "quiet",
          "reboot",
          "requeue",
          "spread-job",
          "test-only",
          "use-min-nodes",
          "verbose",
          "wait");

  /**
   * Reads the options of a script.
   *
   * @throws IllegalArgumentException if a line has something else; the message has file and line
   */
  static SbatchOptions of(JobScript script) {
    Map<String, Stated> given = new LinkedHashMap<>();
    for (DirectiveLine line : script.directives(DirectiveLine.Kind.SBATCH)) {
      Iterator<String> words = line.words().iterator();
      while (words.hasNext()) {
        String word = words.next();
        if (word.startsWith("--") && word.length() > 2) {
          try {
            longOption(word.substring(2), words, line, given);
          } catch (IllegalArgumentException ambiguous) {
            throw new IllegalArgumentException(
                script.place(line) + ambiguous.getMessage(), ambiguous);
          }
        } else if (word.startsWith("-") && word.length() > 1) {
          shortOptions(word.substring(1), words, line, given);
        } else {
          throw new IllegalArgumentException(
              script.place(line) + "an option begins with '-', got '" + word + "'");
        }
      }
    }
    return new SbatchOptions(given);
  }

  private static void longOption(
      String word, Iterator<String> words, DirectiveLine line, Map<String, Stated> given) {
    int sign = word.indexOf('=');
    String name = SbatchOptionNames.whole(sign < 0 ? word : word.substring(0, sign));
    boolean next = sign < 0 && !FLAGS.contains(name) && words.hasNext();
    put(name, sign >= 0 ? word.substring(sign + 1) : next ? words.next() : "", line, given);
  }

  private static void shortOptions(
      String letters, Iterator<String> words, DirectiveLine line, Map<String, Stated> given) {
    for (int i = 0; i < letters.length(); i++) {
      String name = SHORT.getOrDefault(letters.charAt(i), "-" + letters.charAt(i));
      if (!FLAGS.contains(name)) {
        String rest = letters.substring(i + 1);
        put(name, !rest.isEmpty() ? rest : words.hasNext() ? words.next() : "", line, given);
        return;
      }
      put(name, "", line, given);
    }
  }

  private static void put(
      String name, String value, DirectiveLine line, Map<String, Stated> given) {
    given.remove(name); // so that the last one stands last
    given.put(name, new Stated(line, value));
  }

  /** Returns the names of all that were given, as a user would write them. */
  static String written(String name) {
    return name.startsWith("-") ? name : "--" + name;
  }

  List<String> names() {
    return List.copyOf(given.keySet());
  }

  /** Returns the value of an option, or null if it is not given. */
  String value(String name) {
    Stated stated = given.get(name);
    return stated == null ? null : stated.value();
  }
}
