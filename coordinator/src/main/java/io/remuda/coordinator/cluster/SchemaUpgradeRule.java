package io.remuda.coordinator.cluster;

import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.TreeMap;

/**
 * When the tables of a state that several coordinators lead on are upgraded: once each member of
 * the cluster knows the new ones, so that whoever leads next can read them. Each member says by a
 * role which tables its build knows.
 */
public final class SchemaUpgradeRule {

  private static final String ROLE = "schema-";

  private SchemaUpgradeRule() {}

  /** Returns the role of a member that knows the tables up to a version. */
  public static String role(int newest) {
    return ROLE + newest;
  }

  /**
   * Returns why the tables are not upgraded now.
   *
   * @param found their version, 0 if there are none
   * @param newest the version that this build makes of them
   * @param members the roles of all members of the cluster, by member
   */
  public static Optional<String> refusal(
      int found, int newest, Map<String, ? extends Set<String>> members) {
    Map<String, Integer> older = new TreeMap<>();
    members.forEach(
        (member, roles) -> {
          int known = known(roles);
          if (known < newest) {
            older.put(member, known);
          }
        });
    if (found >= newest || older.isEmpty()) {
      return Optional.empty();
    }
    return Optional.of(
        "its schema has version "
            + found
            + " and gets version "
            + newest
            + " once no coordinator of an older build is in the cluster; there are "
            + String.join(", ", older.keySet())
            + ": replace them");
  }

  private static int known(Set<String> roles) {
    return roles.stream()
        .filter(role -> role.startsWith(ROLE))
        .mapToInt(role -> Integer.parseInt(role.substring(ROLE.length())))
        .max()
        .orElse(0);
  }
}
