package io.remuda.telemetry.nvml;

/** The NVML functions in use, by their C names. */
public enum NvmlFunction {
  INIT_V2("nvmlInit_v2"),
  INIT("nvmlInit"),
  SHUTDOWN("nvmlShutdown"),
  SYSTEM_DRIVER_VERSION("nvmlSystemGetDriverVersion"),
  COUNT_V2("nvmlDeviceGetCount_v2"),
  COUNT("nvmlDeviceGetCount"),
  HANDLE_BY_INDEX_V2("nvmlDeviceGetHandleByIndex_v2"),
  HANDLE_BY_INDEX("nvmlDeviceGetHandleByIndex"),
  HANDLE_BY_UUID("nvmlDeviceGetHandleByUUID"),
  NAME("nvmlDeviceGetName"),
  UUID("nvmlDeviceGetUUID"),
  PCI_INFO_V3("nvmlDeviceGetPciInfo_v3"),
  PCI_INFO_V2("nvmlDeviceGetPciInfo_v2"),
  PCI_INFO("nvmlDeviceGetPciInfo"),
  MIG_MODE("nvmlDeviceGetMigMode"),
  MIG_MAX_COUNT("nvmlDeviceGetMaxMigDeviceCount"),
  MIG_HANDLE_BY_INDEX("nvmlDeviceGetMigDeviceHandleByIndex"),
  UTILIZATION("nvmlDeviceGetUtilizationRates"),
  MEMORY_V2("nvmlDeviceGetMemoryInfo_v2"),
  MEMORY("nvmlDeviceGetMemoryInfo"),
  TEMPERATURE("nvmlDeviceGetTemperature"),
  POWER_USAGE("nvmlDeviceGetPowerUsage"),
  POWER_LIMIT("nvmlDeviceGetEnforcedPowerLimit"),
  ENERGY("nvmlDeviceGetTotalEnergyConsumption"),
  CLOCK("nvmlDeviceGetClockInfo"),
  FAN("nvmlDeviceGetFanSpeed"),
  EVENT_REASONS("nvmlDeviceGetCurrentClocksEventReasons"),
  THROTTLE_REASONS("nvmlDeviceGetCurrentClocksThrottleReasons"),
  ECC_ERRORS("nvmlDeviceGetTotalEccErrors"),
  PROCESSES_V3("nvmlDeviceGetComputeRunningProcesses_v3"),
  PROCESSES_V2("nvmlDeviceGetComputeRunningProcesses_v2"),
  PROCESSES("nvmlDeviceGetComputeRunningProcesses");

  private final String symbol;

  NvmlFunction(String symbol) {
    this.symbol = symbol;
  }

  /** Returns the C name. */
  public String symbol() {
    return symbol;
  }
}
