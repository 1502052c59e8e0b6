/* The functions of the driver's library, answered from the simulated machine. */
#define _GNU_SOURCE
#include <math.h>
#include <stdio.h>
#include <string.h>
#include <time.h>
#include <unistd.h>

#include "nvml-abi.h"
#include "state.h"

#define POLL_MICROSECONDS 2000
#define MAX_MIG 7

/* Guarded by the state's lock. */
static int references;
static unsigned long generation;
static long init_calls, init_successes, shutdown_calls, stale_handles, process_calls;
static long inside, inside_max, hanging, hanging_max;

/* ---- what tests ask ---- */

EXPORT void remuda_simulated_nvml_control(const char *path) { state_follow(path); }

EXPORT long remuda_simulated_nvml_counter(const char *name) {
  struct {
    const char *name;
    long *value;
  } counters[] = {
      {"init_calls", &init_calls},       {"init_successes", &init_successes},
      {"shutdown_calls", &shutdown_calls}, {"stale_handles", &stale_handles},
      {"process_calls", &process_calls}, {"inside", &inside},
      {"inside_max", &inside_max},       {"hanging", &hanging},
      {"hanging_max", &hanging_max},
  };
  long value = -1;
  state_lock();
  if (strcmp(name, "references") == 0) value = references;
  for (unsigned i = 0; i < sizeof counters / sizeof *counters; i++) {
    if (strcmp(counters[i].name, name) == 0) value = *counters[i].value;
  }
  state_unlock();
  return value;
}

EXPORT void remuda_simulated_nvml_reset_counters(void) {
  state_lock();
  init_calls = init_successes = shutdown_calls = stale_handles = process_calls = 0;
  inside_max = inside;
  hanging_max = hanging;
  state_unlock();
}

/* ---- the library as a whole ---- */

static void wait_a_little(void) {
  state_unlock();
  usleep(POLL_MICROSECONDS);
  state_lock();
}

static void hang_begins(void) {
  hanging++;
  if (hanging > hanging_max) hanging_max = hanging;
}

EXPORT nvmlReturn_t nvmlInit(void) {
  state_lock();
  init_calls++;
  if (state_current()->init_hang) {
    hang_begins();
    while (state_current()->init_hang) wait_a_little();
    hanging--;
  }
  int code = state_current()->init_code;
  if (code == NVML_SUCCESS) {
    init_successes++;
    if (references++ == 0) generation++;
  }
  state_unlock();
  return code;
}

#ifndef OLD_DRIVER
EXPORT nvmlReturn_t nvmlInit_v2(void) { return nvmlInit(); }
#endif

EXPORT nvmlReturn_t nvmlShutdown(void) {
  state_lock();
  shutdown_calls++;
  int code = references > 0 ? NVML_SUCCESS : NVML_ERROR_UNINITIALIZED;
  if (references > 0) references--;
  state_unlock();
  return code;
}

static int copy_text(char *to, unsigned int length, const char *from) {
  if (length <= strlen(from)) return NVML_ERROR_INSUFFICIENT_SIZE;
  strcpy(to, from);
  return NVML_SUCCESS;
}

/* Takes the lock and, when the library is open, leaves the machine in *machine. */
static int library_call(struct machine **machine) {
  state_lock();
  *machine = state_current();
  return references > 0 ? NVML_SUCCESS : NVML_ERROR_UNINITIALIZED;
}

EXPORT nvmlReturn_t nvmlSystemGetDriverVersion(char *version, unsigned int length) {
  struct machine *machine;
  int code = library_call(&machine);
  if (code == NVML_SUCCESS) code = copy_text(version, length, machine->driver);
  state_unlock();
  return code;
}

EXPORT nvmlReturn_t nvmlDeviceGetCount(unsigned int *count) {
  struct machine *machine;
  int code = library_call(&machine);
  if (code == NVML_SUCCESS) *count = (unsigned int)machine->gpus;
  state_unlock();
  return code;
}

/* ---- handles: they name the opening of the library that gave them ---- */

static nvmlDevice_t handle_of(int index) {
  return (nvmlDevice_t)(uintptr_t)(generation << 16 | (unsigned long)index << 4 | 1);
}

