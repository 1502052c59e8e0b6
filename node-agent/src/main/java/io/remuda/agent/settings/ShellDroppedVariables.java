package io.remuda.agent.settings;

import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import java.util.regex.Pattern;

/**
 * The variables that a shell between this process and a program would drop, because it cannot name
 * them, such as functions that bash exports.
 */
public final class ShellDroppedVariables {

  private static final Pattern NAMEABLE = Pattern.compile("[A-Za-z_][A-Za-z0-9_]*");
  private static final String ENV = "/usr/bin/env";

  private ShellDroppedVariables() {}

  /**
   * Returns the words before a command by which it has them in spite of the shell; none if there
   * are no such variables, or if the command's own first word would be taken for one.
   *
   * @param environment of the shell
   * @param command the program and its arguments
   */
  public static List<String> before(Map<String, String> environment, List<String> command) {
    Map<String, String> dropped = new TreeMap<>(environment);
    dropped.keySet().removeIf(name -> NAMEABLE.matcher(name).matches());
    if (dropped.isEmpty() || command.get(0).indexOf('=') >= 0) {
      return List.of();
    }
    List<String> words = new ArrayList<>(List.of(ENV, "--"));
    dropped.forEach((name, value) -> words.add(name + "=" + value));
    return words;
  }
}
