/* Finds the jobs of a GPU: living processes whose environment names its UUID. */
#include <ctype.h>
#include <dirent.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "state.h"

static int names(const char *pid, const char *uuid) {
  static const char variable[] = "CUDA_VISIBLE_DEVICES=";
  char path[64];
  static __thread char environment[1 << 17];
  snprintf(path, sizeof path, "/proc/%.20s/environ", pid);
  FILE *in = fopen(path, "r");
  if (in == NULL) return 0;
  size_t size = fread(environment, 1, sizeof environment - 1, in);
  fclose(in);
  environment[size] = '\0';
  for (size_t at = 0; at < size; at += strlen(environment + at) + 1) {
    if (strncmp(environment + at, variable, sizeof variable - 1) == 0) {
      return strstr(environment + at, uuid) != NULL;
    }
  }
  return 0;
}

int busy_pids(const char *uuid, unsigned int *pids, int limit) {
  DIR *proc = opendir("/proc");
  int found = 0;
  if (proc == NULL) return 0;
  for (struct dirent *entry = readdir(proc); entry != NULL && found < limit; entry = readdir(proc)) {
    if (!isdigit((unsigned char)entry->d_name[0])) continue;
    unsigned int pid = (unsigned int)atoi(entry->d_name);
    if (pid != (unsigned int)getpid() && names(entry->d_name, uuid)) pids[found++] = pid;
  }
  closedir(proc);
  return found;
}