static int index_of(nvmlDevice_t device, const struct machine *machine) {
  uintptr_t bits = (uintptr_t)device;
  int index = (int)(bits >> 4 & 0xfff);
  if (bits >> 16 != generation || index >= MAX_GPUS) return -1;
  return index < machine->gpus || machine->gpu[index].mig_of >= 0 ? index : -1;
}

EXPORT nvmlReturn_t nvmlDeviceGetHandleByIndex(unsigned int index, nvmlDevice_t *device) {
  struct machine *machine;
  int code = library_call(&machine);
  if (code == NVML_SUCCESS && index >= (unsigned int)machine->gpus) {
    code = NVML_ERROR_INVALID_ARGUMENT;
  }
  if (code == NVML_SUCCESS) code = machine->gpu[index].answer;
  if (code == NVML_SUCCESS) *device = handle_of((int)index);
  state_unlock();
  return code;
}

EXPORT nvmlReturn_t nvmlDeviceGetHandleByUUID(const char *uuid, nvmlDevice_t *device) {
  struct machine *machine;
  int code = library_call(&machine);
  if (code == NVML_SUCCESS) {
    code = NVML_ERROR_NOT_FOUND;
    for (int i = 0; i < MAX_GPUS; i++) {
      if (i >= machine->gpus && machine->gpu[i].mig_of < 0) continue;
      if (strcmp(machine->gpu[i].uuid, uuid) != 0 || machine->gpu[i].gone) continue;
      code = machine->gpu[i].answer;
      if (code == NVML_SUCCESS) *device = handle_of(i);
    }
  }
  state_unlock();
  return code;
}

#ifndef OLD_DRIVER
EXPORT nvmlReturn_t nvmlDeviceGetCount_v2(unsigned int *count) {
  return nvmlDeviceGetCount(count);
}

EXPORT nvmlReturn_t nvmlDeviceGetHandleByIndex_v2(unsigned int index, nvmlDevice_t *device) {
  return nvmlDeviceGetHandleByIndex(index, device);
}
#endif

/* ---- one device ---- */

static int planned_failure(const struct gpu *gpu, const char *function) {
  for (int i = 0; i < gpu->failures; i++) {
    if (strcmp(gpu->failure[i].function, function) == 0) return gpu->failure[i].code;
  }
  return gpu->answer;
}

/* Waits while the GPU hangs, then copies its state or answers why there is none. */
static int device_call(nvmlDevice_t device, const char *function, struct gpu *copy) {
  struct machine *machine;
  int code = library_call(&machine);
  int index = index_of(device, machine);
  if (code == NVML_SUCCESS && index < 0) {
    stale_handles++;
    code = NVML_ERROR_INVALID_ARGUMENT;
  }
  if (code == NVML_SUCCESS) {
    if (++inside > inside_max) inside_max = inside;
    if (machine->gpu[index].hang) {
      hang_begins();
      while (state_current()->gpu[index].hang) wait_a_little();
      hanging--;
    }
    inside--;
    *copy = machine->gpu[index];
    code = planned_failure(copy, function);
  }
  state_unlock();
  return code;
}

static long long milliseconds(void) {
  struct timespec now;
  clock_gettime(CLOCK_REALTIME, &now);
  return now.tv_sec * 1000LL + now.tv_nsec / 1000000;
}

static long long evaluate(const struct gpu *gpu, long long value) {
  unsigned int pids[MAX_PROCESSES];
  if (value == WAVE) return llround(50 + 50 * sin((double)(milliseconds() % 20000) / 20000 * 6.28318530718));
  if (value == BUSY) return busy_pids(gpu->uuid, pids, MAX_PROCESSES) > 0 ? 90 : 0;
  return value;
}

static int processes_of(const struct gpu *gpu, struct process *list) {
  int count = gpu->processes;
  memcpy(list, gpu->process, sizeof(struct process) * (size_t)count);
  if (gpu->util != BUSY) return count;
  unsigned int pids[MAX_PROCESSES];
  int busy = busy_pids(gpu->uuid, pids, MAX_PROCESSES - count);
  for (int i = 0; i < busy; i++) {
    list[count].pid = pids[i];
    list[count++].memory = (unsigned long long)gpu->job_memory;
  }
  return count;
}

