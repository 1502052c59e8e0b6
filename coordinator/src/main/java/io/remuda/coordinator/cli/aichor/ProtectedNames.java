package io.remuda.coordinator.cli.aichor;

import java.util.Set;
import java.util.regex.Pattern;

/** The variables that a manifest must not set, because Remuda sets them. */
final class ProtectedNames {

  private static final Set<String> NAMES =
      Set.of(
          "RANK",
          "WORLD_SIZE",
          "LOCAL_RANK",
          "LOCAL_WORLD_SIZE",
          "NODE_RANK",
          "MASTER_ADDR",
          "MASTER_PORT",
          "TF_CONFIG",
          "WORKER_PORT",
          "WORKER_ADDRS",
          "JOB_COMPLETION_INDEX",
          "JOB_INDEX",
          "JOB_GLOBAL_INDEX",
          "GLOBAL_REPLICAS",
          "REPLICATED_JOB_NAME",
          "REPLICATED_JOB_REPLICAS",
          "CUDA_VISIBLE_DEVICES",
          "CUDA_DEVICE_ORDER",
          "ROCR_VISIBLE_DEVICES");

  private static final Pattern FAMILIES = Pattern.compile("(AICHOR|REMUDA|JAXOPERATOR)_.*");

  private ProtectedNames() {}

  static boolean isOne(String name) {
    return NAMES.contains(name) || FAMILIES.matcher(name).matches();
  }
}
