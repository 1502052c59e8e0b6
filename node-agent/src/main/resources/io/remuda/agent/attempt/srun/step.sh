# The step: its tasks, its number, what it holds of its job, its variables. Read by srun.

if [ -n "$member" ]; then # it is one task of a step that all members make
  size=$REMUDA_TASK_COUNT
  [ "${ntasks:-$size}" = "$size" ] || refuse "--ntasks=$ntasks" \
    "each of the $size members of this job runs the command once, as its task"
  local_size=${LOCAL_WORLD_SIZE:-1} local_id=${LOCAL_RANK:-0} node_id=${NODE_RANK:-0}
  count=1 first=$member shares=1
  SLURM_JOB_ID=${SLURM_JOB_ID:-${REMUDA_JOB-}}
else
  if [ -n "$per_node" ] && [ "$per_node" -gt 0 ]; then
    if [ -n "${ntasks:-${SLURM_NTASKS-}}" ] && [ "$per_node" != "${ntasks:-$SLURM_NTASKS}" ]; then
      say "Warning: can't honor --ntasks-per-node set to $per_node which doesn't match the requested tasks ${ntasks:-$SLURM_NTASKS} with the number of requested nodes 1. Ignoring --ntasks-per-node."
    else
      ntasks=$per_node
    fi
  fi
  [ -n "$ntasks" ] || take ntasks "${SLURM_NTASKS:-1}"
  size=$ntasks local_size=$ntasks local_id= node_id=0 count=$ntasks first=0
fi
[ -z "$pty" ] || {
  [ "$count" = 1 ] || refuse '--pty of several tasks' 'remuda attach shows a job beside its tasks'
  input= output= error= label= unbuffered=1
}

# GPUs: the job's, as programs count them.
devices=${CUDA_VISIBLE_DEVICES-}
device_count=0
for one in $(printf '%s\n' "$devices" | tr ',' ' '); do device_count=$((device_count + 1)); done
wanted=${gpus:-0}
[ -z "$gpus_per_task" ] || wanted=$((gpus_per_task * count))
[ -z "$gpus" ] || [ "$gpus" -ge "$wanted" ] || fail "Unable to create step for job $SLURM_JOB_ID: Invalid generic resource (gres) specification"
if [ "$wanted" -gt 0 ] && [ "$device_count" = 0 ] && [ -n "${ROCR_VISIBLE_DEVICES-}" ]; then
  refuse 'a part of GPUs of AMD' 'choose by $SLURM_LOCALID in the program'
fi
[ "$wanted" -le "$device_count" ] || fail "Unable to create step for job $SLURM_JOB_ID: Invalid generic resource (gres) specification"

