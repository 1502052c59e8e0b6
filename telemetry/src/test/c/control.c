/* The language of the control file; README.md describes it. */
#include "state.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "nvml-abi.h"

static void gpu_defaults(struct gpu *gpu, int index) {
  memset(gpu, 0, sizeof *gpu);
  snprintf(gpu->uuid, TEXT, "GPU-%08x-0000-4000-8000-000000000000", (unsigned)(index + 1));
  snprintf(gpu->name, TEXT, "NVIDIA Simulated");
  snprintf(gpu->pci, sizeof gpu->pci, "00000000:%02X:00.0", 16 + index);
  gpu->memory = 24LL << 30;
  gpu->used = NOT_SET;
  gpu->reserved = 512LL << 20;
  gpu->temperature = 40;
  gpu->power = 60000;
  gpu->limit = 350000;
  gpu->energy = NOT_SET;
  gpu->clock = 1500;
  gpu->memory_clock = 5000;
  gpu->fan = UNSUPPORTED;
  gpu->mig_of = -1;
}

/* The next word, or text in double quotes; null at the end of the line. */
static char *next(char **rest) {
  char *at = *rest + strspn(*rest, " \t\r");
  if (*at == '\0' || *at == '#') return NULL;
  char *end;
  if (*at == '"') {
    at++;
    end = at + strcspn(at, "\"");
  } else {
    end = at + strcspn(at, " \t\r");
  }
  *rest = *end == '\0' ? end : end + 1;
  *end = '\0';
  return at;
}

static long long number(const char *word) {
  if (word == NULL) return 0;
  if (strcmp(word, "unsupported") == 0) return UNSUPPORTED;
  if (strcmp(word, "wave") == 0) return WAVE;
  if (strcmp(word, "busy") == 0) return BUSY;
  char *unit;
  double value = strtod(word, &unit);
  long long factor = 1;
  if (strcmp(unit, "KiB") == 0) factor = 1LL << 10;
  if (strcmp(unit, "MiB") == 0) factor = 1LL << 20;
  if (strcmp(unit, "GiB") == 0) factor = 1LL << 30;
  return (long long)(value * (double)factor);
}

/* An instance has memory and processes of its own; the rest is the whole GPU's. */
static void become_instance(struct gpu *gpu, int index, char **rest) {
  gpu->mig_of = (int)number(next(rest));
  gpu->slot = (int)number(next(rest));
  gpu->util = gpu->temperature = gpu->power = gpu->limit = gpu->energy = UNSUPPORTED;
  gpu->clock = gpu->memory_clock = gpu->throttle = gpu->ecc = UNSUPPORTED;
  gpu->reserved = 0;
  snprintf(gpu->uuid, TEXT, "MIG-%08x-0000-4000-8000-000000000000", (unsigned)(index + 1));
  snprintf(gpu->name, TEXT, "NVIDIA Simulated MIG");
}

void control_defaults(struct machine *machine) {
  memset(machine, 0, sizeof *machine);
  machine->gpus = 1;
  snprintf(machine->driver, TEXT, "550.54.14");
  for (int i = 0; i < MAX_GPUS; i++) gpu_defaults(&machine->gpu[i], i);
}

static void text(char *to, const char *word) {
  snprintf(to, TEXT, "%s", word == NULL ? "" : word);
}

static void add_process(struct gpu *gpu, char **rest) {
  char *pid = next(rest);
  char *memory = next(rest);
  if (gpu->processes == MAX_PROCESSES) return;
  struct process *process = &gpu->process[gpu->processes++];
  process->pid = (unsigned int)number(pid);
  process->memory = memory == NULL || strcmp(memory, "none") == 0 ? ~0ULL
                                                                  : (unsigned long long)number(memory);
}

static void add_failure(struct gpu *gpu, char **rest) {
  char *function = next(rest);
  char *code = next(rest);
  if (gpu->failures == MAX_FAILURES) return;
  struct failure *failure = &gpu->failure[gpu->failures++];
  text(failure->function, function);
  failure->code = (int)number(code);
}

