#!/usr/bin/env bash
# Starts a real Slurm of several virtual nodes on this one machine, as root, for tests alone: its
# folder and ports are its own, and /etc/slurm is left alone, so that it lives beside any other.
set -euo pipefail

HERE="$(cd "$(dirname "${BASH_SOURCE[0]}")" && pwd)"
# shellcheck source=slurm-common.sh
. "$HERE/slurm-common.sh"

# ---------------------------------------------------------------- settings
NODES="${NODES:-3}"               # virtual nodes: gpu1 .. gpuN (at most 50)
GPUS="${GPUS:-4}"                 # fake GPUs on each node
CPUS="${CPUS:-8}"                 # pretended CPUs on each node
MEM_MB="${MEM_MB:-4000}"          # pretended memory on each node
PROFILE="${PROFILE:-default}"     # default | fast : scheduler settings
PROCTRACK="${PROCTRACK:-auto}"    # auto | cgroup | linuxproc | pgid
FIRST_JOB="${FIRST_JOB:-1}"       # number of the first job
KILL_WAIT="${KILL_WAIT:-5}"       # seconds from SIGTERM to SIGKILL (Slurm: 30)
UTS="${UTS:-auto}"                # auto | no : own host name for each node
MKNOD="${MKNOD:-auto}"            # auto | no : fake GPUs as character devices
CONSTRAIN_DEVICES="${CONSTRAIN_DEVICES:-no}"  # yes needs proctrack/cgroup

[ "$(id -u)" = 0 ] || { echo "start-slurm: must be root" >&2; exit 1; }
[ "$NODES" -ge 1 ] && [ "$NODES" -le 50 ] || { echo "start-slurm: NODES must be 1..50" >&2; exit 1; }

# What is installed is checks/wanted's business.
for program in slurmctld slurmd srun munged; do
  command -v "$program" >/dev/null || { echo "start-slurm: no $program" >&2; exit 1; }
done

# ---------------------------------------------------------------- already up?
if alive munged && alive slurmctld; then
  all=1
  for ((i = 1; i <= NODES; i++)); do alive "slurmd-gpu$i" || all=0; done
  if [ "$all" = 1 ] && nodes_idle "$NODES" 5; then
    echo "start-slurm: already running, $NODES nodes"; show_env; exit 0
  fi
fi
# A half-dead cluster: end what is left of ours, then start afresh.
"$HERE/stop-slurm.sh" >/dev/null 2>&1 || true

# ---------------------------------------------------------------- files
umask 022
rm -rf "$RUN"
mkdir -p "$RUN"/{log,state,spool,dev,pid,munge}
chmod 755 "$RUN" "$RUN"/{log,state,spool,dev,pid,munge}

# Fake GPUs: character devices with an NVIDIA card's numbers (195, g) where
# mknod is allowed, else links to the null device (with a plain file Slurm sets
# no CUDA_VISIBLE_DEVICES).  Neither can be used as a GPU.
for ((i = 1; i <= NODES; i++)); do
  for ((g = 0; g < GPUS; g++)); do
    f="$RUN/dev/gpu$i-nvidia$g"
    { [ "$MKNOD" = auto ] && mknod -m 666 "$f" c 195 "$g" 2>/dev/null; } || ln -sf /dev/null "$f"
  done
done

# Names for the nodes: gpuI is 127.0.1.I, in a marked block of /etc/hosts.
(
  flock 9
  if ! grep -q "^$HOSTS_BEGIN\$" /etc/hosts; then
    {
      echo "$HOSTS_BEGIN"
      for ((i = 1; i <= NODES; i++)); do echo "127.0.1.$i gpu$i"; done
      echo "$HOSTS_END"
    } >> /etc/hosts
  fi
) 9>"$HOSTS_LOCK"

# Which way Slurm keeps track of a job's processes.  cgroup (v1 freezer)
# catches double-forked ones; linuxproc follows parent ids; pgid only groups.
if [ "$PROCTRACK" = auto ]; then
  PROCTRACK=linuxproc
  if [ -d /sys/fs/cgroup/freezer ] && mkdir -p /sys/fs/cgroup/freezer/slurm-local 2>/dev/null; then
    rmdir /sys/fs/cgroup/freezer/slurm-local 2>/dev/null || true
    PROCTRACK=cgroup
  fi
fi

case "$PROFILE" in
  fast)    CRED=,cred_expire=5; SCHED="SchedulerParameters=sched_interval=1,sched_min_interval=0,batch_sched_delay=0,default_queue_depth=2000,partition_job_depth=2000,bf_interval=1" ;;
  *)       CRED=; SCHED="# SchedulerParameters: Slurm's own defaults" ;;
