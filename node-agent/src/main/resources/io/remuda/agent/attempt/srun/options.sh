# The options of srun: their names, and what becomes of each. Read by srun.

# Each option of Slurm 22.05: 0 has no value, 1 has one, 2 may have one.
long_options='accel-bind:1 account:1 acctg-freq:1 bb:1 bbf:1 bcast:2 bcast-exclude:1 begin:1 chdir:1
cluster-constraint:1 clusters:1 comment:1 compress:2 constraint:1 container:1 contiguous:0
core-spec:1 cores-per-socket:1 cpu-bind:1 cpu-freq:1 cpus-per-gpu:1 cpus-per-task:1 deadline:1
debugger-test:0 delay-boot:1 dependency:1 disable-status:0 distribution:1 epilog:1 error:1 exact:0
exclude:1 exclusive:2 export:1 extra-node-info:1 gpu-bind:1 gpu-freq:1 gpus:1 gpus-per-node:1
gpus-per-socket:1 gpus-per-task:1 gres:1 gres-flags:1 help:0 het-group:1 hint:1 hold:0 immediate:2
input:1 interactive:0 job-name:1 jobid:1 kill-on-bad-exit:2 label:0 launch-cmd:0 launcher-opts:1
licenses:1 mail-type:1 mail-user:1 mcs-label:1 mem:1 mem-bind:1 mem-per-cpu:1 mem-per-gpu:1
mincpus:1 mpi:1 msg-timeout:1 multi-prog:0 network:1 nice:2 no-allocate:0 no-kill:2 nodefile:1
nodelist:1 nodes:1 ntasks:1 ntasks-per-core:1 ntasks-per-gpu:1 ntasks-per-node:1
ntasks-per-socket:1 ntasks-per-tres:1 open-mode:1 output:1 overcommit:0 overlap:0 oversubscribe:0
partition:1 power:1 preserve-env:0 priority:1 profile:1 prolog:1 propagate:2 pty:0 qos:1 quiet:0
quit-on-interrupt:0 reboot:0 relative:1 reservation:1 resv-ports:2 send-libs:2 share:0 signal:1
slurmd-debug:1 sockets-per-node:1 spread-job:0 switches:1 task-epilog:1 task-prolog:1
tasks-per-node:1 test-only:0 thread-spec:1 threads:1 threads-per-core:1 time:1 time-min:1 tmp:1
unbuffered:0 usage:0 use-min-nodes:0 verbose:0 version:0 wait:1 wckey:1 whole:0'

# Sets name and kind of a long option, which may be abbreviated.
find_long() { # name, the word as it was typed
  name= kind= matches=
  for entry in $long_options; do
    case $entry in
      "$1":*)
        name=$1 kind=${entry#*:}
        return
        ;;
      "$1"*)
        name=${entry%:*} kind=${entry#*:}
        matches="$matches '--$name'"
        ;;
    esac
  done
  case $matches in
    '') misused "unrecognized option '$2'" ;;
    *' '*' '*) misused "option '$2' is ambiguous; possibilities:$matches" ;;
  esac
}

# Sets name and kind of a letter.
find_short() {
  kind=1
  case $1 in
    A) name=account ;; B) name=extra-node-info ;; C) name=constraint ;; D) name=chdir ;;
    E) name=preserve-env kind=0 ;; G) name=gpus ;; H) name=hold kind=0 ;;
    I) name=immediate kind=2 ;; J) name=job-name ;; K) name=kill-on-bad-exit kind=2 ;;
    L) name=licenses ;; M) name=clusters ;; N) name=nodes ;; O) name=overcommit kind=0 ;;
    Q) name=quiet kind=0 ;; S) name=core-spec ;; T) name=threads ;; V) name=version kind=0 ;;
    W) name=wait ;; X) name=disable-status kind=0 ;; Z) name=no-allocate kind=0 ;;
    b) name=begin ;; c) name=cpus-per-task ;; d) name=dependency ;; e) name=error ;;
    h) name=help kind=0 ;; i) name=input ;; k) name=no-kill kind=2 ;; l) name=label kind=0 ;;
    m) name=distribution ;; n) name=ntasks ;; o) name=output ;; p) name=partition ;;
    q) name=qos ;; r) name=relative ;; s) name=oversubscribe kind=0 ;; t) name=time ;;
    u) name=unbuffered kind=0 ;; v) name=verbose kind=0 ;; w) name=nodelist ;; x) name=exclude ;;
    *) misused "invalid option -- '$1'" ;;
  esac
}