static unsigned long long used(const struct gpu *gpu) {
  if (gpu->used != NOT_SET) return (unsigned long long)gpu->used;
  struct process list[MAX_PROCESSES];
  int count = processes_of(gpu, list);
  unsigned long long sum = 0;
  for (int i = 0; i < count; i++) {
    if (list[i].memory != ~0ULL) sum += list[i].memory;
  }
  unsigned long long limit = (unsigned long long)(gpu->memory - gpu->reserved);
  return sum < limit ? sum : limit;
}

static int give(nvmlDevice_t device, const char *function, long long (*of)(const struct gpu *),
                unsigned int *result) {
  struct gpu gpu;
  int code = device_call(device, function, &gpu);
  if (code != NVML_SUCCESS) return code;
  long long value = of(&gpu);
  if (value == UNSUPPORTED) return NVML_ERROR_NOT_SUPPORTED;
  *result = (unsigned int)value;
  return NVML_SUCCESS;
}

static int give_long(nvmlDevice_t device, const char *function, long long (*of)(const struct gpu *),
                     unsigned long long *result) {
  struct gpu gpu;
  int code = device_call(device, function, &gpu);
  if (code != NVML_SUCCESS) return code;
  long long value = of(&gpu);
  if (value == UNSUPPORTED) return NVML_ERROR_NOT_SUPPORTED;
  *result = (unsigned long long)value;
  return NVML_SUCCESS;
}

static long long temperature(const struct gpu *gpu) { return gpu->temperature; }
static long long power(const struct gpu *gpu) { return gpu->power; }
static long long limit(const struct gpu *gpu) { return gpu->limit; }
static long long sm_clock(const struct gpu *gpu) { return gpu->clock; }
static long long memory_clock(const struct gpu *gpu) { return gpu->memory_clock; }
static long long fan(const struct gpu *gpu) { return gpu->fan; }
static long long throttle(const struct gpu *gpu) { return gpu->throttle; }
static long long ecc(const struct gpu *gpu) { return gpu->ecc; }

#ifndef OLD_DRIVER
static long long energy(const struct gpu *gpu) {
  if (gpu->energy != NOT_SET) return gpu->energy;
  static long long start;
  if (start == 0) start = milliseconds();
  return gpu->power * (milliseconds() - start) / 1000;
}
#endif

EXPORT nvmlReturn_t nvmlDeviceGetName(nvmlDevice_t device, char *name, unsigned int length) {
  struct gpu gpu;
  int code = device_call(device, __func__, &gpu);
  return code == NVML_SUCCESS ? copy_text(name, length, gpu.name) : code;
}

EXPORT nvmlReturn_t nvmlDeviceGetUUID(nvmlDevice_t device, char *uuid, unsigned int length) {
  struct gpu gpu;
  int code = device_call(device, __func__, &gpu);
  return code == NVML_SUCCESS ? copy_text(uuid, length, gpu.uuid) : code;
}

static int pci_info(nvmlDevice_t device, const char *function, nvmlPciInfo_t *pci, size_t bytes) {
  struct gpu gpu;
  int code = device_call(device, function, &gpu);
  if (code != NVML_SUCCESS) return code;
  nvmlPciInfo_t full;
  memset(&full, 0, sizeof full);
  snprintf(full.busId, sizeof full.busId, "%s", gpu.pci);
  snprintf(full.busIdLegacy, sizeof full.busIdLegacy, "%.12s", gpu.pci + 4);
  memcpy(pci, &full, bytes);
  return NVML_SUCCESS;
}

EXPORT nvmlReturn_t nvmlDeviceGetPciInfo(nvmlDevice_t device, nvmlPciInfo_t *pci) {
  return pci_info(device, __func__, pci, 36);
}

