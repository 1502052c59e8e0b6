package io.remuda.telemetry.nvml;

import io.remuda.telemetry.model.Health;

/** What a return code says about a device. */
final class NvmlHealth {
  private NvmlHealth() {}

  /** The health that an answer means; that a reading is not offered says nothing bad. */
  static Health of(NvmlReturn answer) {
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
          Health.OK;
      case GPU_IS_LOST, GPU_NOT_FOUND -> Health.LOST;
      case UNINITIALIZED, DRIVER_NOT_LOADED, LIB_RM_VERSION_MISMATCH -> Health.STALE;
      default -> Health.DEGRADED;
    };
  }

  /** Whether opening the library again may help. */
  static boolean asksForReopening(NvmlReturn answer) {
    Health health = of(answer);
    return health == Health.LOST
        || health == Health.STALE
        || answer == NvmlReturn.RESET_REQUIRED
        || answer == NvmlReturn.UNKNOWN;
  }
}
