/* The simulated machine, as the control file describes it. */
#ifndef REMUDA_STATE_H
#define REMUDA_STATE_H

#define MAX_GPUS 64
#define MAX_PROCESSES 256
#define MAX_FAILURES 16
#define TEXT 96

#define EXPORT __attribute__((visibility("default")))

/* Special values of readings. */
#define UNSUPPORTED (-1LL)
#define WAVE (-2LL)
#define BUSY (-3LL)
#define NOT_SET (-4LL)

struct process {
  unsigned int pid;
  unsigned long long memory; /* ~0 when not available */
};

struct failure {
  char function[TEXT];
  int code;
};

struct gpu {
  char uuid[TEXT];
  char name[TEXT];
  char pci[32];
  long long memory, used, reserved, job_memory;
  long long util, util_memory, temperature, power, limit, energy;
  long long clock, memory_clock, fan, throttle, ecc;
  int hang;
  int answer; /* what every call answers: 0, lost, reset required or unknown */
  int gone;   /* no longer found by UUID */
  int mig;     /* is divided into instances */
  int mig_of;  /* the GPU that this is an instance of, or -1 */
  int slot;    /* among its instances */
  int processes;
  struct process process[MAX_PROCESSES];
  int failures;
  struct failure failure[MAX_FAILURES];
};

struct machine {
  int gpus;
  char driver[TEXT];
  int init_code;
  int init_hang;
  int wide_processes;
  struct gpu gpu[MAX_GPUS];
};

/* The state is shared by all threads: hold it to look at it, never while waiting. */
void state_lock(void);
void state_unlock(void);

/* Reads the control file again if it changed. Call with the lock held. */
struct machine *state_current(void);

/* Names another control file; null for that of the environment. Takes the lock. */
void state_follow(const char *path);

/* Fills the machine from a text; used by state.c only. */
void control_parse(struct machine *machine, char *text);
void control_defaults(struct machine *machine);

/* Processes that were given this GPU by CUDA_VISIBLE_DEVICES; returns their number. */
int busy_pids(const char *uuid, unsigned int *pids, int limit);

#endif
