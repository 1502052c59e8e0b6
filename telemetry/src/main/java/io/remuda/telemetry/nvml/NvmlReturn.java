package io.remuda.telemetry.nvml;

import java.util.HashMap;
import java.util.Map;

/** Return codes of NVML, named as in nvml.h without {@code NVML_} and {@code NVML_ERROR_}. */
public enum NvmlReturn {
  SUCCESS(0),
  UNINITIALIZED(1),
  INVALID_ARGUMENT(2),
  NOT_SUPPORTED(3),
  NO_PERMISSION(4),
  ALREADY_INITIALIZED(5),
  NOT_FOUND(6),
  INSUFFICIENT_SIZE(7),
  INSUFFICIENT_POWER(8),
  DRIVER_NOT_LOADED(9),
  TIMEOUT(10),
  IRQ_ISSUE(11),
  LIBRARY_NOT_FOUND(12),
  FUNCTION_NOT_FOUND(13),
  CORRUPTED_INFOROM(14),
  GPU_IS_LOST(15),
  RESET_REQUIRED(16),
  OPERATING_SYSTEM(17),
  LIB_RM_VERSION_MISMATCH(18),
  IN_USE(19),
  MEMORY(20),
  NO_DATA(21),
  VGPU_ECC_NOT_SUPPORTED(22),
  INSUFFICIENT_RESOURCES(23),
  FREQ_NOT_SUPPORTED(24),
  ARGUMENT_VERSION_MISMATCH(25),
  DEPRECATED(26),
  NOT_READY(27),
  GPU_NOT_FOUND(28),
  INVALID_STATE(29),
  RESET_TYPE_NOT_SUPPORTED(30),
  UNKNOWN(999);

  private static final Map<Integer, NvmlReturn> BY_CODE = new HashMap<>();

  static {
    for (NvmlReturn value : values()) {
      BY_CODE.put(value.code, value);
    }
  }

  private final int code;

  NvmlReturn(int code) {
    this.code = code;
  }

  public int code() {
    return code;
  }

  /** Returns the constant of a code; UNKNOWN for codes of future drivers. */
  public static NvmlReturn of(int code) {
    return code == 0 ? SUCCESS : BY_CODE.getOrDefault(code, UNKNOWN);
  }
}
