package io.remuda.coordinator.cli.aichor;

import io.remuda.agent.attempt.ReservedVariables;
import java.util.regex.Pattern;

/** The variables that a manifest must not set, because Remuda sets them. */
final class ReservedVariableNames {

  private static final Pattern FAMILIES = Pattern.compile("(AICHOR|REMUDA|JAXOPERATOR)_.*");

  private ReservedVariableNames() {}

  static boolean isOne(String name) {
    return ReservedVariables.refusal(name, true).isPresent() || FAMILIES.matcher(name).matches();
  }
}
