# Reads the variables that srun takes for options, and the command line. Read by srun.

ntasks= per_node= label= unbuffered= quiet= verbose= pty= multi= bind= limit=0 shares= job_name=
gpus= gpus_per_task= cpus=1 cpus_asked= append=0 kill_bad=0 wait=0
SLURMD_NODENAME=${SLURMD_NODENAME:-${REMUDA_NODE:-localhost}}
host=${SLURM_JOB_NODELIST:-$SLURMD_NODENAME}
hosts=$host nodes=1
member=
if [ -z "${REMUDA_SBATCH-}" ] && [ -n "${REMUDA_TASK_COUNT-}" ]; then # of a gang, or of --count
  member=${REMUDA_TASK_INDEX:-0}
  hosts=
  for one in $(printf '%s\n' "${REMUDA_GANG_HOSTS:-$host}" | tr ',' ' '); do
    case ",$hosts," in *",$one,"*) ;; *) hosts=$hosts,$one ;; esac
  done
  hosts=${hosts#,}
  nodes=$(printf '%s\n' "$hosts" | awk -F, '{ print NF }')
fi
output=${SLURM_STDOUTMODE-} error=${SLURM_STDERRMODE-} input=${SLURM_STDINMODE-}
chdir=${SLURM_WORKING_DIR-} export=${SLURM_EXPORT_ENV-}
[ -z "${SLURM_LABELIO-}" ] || label=1
[ -z "${SLURM_UNBUFFEREDIO-}" ] || unbuffered=1
[ -z "${SLURM_OVERLAP-}${SLURM_OVERCOMMIT-}" ] || shares=1
[ -z "${SRUN_CPUS_PER_TASK-}" ] || take cpus-per-task "$SRUN_CPUS_PER_TASK"
[ -z "${SLURM_OPEN_MODE-}" ] || take open-mode "$SLURM_OPEN_MODE"
[ -z "${SLURM_KILL_BAD_EXIT-}" ] || take kill-on-bad-exit "$SLURM_KILL_BAD_EXIT" 1
[ -z "${SLURM_WAIT-}" ] || take wait "$SLURM_WAIT"
[ -z "${SLURM_TIMELIMIT-}" ] || take time "$SLURM_TIMELIMIT"
[ -z "${SLURM_MPI_TYPE-}" ] || take mpi "$SLURM_MPI_TYPE"
[ -z "${SLURM_GPUS_PER_TASK-}" ] || take gpus-per-task "$SLURM_GPUS_PER_TASK"
[ -z "${SLURM_GPU_BIND-}" ] || take gpu-bind "$SLURM_GPU_BIND"

while [ $# -gt 0 ]; do
  case $1 in
    --)
      shift
      break
      ;;
    --*=*)
      option=${1%%=*} value=${1#*=} given=1
      find_long "${option#--}" "$1"
      [ "$kind" != 0 ] || misused "option '--$name' doesn't allow an argument"
      shift
      take "$name" "$value" "$given"
      ;;
    --*)
      find_long "${1#--}" "$1"
      shift
      if [ "$kind" = 1 ]; then
        [ $# -gt 0 ] || misused "option '--$name' requires an argument"
        take "$name" "$1" 1
        shift
      else
        take "$name" '' ''
      fi
      ;;
    -?*)
      letters=${1#-}
      shift
      while [ -n "$letters" ]; do
        rest=${letters#?}
        letter=${letters%"$rest"}
        find_short "$letter"
        letters=$rest
        if [ "$kind" = 0 ]; then
          take "$name" '' ''
          continue
        fi
        letters=
        if [ "$kind" = 1 ] && [ -z "$rest" ]; then
          [ $# -gt 0 ] || misused "option requires an argument -- '$letter'"
          rest=$1
          shift
        fi
        take "$name" "$rest" "$rest"
      done
      ;;
    *) break ;;
  esac
done

[ $# -gt 0 ] || {
  printf 'srun: fatal: No command given to execute.\n' >&2
  exit "${SLURM_EXIT_ERROR:-1}"
}
for word; do
  [ "$word" != : ] || refuse 'a job of several components (:)' 'start each with an srun of its own'
done