EXPORT nvmlReturn_t nvmlDeviceGetUtilizationRates(nvmlDevice_t device, nvmlUtilization_t *rates) {
  struct gpu gpu;
  int code = device_call(device, __func__, &gpu);
  if (code != NVML_SUCCESS) return code;
  if (gpu.util == UNSUPPORTED) return NVML_ERROR_NOT_SUPPORTED;
  rates->gpu = (unsigned int)evaluate(&gpu, gpu.util);
  rates->memory = (unsigned int)evaluate(&gpu, gpu.util_memory);
  return NVML_SUCCESS;
}

EXPORT nvmlReturn_t nvmlDeviceGetMemoryInfo(nvmlDevice_t device, nvmlMemory_t *memory) {
  struct gpu gpu;
  int code = device_call(device, __func__, &gpu);
  if (code != NVML_SUCCESS) return code;
  memory->total = (unsigned long long)gpu.memory;
  memory->used = used(&gpu) + (unsigned long long)gpu.reserved;
  memory->free = memory->total - memory->used;
  return NVML_SUCCESS;
}

EXPORT nvmlReturn_t nvmlDeviceGetTemperature(nvmlDevice_t device, int sensor, unsigned int *value) {
  return sensor == 0 ? give(device, __func__, temperature, value) : NVML_ERROR_INVALID_ARGUMENT;
}

EXPORT nvmlReturn_t nvmlDeviceGetPowerUsage(nvmlDevice_t device, unsigned int *value) {
  return give(device, __func__, power, value);
}

EXPORT nvmlReturn_t nvmlDeviceGetEnforcedPowerLimit(nvmlDevice_t device, unsigned int *value) {
  return give(device, __func__, limit, value);
}

EXPORT nvmlReturn_t nvmlDeviceGetClockInfo(nvmlDevice_t device, int type, unsigned int *value) {
  if (type < 0 || type > 3) return NVML_ERROR_INVALID_ARGUMENT;
  return give(device, __func__, type == 2 ? memory_clock : sm_clock, value);
}

EXPORT nvmlReturn_t nvmlDeviceGetFanSpeed(nvmlDevice_t device, unsigned int *value) {
  return give(device, __func__, fan, value);
}

EXPORT nvmlReturn_t nvmlDeviceGetCurrentClocksThrottleReasons(nvmlDevice_t device,
                                                             unsigned long long *value) {
  return give_long(device, __func__, throttle, value);
}

EXPORT nvmlReturn_t nvmlDeviceGetTotalEccErrors(nvmlDevice_t device, int type, int counter,
                                               unsigned long long *value) {
  if (type != 1 || counter != 0) return NVML_ERROR_INVALID_ARGUMENT;
  return give_long(device, __func__, ecc, value);
}

/* ---- processes: the three versions and the wide entries ---- */

static int running(nvmlDevice_t device, const char *function, unsigned int *count,
                   struct process *list) {
  struct gpu gpu;
  state_lock();
  process_calls++;
  state_unlock();
  int code = device_call(device, function, &gpu);
  if (code != NVML_SUCCESS) return code;
  unsigned int room = *count;
  *count = (unsigned int)processes_of(&gpu, list);
  return *count > room ? NVML_ERROR_INSUFFICIENT_SIZE : NVML_SUCCESS;
}

EXPORT nvmlReturn_t nvmlDeviceGetComputeRunningProcesses(nvmlDevice_t device, unsigned int *count,
                                                        nvmlProcessInfo_v1_t *infos) {
  struct process list[MAX_PROCESSES];
  int code = running(device, __func__, count, list);
  if (code != NVML_SUCCESS) return code;
  for (unsigned int i = 0; i < *count; i++) {
    infos[i].pid = list[i].pid;
    infos[i].usedGpuMemory = list[i].memory;
  }
  return NVML_SUCCESS;
}

#ifndef OLD_DRIVER

EXPORT nvmlReturn_t nvmlDeviceGetPciInfo_v2(nvmlDevice_t device, nvmlPciInfo_t *pci) {
  return pci_info(device, __func__, pci, 36);
}

EXPORT nvmlReturn_t nvmlDeviceGetPciInfo_v3(nvmlDevice_t device, nvmlPciInfo_t *pci) {
  return pci_info(device, __func__, pci, sizeof *pci);
}

