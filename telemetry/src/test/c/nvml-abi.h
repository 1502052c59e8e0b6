/* The part of NVML's binary interface that Remuda calls: names, layouts and codes. */
#ifndef REMUDA_NVML_ABI_H
#define REMUDA_NVML_ABI_H

#include <stdint.h>

typedef int nvmlReturn_t;
typedef void *nvmlDevice_t;

enum {
  NVML_SUCCESS = 0,
  NVML_ERROR_UNINITIALIZED = 1,
  NVML_ERROR_INVALID_ARGUMENT = 2,
  NVML_ERROR_NOT_SUPPORTED = 3,
  NVML_ERROR_NOT_FOUND = 6,
  NVML_ERROR_INSUFFICIENT_SIZE = 7,
  NVML_ERROR_GPU_IS_LOST = 15,
  NVML_ERROR_RESET_REQUIRED = 16,
  NVML_ERROR_ARGUMENT_VERSION_MISMATCH = 25,
  NVML_ERROR_UNKNOWN = 999
};

typedef struct {
  unsigned int gpu;
  unsigned int memory;
} nvmlUtilization_t;

typedef struct {
  unsigned long long total;
  unsigned long long free;
  unsigned long long used;
} nvmlMemory_t;

typedef struct {
  unsigned int version;
  unsigned long long total;
  unsigned long long reserved;
  unsigned long long free;
  unsigned long long used;
} nvmlMemory_v2_t;

#define NVML_MEMORY_V2 (sizeof(nvmlMemory_v2_t) | 2u << 24)

/* Version 1 and 2 end before busId. */
typedef struct {
  char busIdLegacy[16];
  unsigned int domain;
  unsigned int bus;
  unsigned int device;
  unsigned int pciDeviceId;
  unsigned int pciSubSystemId;
  char busId[32];
} nvmlPciInfo_t;

typedef struct {
  unsigned int pid;
  unsigned long long usedGpuMemory;
} nvmlProcessInfo_v1_t;

typedef struct {
  unsigned int pid;
  unsigned long long usedGpuMemory;
  unsigned int gpuInstanceId;
  unsigned int computeInstanceId;
} nvmlProcessInfo_v2_t;

/* What drivers 535.43 to 535.86 write behind the symbol of version 3. */
typedef struct {
  nvmlProcessInfo_v2_t known;
  unsigned long long usedGpuCcProtectedMemory;
} nvmlProcessInfo_wide_t;

_Static_assert(sizeof(nvmlMemory_v2_t) == 40, "memory v2");
_Static_assert(sizeof(nvmlPciInfo_t) == 68, "pci info v3");
_Static_assert(sizeof(nvmlProcessInfo_v1_t) == 16, "process v1");
_Static_assert(sizeof(nvmlProcessInfo_v2_t) == 24, "process v2");
_Static_assert(sizeof(nvmlProcessInfo_wide_t) == 32, "process wide");

#endif
