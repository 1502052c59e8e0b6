package io.remuda.coordinator.cli.aichor;

import io.remuda.agent.attempt.GangVariables;
import java.util.Set;
import java.util.regex.Pattern;

/** The variables that a manifest must not set, because Remuda sets them. */
final class ReservedVariableNames {

  private static final Set<String> OF_DEVICES =
      Set.of("CUDA_VISIBLE_DEVICES", "CUDA_DEVICE_ORDER", "ROCR_VISIBLE_DEVICES");

  private static final Pattern FAMILIES = Pattern.compile("(AICHOR|REMUDA|JAXOPERATOR)_.*");

  private ReservedVariableNames() {}

  static boolean isOne(String name) {
    return GangVariables.NAMES.contains(name)
        || OF_DEVICES.contains(name)
        || FAMILIES.matcher(name).matches();
  }
}