static long long *reading(struct gpu *gpu, const char *key) {
  struct {
    const char *key;
    long long *value;
  } readings[] = {
      {"memory", &gpu->memory},       {"used", &gpu->used},
      {"reserved", &gpu->reserved},   {"job-memory", &gpu->job_memory},
      {"util", &gpu->util},           {"utilmem", &gpu->util_memory},
      {"temp", &gpu->temperature},    {"power", &gpu->power},
      {"limit", &gpu->limit},         {"energy", &gpu->energy},
      {"clock", &gpu->clock},         {"memclock", &gpu->memory_clock},
      {"fan", &gpu->fan},             {"throttle", &gpu->throttle},
      {"ecc", &gpu->ecc},
  };
  for (unsigned i = 0; i < sizeof readings / sizeof *readings; i++) {
    if (strcmp(readings[i].key, key) == 0) return readings[i].value;
  }
  return NULL;
}

static void gpu_line(struct gpu *gpu, int index, char **rest) {
  for (char *key = next(rest); key != NULL; key = next(rest)) {
    long long *value = reading(gpu, key);
    if (value != NULL) {
      *value = number(next(rest));
    } else if (strcmp(key, "uuid") == 0) {
      text(gpu->uuid, next(rest));
    } else if (strcmp(key, "name") == 0) {
      text(gpu->name, next(rest));
    } else if (strcmp(key, "process") == 0) {
      add_process(gpu, rest);
    } else if (strcmp(key, "fail") == 0) {
      add_failure(gpu, rest);
    } else if (strcmp(key, "mig") == 0) {
      gpu->mig = 1;
      gpu->util = UNSUPPORTED;
    } else if (strcmp(key, "mig-of") == 0) {
      become_instance(gpu, index, rest);
    } else if (strcmp(key, "hang") == 0) {
      gpu->hang = 1;
    } else if (strcmp(key, "lost") == 0) {
      gpu->answer = NVML_ERROR_GPU_IS_LOST;
    } else if (strcmp(key, "gone") == 0) {
      gpu->answer = NVML_ERROR_GPU_IS_LOST;
      gpu->gone = 1;
    } else if (strcmp(key, "reset") == 0) {
      gpu->answer = NVML_ERROR_RESET_REQUIRED;
    } else if (strcmp(key, "unknown") == 0) {
      gpu->answer = NVML_ERROR_UNKNOWN;
    } else {
      fprintf(stderr, "simulated driver: unknown word '%s' for a gpu\n", key);
    }
  }
}

static void line(struct machine *machine, char *rest) {
  char *word = next(&rest);
  if (word == NULL) return;
  if (strcmp(word, "gpus") == 0) {
    long long gpus = number(next(&rest));
    machine->gpus = gpus < 0 ? 0 : gpus > MAX_GPUS ? MAX_GPUS : (int)gpus;
  } else if (strcmp(word, "driver") == 0) {
    text(machine->driver, next(&rest));
  } else if (strcmp(word, "init") == 0) {
    char *what = next(&rest);
    int fails = what != NULL && strcmp(what, "fail") == 0;
    machine->init_code = fails ? (int)number(next(&rest)) : 0;
  } else if (strcmp(word, "hang") == 0) {
    machine->init_hang = 1;
  } else if (strcmp(word, "processes") == 0) {
    machine->wide_processes = 1;
  } else if (strcmp(word, "gpu") == 0) {
    long long index = number(next(&rest));
    if (index >= 0 && index < MAX_GPUS) gpu_line(&machine->gpu[index], (int)index, &rest);
  } else {
    fprintf(stderr, "simulated driver: unknown line '%s'\n", word);
  }
}

void control_parse(struct machine *machine, char *text) {
  control_defaults(machine);
  for (char *at = text; at != NULL;) {
    char *end = strchr(at, '\n');
    if (end != NULL) *end++ = '\0';
    line(machine, at);
    at = end;
  }
}
