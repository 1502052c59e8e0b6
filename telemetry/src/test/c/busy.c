/* Finds the jobs of a GPU: living processes whose environment names its UUID, since it was lent to them
   by UUID or, with a number in CUDA_VISIBLE_DEVICES, by Remuda. */
#include <ctype.h>
#include <dirent.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "state.h"

static int names(const char *pid, const char *uuid) {
  static const char *const variables[] = {"CUDA_VISIBLE_DEVICES=", "REMUDA_DEVICES="};
  char path[64];
  static __thread char environment[1 << 17];
  snprintf(path, sizeof path, "/proc/%.20s/environ", pid);
  FILE *in = fopen(path, "r");
  if (in == NULL) return 0;
  size_t size = fread(environment, 1, sizeof environment - 1, in);
  fclose(in);
  environment[size] = '\0';
  for (size_t at = 0; at < size; at += strlen(environment + at) + 1) {
    for (int i = 0; i < 2; i++) {
      const char *entry = environment + at;
      if (strncmp(entry, variables[i], strlen(variables[i])) == 0 && strstr(entry, uuid) != NULL) return 1;
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
