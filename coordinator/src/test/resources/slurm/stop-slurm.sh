#!/usr/bin/env bash
# Stop the cluster of start-slurm.sh: cancel its jobs, then end exactly the
# processes which that script started (by id and start time), and take its
# traces out of /etc.  Harmless when nothing runs.
set -uo pipefail
HERE="$(cd "$(dirname "${BASH_SOURCE[0]}")" && pwd)"
# shellcheck source=slurm-common.sh
. "$HERE/slurm-common.sh"
[ "$(id -u)" = 0 ] || { echo "stop-slurm: must be root" >&2; exit 1; }

if alive slurmctld; then
  export SLURM_CONF="$RUN/slurm.conf"
  timeout 10 scancel --user="$(id -un)" --signal=KILL --full 2>/dev/null
  ids="$(timeout 10 squeue -h -o %A 2>/dev/null | sort -un)"
  if [ -n "$ids" ]; then
    # shellcheck disable=SC2086
    timeout 20 scancel $ids 2>/dev/null
    for ((i = 0; i < 100; i++)); do
      [ -z "$(timeout 5 squeue -h -o %A 2>/dev/null)" ] && break; sleep 0.1
    done
  fi
fi
for f in "$RUN"/pid/slurmd-*; do
  case "$f" in *.slurm|*'*') continue ;; esac
  stop_one "$(basename "$f")" 5
done
stop_one slurmctld 10
stop_one munged 5

(
  flock 9
  if grep -q "^$HOSTS_BEGIN\$" /etc/hosts; then
    # In place: in a container /etc/hosts is a mount and cannot be replaced.
    new="$(sed "\\|^$HOSTS_BEGIN\$|,\\|^$HOSTS_END\$|d" /etc/hosts)" && printf '%s\n' "$new" > /etc/hosts
  fi
) 9>"$HOSTS_LOCK"
echo "stop-slurm: stopped (logs stay in $RUN/log)"
