# Sourced by start-slurm.sh and stop-slurm.sh.
RUN="${SLURM_LOCAL_RUN:?a folder}"           # everything the cluster writes
CTL_PORT="${CTL_PORT:?}"
SLURMD_PORT0="${SLURMD_PORT0:?}"             # node gpuI listens on this + I
MARK="written by start-slurm.sh"
HOSTS_BEGIN="# begin slurm of $RUN"          # one block for each cluster: several may run
HOSTS_LOCK=/run/slurm-hosts.lock
HOSTS_END="# end slurm of $RUN"

start_time() { # pid -> its start time in clock ticks, so a reused id is seen
  local s; s="$(cat "/proc/$1/stat" 2>/dev/null)" || return 1
  set -- ${s##*) }; echo "${20}"
}

spawn() { # name command...: start a daemon, and keep its id and start time
  local name="$1"; shift
  setsid "$@" </dev/null >"$RUN/log/$name.out" 2>&1 &
  local pid=$!
  disown "$pid" 2>/dev/null || true
  echo "$pid $(start_time "$pid" || echo 0)" > "$RUN/pid/$name"
}

alive() { # name: is the process that we started still there
  local pid st
  [ -r "$RUN/pid/$1" ] || return 1
  read -r pid st < "$RUN/pid/$1" || return 1
  [ "$(start_time "$pid")" = "$st" ] && [ "$(sed 's/^.*) //; s/ .*//' "/proc/$pid/stat" 2>/dev/null)" != Z ]
}

stop_one() { # name seconds: SIGTERM, then SIGKILL
  local pid st i
  [ -r "$RUN/pid/$1" ] || return 0
  read -r pid st < "$RUN/pid/$1" || true
  if alive "$1"; then
    kill -TERM "$pid" 2>/dev/null || true
    for ((i = 0; i < $2 * 20; i++)); do alive "$1" || break; sleep 0.05; done
    ! alive "$1" || kill -KILL "$pid" 2>/dev/null || true
  fi
  rm -f "$RUN/pid/$1"
}

wait_for() { # tenths what command...
  local n="$1" what="$2" i; shift 2
  for ((i = 0; i < n; i++)); do "$@" >/dev/null 2>&1 && return 0; sleep 0.1; done
  echo "slurm-local: $what did not come up" >&2; return 1
}

munge_ok() { munge -n --socket="$RUN/munge/socket" | unmunge --socket="$RUN/munge/socket"; }

nodes_idle() { # nodes tenths: all nodes answer
  local i n
  for ((i = 0; i < $2; i++)); do
    n="$(SLURM_CONF="$RUN/slurm.conf" timeout 5 sinfo -h -N -o '%T' 2>/dev/null | grep -cE '^(idle|mixed|allocated|completing)$')" || true
    [ "${n:-0}" -ge "$1" ] && return 0
    sleep 0.1
  done
  return 1
}

show_env() { echo "export SLURM_CONF=$RUN/slurm.conf"; }