# The program, found as execve wants it.
resolve() { # sets program and wrong
  program=$1 wrong=
  case $1 in
    */*) ;;
    *)
      path=${PATH:-/usr/local/bin:/usr/bin:/bin}:
      while [ -n "$path" ]; do
        folder=${path%%:*} path=${path#*:}
        if [ -f "${folder:-.}/$1" ] && [ -x "${folder:-.}/$1" ]; then
          program=${folder:-.}/$1
          return
        fi
      done
      wrong='No such file or directory' code=2
      return
      ;;
  esac
  if [ ! -e "$1" ]; then
    wrong='No such file or directory' code=2
  elif [ ! -f "$1" ] || [ ! -x "$1" ]; then
    wrong='Permission denied' code=13
  fi
}

# ---- the folder of the step, its number and what it holds of the job -----------------------------

state=${REMUDA_SCRATCH-}
[ -n "$state" ] && [ -w "$state" ] || state=${TMPDIR:-/tmp}/remuda-srun-$(id -u)-${SLURM_JOB_ID:-0}
state=$state/.srun
mkdir -p -m 700 "$state" 2>/dev/null
[ -d "$state" ] && [ -O "$state" ] || fail "cannot make the folder $state"

step=0
{ read -r step <"$state/next"; } 2>/dev/null || step=0
case $step in '' | *[!0-9]*) step=0 ;; esac
until mkdir -m 700 "$state/$step" 2>/dev/null; do
  [ -d "$state/$step" ] || fail "cannot make a folder in $state"
  step=$((step + 1))
done
printf '%s\n' $((step + 1)) >"$state/next"
dir=$state/$step
claim=$state/claim.$step
tidy() { rm -rf "$dir/q" "$claim"; }
trap tidy EXIT
mkdir "$dir/q" || exit 1 # the number stays taken by $dir

# Takes CPUs and GPUs of the job that no live step has; sets mine. Returns 1 if there are too few.
claim() {
  total=${SLURM_CPUS_ON_NODE:-1} need=$((count * cpus)) used=0 busy=,
  set +f
  for one in "$state"/claim.*; do
    set -f
    { read -r pid since others theirs <"$one" && [ "$since" = "$(began "$pid")" ]; } 2>/dev/null || continue
    used=$((used + others)) busy=$busy$theirs,
  done
  set -f
  [ -z "$shares" ] || need=0
  [ $((used + need)) -le "$total" ] || return 1
  mine= found=0 place=0
  for one in $(printf '%s\n' "$devices" | tr ',' ' '); do
    case $busy in
      *",$place,"*) [ -n "$shares" ] || { place=$((place + 1)) && continue; } ;;
    esac
    [ "$found" -ge "$wanted" ] || mine=${mine:+$mine,}$place found=$((found + 1))
    place=$((place + 1))
  done
  [ "$found" -ge "$wanted" ] || return 1
  printf '%s %s %s %s\n' $$ "$(began $$)" "$need" "$mine" >"$claim"
}

# Prints when a process began, which tells it from a later one of its number; - if only its number is
# known, nothing if there is none.
began() { # pid
  if { read -r stat <"/proc/$1/stat"; } 2>/dev/null; then
    set -- ${stat##*) }
    printf '%s\n' "${20}"
  elif [ ! -r /proc/self/stat ] && kill -0 "$1" 2>/dev/null; then
    printf '%s\n' -
  fi
}

# Does it while no other step does. Without flock, a lock whose owner is gone is removed.
locked_claim() {
  if command -v flock >/dev/null; then
    (flock 6 && claim) 6>>"$state/locked" || return 1
    read -r pid since need mine <"$claim"
    return 0
  fi
  printf '%s\n' $$ >"$state/lock.$$"
  until ln "$state/lock.$$" "$state/lock" 2>/dev/null; do
    owner=
    { read -r owner <"$state/lock"; } 2>/dev/null || :
    [ -z "$owner" ] || kill -0 "$owner" 2>/dev/null || rm -f "$state/lock"
    sleep 0.05 2>/dev/null || sleep 1
  done
  claim
  got=$?
  rm -f "$state/lock" "$state/lock.$$"
  return $got
}

if [ -z "$shares" ] && [ $((count * cpus)) -gt "${SLURM_CPUS_ON_NODE:-1}" ]; then
  fail "Unable to create step for job $SLURM_JOB_ID: More processors requested than permitted"
fi
waited=
if [ -n "$shares" ] && [ "$wanted" = 0 ]; then
  : # it takes nothing from others
else
  until locked_claim; do
    [ -z "${SLURM_STEP_ID-}" ] || refuse 'a step inside of a step that has all CPUs' \
      'it waits for ever in Slurm; say --overlap'
    [ -n "$waited" ] || say "Job $SLURM_JOB_ID step creation temporarily disabled, retrying (Requested nodes are busy)"
    waited=1
    sleep 0.3 2>/dev/null || sleep 1
  done
  [ -z "$waited" ] || say "Step created for job $SLURM_JOB_ID"
fi

# ---- variables of the step -----------------------------------------------------------------------

tasks_list=0 i=1
while [ "$i" -lt "$size" ] && [ "$size" -le 1024 ]; do tasks_list=$tasks_list,$i i=$((i + 1)); done
export SLURM_JOB_ID SLURMD_NODENAME
export SLURM_JOBID="$SLURM_JOB_ID" SLURM_STEP_ID="$step" SLURM_STEPID="$step"
export SLURM_STEP_NODELIST="$hosts" SLURM_STEP_NUM_NODES="$nodes" SLURM_STEP_NUM_TASKS="$size"
export SLURM_NTASKS="$size" SLURM_NPROCS="$size" SLURM_NODEID="$node_id"
export SLURM_TASKS_PER_NODE="$local_size" SLURM_STEP_TASKS_PER_NODE="$local_size"
[ "$size" = 1 ] && usual=cyclic || usual=block
export SLURM_GTIDS="$tasks_list" SLURM_DISTRIBUTION="${SLURM_DISTRIBUTION:-$usual}"
export SLURM_SRUN_COMM_HOST="${MASTER_ADDR:-127.0.0.1}" SLURM_LAUNCH_NODE_IPADDR="${MASTER_ADDR:-127.0.0.1}"
export SLURM_UMASK="$(umask)" SRUN_DEBUG=3
[ -z "$member" ] || {
  export SLURM_NNODES="$nodes" SLURM_JOB_NUM_NODES="$nodes" SLURM_JOB_NODELIST="$hosts"
  export SLURM_NODELIST="$hosts" SLURM_GTIDS="$member" SLURM_JOB_NAME="${SLURM_JOB_NAME:-${REMUDA_JOB_NAME-}}"
}
[ -z "$job_name" ] || export SLURM_JOB_NAME="$job_name"
[ -z "$cpus_asked" ] || export SLURM_CPUS_PER_TASK="$cpus"
[ -z "$devices" ] || export SLURM_STEP_GPUS="$devices"

# Prints those of the job's GPUs that stand at these places.
at_places() {
  places=,$1, place=0 chosen=
  for one in $(printf '%s\n' "$devices" | tr ',' ' '); do
    case $places in *",$place,"*) chosen=${chosen:+$chosen,}$one ;; esac
    place=$((place + 1))
  done
  printf '%s\n' "$chosen"
}

# Gives the step or a task its GPUs.
use_gpus() {
  export CUDA_VISIBLE_DEVICES="$1"
  if [ -n "$1" ]; then export SLURM_STEP_GPUS="$1"; else unset SLURM_STEP_GPUS; fi
}
if [ -n "$gpus$gpus_per_task" ]; then
  use_gpus "$(at_places "${mine-}")"
  export SLURM_GPUS_ON_NODE="$wanted"
  [ "$wanted" -gt 0 ] || unset SLURM_GPUS_ON_NODE
fi

# Narrows the GPUs of one task.
use_gpus_of_task() { # number on the node
  each=
  case $bind in single:* | per_task:*) each=${bind#*:} ;; esac
  each=${gpus_per_task:-$each}
  [ -n "$each" ] && [ "$each" -gt 0 ] && [ -n "${CUDA_VISIBLE_DEVICES-}" ] || return 0
  have=0 chosen=
  for one in $(printf '%s\n' "$CUDA_VISIBLE_DEVICES" | tr ',' ' '); do have=$((have + 1)); done
  [ "$each" -le "$have" ] || each=$have
  groups=$((have / each)) place=0
  from=$(($1 % groups * each))
  for one in $(printf '%s\n' "$CUDA_VISIBLE_DEVICES" | tr ',' ' '); do
    [ "$place" -lt "$from" ] || [ "$place" -ge $((from + each)) ] || chosen=${chosen:+$chosen,}$one
    place=$((place + 1))
  done
  use_gpus "$chosen"
}
