package io.remuda.telemetry.nvml;

import io.remuda.telemetry.model.DeviceHealth;

/** Maps return codes to device health. */
final class NvmlReturnHealth {
  private NvmlReturnHealth() {}

  /** Returns the health that an answer implies; a missing reading still means OK. */
  static DeviceHealth of(NvmlReturn answer) {
    return switch (answer) {
      case SUCCESS,
          NOT_SUPPORTED,
          NO_PERMISSION,
          NOT_FOUND,
          INSUFFICIENT_SIZE,
          FUNCTION_NOT_FOUND,
          NO_DATA,
          VGPU_ECC_NOT_SUPPORTED,
          ARGUMENT_VERSION_MISMATCH,
          DEPRECATED,
          NOT_READY ->
          DeviceHealth.OK;
      case GPU_IS_LOST, GPU_NOT_FOUND -> DeviceHealth.LOST;
      case UNINITIALIZED, DRIVER_NOT_LOADED, LIB_RM_VERSION_MISMATCH -> DeviceHealth.STALE;
      default -> DeviceHealth.DEGRADED;
    };
  }

  /** Returns whether reopening the library may help. */
  static boolean asksForReopening(NvmlReturn answer) {
    DeviceHealth health = of(answer);
    return health == DeviceHealth.LOST
        || health == DeviceHealth.STALE
        || answer == NvmlReturn.RESET_REQUIRED
        || answer == NvmlReturn.UNKNOWN;
  }
}
