package io.remuda.coordinator.cli.script;

import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;

/**
 * The value of sbatch's {@code --export}. Without {@code ALL} a job has the user's login
 * environment in place of the submitting shell's, and of that only what is named.
 *
 * @param all whether the job has the environment of the shell that submits it
 * @param named variables of that shell which it has in any case
 * @param set variables with their values
 */
public record SbatchExport(boolean all, List<String> named, Map<String, String> set) {

  public SbatchExport {
    named = List.copyOf(named);
    set = Map.copyOf(set);
  }

  /** Reads a value, which has blanks in no part of sbatch. */
  static SbatchExport of(String value) {
    boolean all = value.isBlank();
    List<String> named = new ArrayList<>();
    Map<String, String> set = new LinkedHashMap<>();
    for (String item : value.split(",")) {
      int sign = item.indexOf('=');
      if (sign > 0) {
        set.put(item.substring(0, sign), item.substring(sign + 1));
      } else if (item.equalsIgnoreCase("ALL")) {
        all = true;
      } else if (!item.isEmpty() && !item.equalsIgnoreCase("NONE") && !item.equals("NIL")) {
        named.add(item);
      }
    }
    return new SbatchExport(all, named, set);
  }

  /**
   * Returns the environment of a job, without what it sets.
   *
   * @param shell that of the shell that submits it
   * @param login asked for the environment of the user's login, only if it is wanted
   */
  public Map<String, String> over(Map<String, String> shell, LoginEnvironment login) {
    if (all) {
      return shell;
    }
    Map<String, String> environment = new LinkedHashMap<>(login.variables());
    shell.forEach(
        (name, value) -> {
          if (named.contains(name) || name.startsWith("REMUDA_")) {
            environment.put(name, value);
          }
        });
    return environment;
  }
}