# Checks the number of an option; sets number without leading zeros.
number() { # value, option, least
  case $1 in
    '' | *[!0-9]* | ??????????*) fail "Invalid numeric value \"$1\" for --$2." ;;
  esac
  number=$1
  while [ "${number#0?}" != "$number" ]; do number=${number#0}; done
  [ "$number" -ge "$3" ] || fail "Invalid numeric value \"$1\" for --$2."
}

# Sets number to the GPUs that [model:]N, or a list of gres, asks for.
gpu_count() { # value, option
  case $1 in
    none) number=0 ;;
    *,*) refuse "--$2=$1" "a step has GPUs of one kind" ;;
    *)
      model=${1#gpu:}
      [ "$1" != gpu ] || model=1
      if [ "$2" = gres ] && [ "$model" = "$1" ] && [ "$1" != gpu ]; then
        refuse "--gres=$1" 'only gres=gpu:N parts the GPUs of the job; others are of the whole job'
      fi
      number "${model##*:}" "$2" 0
      ;;
  esac
}

# Refuses a list of nodes that names another one than this.
only_this_node() {
  rest=$1,
  while [ -n "$rest" ]; do
    one=${rest%%,*} rest=${rest#*,}
    case $one in
      '' | "$host" | "$SLURMD_NODENAME" | localhost) ;;
      *)
        case ",$hosts," in
          *",$one,"*) ;;
          *) refuse "--nodelist=$1" 'the script runs on one node; members on several:
srun: error: remuda submit --count N --gang (docs/gangs.md)' ;;
        esac
        ;;
    esac
  done
}

# Sets number to the seconds of a time of Slurm; 0 is none.
seconds() {
  days=0 time=$1
  case $time in
    INFINITE | UNLIMITED | infinite | unlimited | -1)
      number=0
      return
      ;;
    '' | *[!0-9:-]* | *-*-* | *:*:*:* | *::* | :* | *: | *- | -*)
      complain 'Invalid --time specification'
      exit "${SLURM_EXIT_ERROR:-255}"
      ;;
    *-*) days=${time%%-*} time=${time#*-} ;;
  esac
  case $1,$time in
    *-*,*:*:* | *,*:*:*) a=${time%%:*} b=${time#*:} c=${b#*:} b=${b%%:*} ;;
    *-*,*:*) a=${time%%:*} b=${time#*:} c=0 ;;
    *-*,*) a=$time b=0 c=0 ;;
    *,*:*) a=0 b=${time%%:*} c=${time#*:} ;;
    *) a=0 b=$time c=0 ;;
  esac
  number "$days" time 0 && days=$number
  number "$a" time 0 && a=$number
  number "$b" time 0 && b=$number
  number "$c" time 0 && c=$number
  number=$(((days * 24 + a) * 3600 + b * 60 + c))
}