EXPORT nvmlReturn_t nvmlDeviceGetMemoryInfo_v2(nvmlDevice_t device, nvmlMemory_v2_t *memory) {
  struct gpu gpu;
  if (memory->version != NVML_MEMORY_V2) return NVML_ERROR_ARGUMENT_VERSION_MISMATCH;
  int code = device_call(device, __func__, &gpu);
  if (code != NVML_SUCCESS) return code;
  memory->total = (unsigned long long)gpu.memory;
  memory->reserved = (unsigned long long)gpu.reserved;
  memory->used = used(&gpu);
  memory->free = memory->total - memory->reserved - memory->used;
  return NVML_SUCCESS;
}

EXPORT nvmlReturn_t nvmlDeviceGetMigMode(nvmlDevice_t device, unsigned int *current,
                                         unsigned int *pending) {
  struct gpu gpu;
  int code = device_call(device, __func__, &gpu);
  if (code != NVML_SUCCESS) return code;
  if (gpu.mig_of >= 0) return NVML_ERROR_INVALID_ARGUMENT;
  *current = *pending = (unsigned int)gpu.mig;
  return NVML_SUCCESS;
}

EXPORT nvmlReturn_t nvmlDeviceGetMaxMigDeviceCount(nvmlDevice_t device, unsigned int *count) {
  struct gpu gpu;
  int code = device_call(device, __func__, &gpu);
  if (code == NVML_SUCCESS) *count = gpu.mig ? MAX_MIG : 0;
  return code;
}

/* Instances may have holes between them. */
EXPORT nvmlReturn_t nvmlDeviceGetMigDeviceHandleByIndex(nvmlDevice_t device, unsigned int slot,
                                                       nvmlDevice_t *instance) {
  struct gpu gpu;
  int code = device_call(device, __func__, &gpu);
  if (code != NVML_SUCCESS) return code;
  state_lock();
  struct machine *machine = state_current();
  int parent = index_of(device, machine);
  code = slot >= MAX_MIG ? NVML_ERROR_INVALID_ARGUMENT : NVML_ERROR_NOT_FOUND;
  for (int i = 0; i < MAX_GPUS; i++) {
    if (machine->gpu[i].mig_of == parent && machine->gpu[i].slot == (int)slot) {
      *instance = handle_of(i);
      code = NVML_SUCCESS;
    }
  }
  state_unlock();
  return code;
}

EXPORT nvmlReturn_t nvmlDeviceGetTotalEnergyConsumption(nvmlDevice_t device,
                                                       unsigned long long *value) {
  return give_long(device, __func__, energy, value);
}

EXPORT nvmlReturn_t nvmlDeviceGetCurrentClocksEventReasons(nvmlDevice_t device,
                                                          unsigned long long *value) {
  return give_long(device, __func__, throttle, value);
}

static int running_v2(nvmlDevice_t device, const char *function, unsigned int *count, void *infos) {
  struct process list[MAX_PROCESSES];
  int code = running(device, function, count, list);
  if (code != NVML_SUCCESS) return code;
  state_lock();
  size_t stride = state_current()->wide_processes ? sizeof(nvmlProcessInfo_wide_t)
                                                  : sizeof(nvmlProcessInfo_v2_t);
  state_unlock();
  for (unsigned int i = 0; i < *count; i++) {
    nvmlProcessInfo_wide_t entry = {{list[i].pid, list[i].memory, ~0u, ~0u}, 0};
    memcpy((char *)infos + i * stride, &entry, stride);
  }
  return NVML_SUCCESS;
}

EXPORT nvmlReturn_t nvmlDeviceGetComputeRunningProcesses_v2(nvmlDevice_t device,
                                                           unsigned int *count, void *infos) {
  return running_v2(device, __func__, count, infos);
}

EXPORT nvmlReturn_t nvmlDeviceGetComputeRunningProcesses_v3(nvmlDevice_t device,
                                                           unsigned int *count, void *infos) {
  return running_v2(device, __func__, count, infos);
}

#endif
