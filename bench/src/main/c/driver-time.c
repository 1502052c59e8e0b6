/* Measures the driver's own time for one sample: the driver calls of io.remuda.telemetry.nvml, in
 * their order and with their arguments, without Java.
 *
 *     driver-time LIBRARY SAMPLES PAUSE_MILLISECONDS PROCESSES(0|1)
 *
 * prints the median in nanoseconds. Build with "cc -O1 driver-time.c -ldl". */
#include <dlfcn.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>
#include <unistd.h>

#define MOST_GPUS 64
#define PROCESS_BYTES (64 * 32)
#define MEMORY_V2 (40u | 2u << 24)

typedef void *device;
typedef int (*call)();

static void *library;

static call function(const char *name) {
  call found = (call)dlsym(library, name);
  if (found == NULL) {
    fprintf(stderr, "driver-time: no %s\n", name);
    exit(1);
  }
  return found;
}

static long now(void) {
  struct timespec time;
  clock_gettime(CLOCK_MONOTONIC, &time);
  return time.tv_sec * 1000000000L + time.tv_nsec;
}

static int ascending(const void *one, const void *other) {
  long a = *(const long *)one, b = *(const long *)other;
  return (a > b) - (a < b);
}

static call utilization, memory_info, temperature, power, limit, energy, clock_info, fan, reasons,
    ecc, processes;

static int ask_memory(device gpu) {
  unsigned long long memory[5];
  memset(memory, 0, sizeof memory);
  *(unsigned int *)memory = MEMORY_V2;
  return memory_info(gpu, memory);
}

/* Reads one GPU; returns the sum of the return codes, except that of fans: they may be missing. */
static int sample(device gpu, int with_processes) {
  unsigned long long out;
  unsigned int count = PROCESS_BYTES / 32;
  char entries[PROCESS_BYTES];
  int faults = utilization(gpu, &out) + ask_memory(gpu) + temperature(gpu, 0, &out) +
               power(gpu, &out) + limit(gpu, &out) + energy(gpu, &out) + clock_info(gpu, 1, &out) +
               clock_info(gpu, 2, &out);
  fan(gpu, &out);
  faults += reasons(gpu, &out) + ecc(gpu, 1, 0, &out);
  if (with_processes) {
    memset(entries, 0, sizeof entries);
    faults += processes(gpu, &count, entries) + ask_memory(gpu);
  }
  return faults;
}

int main(int argc, char **argv) {
  if (argc != 5 || (library = dlopen(argv[1], RTLD_LAZY)) == NULL) {
    fprintf(stderr, "driver-time: %s\n", argc == 5 ? dlerror() : "four arguments expected");
    return 2;
  }
  int samples = atoi(argv[2]), pause = atoi(argv[3]), with_processes = atoi(argv[4]);
  utilization = function("nvmlDeviceGetUtilizationRates");
  memory_info = function("nvmlDeviceGetMemoryInfo_v2");
  temperature = function("nvmlDeviceGetTemperature");
  power = function("nvmlDeviceGetPowerUsage");
  limit = function("nvmlDeviceGetEnforcedPowerLimit");
  energy = function("nvmlDeviceGetTotalEnergyConsumption");
  clock_info = function("nvmlDeviceGetClockInfo");
  fan = function("nvmlDeviceGetFanSpeed");
  reasons = function("nvmlDeviceGetCurrentClocksEventReasons");
  ecc = function("nvmlDeviceGetTotalEccErrors");
  processes = function("nvmlDeviceGetComputeRunningProcesses_v3");

  device gpus[MOST_GPUS];
  unsigned int count = 0;
  int faults = function("nvmlInit_v2")() + function("nvmlDeviceGetCount_v2")(&count);
  for (unsigned int i = 0; i < count; i++) {
    faults += function("nvmlDeviceGetHandleByIndex_v2")(i, &gpus[i]);
  }
  long *times = calloc((size_t)samples, sizeof *times);
  for (int round = -samples / 5; round < samples; round++) {
    if (pause > 0) usleep((useconds_t)pause * 1000);
    long began = now();
    for (unsigned int i = 0; i < count; i++) faults += sample(gpus[i], with_processes);
    if (round >= 0) times[round] = now() - began;
  }
  if (faults != 0 || count == 0) {
    fprintf(stderr, "driver-time: %u GPUs, codes add up to %d\n", count, faults);
    return 1;
  }
  qsort(times, (size_t)samples, sizeof *times, ascending);
  printf("%ld\n", times[samples / 2]);
  return 0;
}