esac

CTL_HOST="$(hostname -s)"
cat > "$RUN/slurm.conf" <<CONF
# $MARK
ClusterName=local
SlurmctldHost=$CTL_HOST(127.0.0.1)
SlurmctldPort=$CTL_PORT
SlurmUser=root
SlurmdUser=root
AuthType=auth/munge
CredType=cred/munge
AuthInfo=socket=$RUN/munge/socket$CRED
StateSaveLocation=$RUN/state
SlurmctldPidFile=$RUN/pid/slurmctld.slurm
SlurmctldLogFile=$RUN/log/slurmctld.log
SlurmdPidFile=$RUN/pid/slurmd-%n.slurm
SlurmdLogFile=$RUN/log/slurmd-%n.log
SlurmdSpoolDir=$RUN/spool/%n
SlurmdParameters=config_overrides
ProctrackType=proctrack/$PROCTRACK
TaskPlugin=$([ "$CONSTRAIN_DEVICES" = yes ] && echo task/cgroup || echo task/none)
MpiDefault=none
SwitchType=switch/none
SelectType=select/cons_tres
SelectTypeParameters=CR_CPU
SchedulerType=sched/backfill
$SCHED
GresTypes=gpu
ReturnToService=2
MailProg=/bin/true
KillWait=$KILL_WAIT
InactiveLimit=0
MinJobAge=300
MaxJobCount=20000
FirstJobId=$FIRST_JOB
MaxArraySize=10001
SlurmctldTimeout=30
SlurmdTimeout=60
AccountingStorageType=accounting_storage/none
JobAcctGatherType=jobacct_gather/none
JobCompType=jobcomp/none
$(for ((i = 1; i <= NODES; i++)); do
  echo "NodeName=gpu$i NodeHostname=gpu$i NodeAddr=127.0.1.$i Port=$((SLURMD_PORT0 + i)) CPUs=$CPUS RealMemory=$MEM_MB Gres=gpu:$GPUS State=UNKNOWN"
done)
PartitionName=all Nodes=gpu[1-$NODES] Default=YES MaxTime=INFINITE State=UP
CONF

{
  echo "# $MARK"
  echo "AutoDetect=off"
  for ((i = 1; i <= NODES; i++)); do
    for ((g = 0; g < GPUS; g++)); do
      echo "NodeName=gpu$i Name=gpu File=$RUN/dev/gpu$i-nvidia$g"
    done
  done
} > "$RUN/gres.conf"

cat > "$RUN/cgroup.conf" <<CONF
# $MARK
CgroupPlugin=cgroup/v1
CgroupMountpoint=/sys/fs/cgroup
CgroupAutomount=yes
ConstrainCores=no
ConstrainRAMSpace=no
ConstrainDevices=$CONSTRAIN_DEVICES
CONF

export SLURM_CONF="$RUN/slurm.conf"

# ---------------------------------------------------------------- munged
dd if=/dev/urandom of="$RUN/munge/key" bs=128 count=1 2>/dev/null
chmod 600 "$RUN/munge/key"
spawn munged munged --foreground --force --num-threads=4 \
  --key-file="$RUN/munge/key" --socket="$RUN/munge/socket" \
  --pid-file="$RUN/munge/pid" --seed-file="$RUN/munge/seed" \
  --log-file="$RUN/log/munged.log"
wait_for 100 "munged" munge_ok

# ---------------------------------------------------------------- slurm
spawn slurmctld slurmctld -D -f "$RUN/slurm.conf"
for ((i = 1; i <= NODES; i++)); do
  mkdir -p "$RUN/spool/gpu$i"
  # A UTS namespace gives each node its own host name; where the kernel does
  # not allow one, all nodes share the machine's.
  if [ "$UTS" = auto ] && unshare --uts true 2>/dev/null; then
    spawn "slurmd-gpu$i" unshare --uts sh -c 'hostname "$1" && shift && exec "$@"' sh "gpu$i" \
      slurmd -D -N "gpu$i" -f "$RUN/slurm.conf"
  else
    spawn "slurmd-gpu$i" slurmd -D -N "gpu$i" -f "$RUN/slurm.conf"
  fi
done

if ! nodes_idle "$NODES" 200; then
  echo "start-slurm: nodes did not become idle" >&2
  sinfo -N -l >&2 || true
  for f in "$RUN"/log/*.log; do echo "== $f"; tail -n 6 "$f"; done >&2 || true
  exit 1
fi
echo "start-slurm: $NODES nodes, $GPUS GPUs each, proctrack/$PROCTRACK"
show_env