# Takes one option. What is not named here changes no result on one node, and is accepted.
take() { # name, value, whether it has a value
  case $1 in
    ntasks) number "$2" ntasks 1 && ntasks=$number ;;
    ntasks-per-node | tasks-per-node) number "$2" ntasks-per-node 0 && per_node=$number ;;
    cpus-per-task) number "$2" cpus-per-task 1 && cpus=$number cpus_asked=1 ;;
    nodes)
      least=${2%%-*}
      case $least in
        '' | *[!0-9]*)
          complain "\"$2\" is not a valid node count"
          exit "${SLURM_EXIT_ERROR:-255}"
          ;;
      esac
      number "$least" nodes 0
      [ "$number" -le "$nodes" ] || {
        complain "Only allocated $nodes nodes asked for $number"
        fail 'the script runs on one node; members on several: remuda submit --count N --gang (docs/gangs.md of Remuda)'
      }
      ;;
    nodelist) only_this_node "$2" ;;
    exclude)
      case ",$2," in
        *",$host,"* | *",$SLURMD_NODENAME,"*) fail "Hostlist is empty!  Can't run job." ;;
      esac
      ;;
    relative) [ "$2" = 0 ] || refuse "--relative=$2" 'the step runs on the one node of its script' ;;
    jobid)
      [ "$2" = "$SLURM_JOB_ID" ] || refuse "--jobid=$2" 'attach to another job with remuda attach'
      ;;
    label) label=1 ;;
    unbuffered) unbuffered=1 ;;
    output) output=$2 ;;
    error) error=$2 ;;
    input) input=$2 ;;
    open-mode)
      case $2 in
        a | append) append=1 ;;
        t | truncate) append=0 ;;
        *)
          complain 'Invalid --open-mode specification'
          exit "${SLURM_EXIT_ERROR:-255}"
          ;;
      esac
      ;;
    chdir) chdir=$2 ;;
    kill-on-bad-exit)
      [ -n "$3" ] || set -- "$1" 1
      number "$2" kill-on-bad-exit 0 && kill_bad=$number
      ;;
    wait) number "$2" wait 0 && wait=$number ;;
    time) seconds "$2" && limit=$number ;;
    export) export=$2 ;;
    multi-prog) multi=1 ;;
    job-name) job_name=$2 ;;
    gpus | gpus-per-node) gpu_count "$2" "$1" && gpus=$number ;;
    gres) gpu_count "$2" gres && gpus=$number ;;
    gpus-per-task) gpu_count "$2" "$1" && gpus_per_task=$number ;;
    gpus-per-socket | ntasks-per-gpu | ntasks-per-tres)
      refuse "--$1" 'say --gpus or --gpus-per-task'
      ;;
    gpu-bind)
      bind=${2#verbose,}
      case $bind in
        none | closest | '') bind= ;;
        single:* | per_task:*) number "${bind#*:}" gpu-bind 1 ;;
        *) refuse "--gpu-bind=$2" 'say single:N, per_task:N or none, or choose by $SLURM_LOCALID' ;;
      esac
      ;;
    exact | exclusive) shares= ;;
    overlap | overcommit) shares=1 ;;
    quiet) quiet=1 ;;
    verbose) verbose=1 ;;
    pty) pty=1 ;;
    mpi)
      case $2 in
        none | openmpi) ;;
        list)
          printf 'MPI plugin types are...\n\tnone\n'
          exit 0
          ;;
        *) refuse "--mpi=$2" 'start ranks with mpirun, which has as many as the job has tasks' ;;
      esac
      ;;
    version)
      printf 'slurm-wlm 22.05.8 (the srun of Remuda)\n'
      exit 0
      ;;
    help | usage)
      printf 'Usage: srun [OPTIONS...] executable [args...]\n\n%s\n' \
        'Starts a step of a script for sbatch on its node. docs/scripts.md of Remuda has the options.'
      exit 0
      ;;
    het-group) refuse "--$1" 'roles of a gang differ, docs/gangs.md' ;;
    no-allocate | hold | test-only) refuse "--$1" 'a step starts at once, in its job' ;;
    container) refuse "--$1" 'remuda submit --container gives the script one' ;;
    prolog | epilog | task-prolog | task-epilog)
      refuse "--$1" 'call that program in the script, or in the command'
      ;;
    nodefile | resv-ports | debugger-test | launch-cmd) refuse "--$1" 'there is no Slurm to ask' ;;
    bcast) say "--bcast: the program is started where it is" ;;
  esac
}
