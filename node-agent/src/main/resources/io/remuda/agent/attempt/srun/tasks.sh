# Starts tasks. Read by srun.

# In the background of a shell SIGINT and SIGQUIT are ignored; tasks get them as Slurm's do. A task
# is a session of its own where there is setsid, so that signals reach all of it.
if env --default-signal=INT,QUIT true 2>/dev/null; then reset='env --default-signal=INT,QUIT'; else reset=; fi
if command -v setsid >/dev/null; then session=setsid group=-; else session= group=; fi

# Functions of bash that were exported, such as module: dash cannot pass them on.
functions=
if [ -r "/proc/$$/environ" ] && grep -qa BASH_FUNC_ "/proc/$$/environ" 2>/dev/null \
  && command -v bash >/dev/null; then
  functions=1
fi
begin='for REMUDA_SRUN_NAME in ${REMUDA_SRUN_MOVED-}; do
  eval "[ -z \"\${REMUDA_SRUN_OF_$REMUDA_SRUN_NAME+x}\" ] || export $REMUDA_SRUN_NAME=\"\$REMUDA_SRUN_OF_$REMUDA_SRUN_NAME\""
  unset "REMUDA_SRUN_OF_$REMUDA_SRUN_NAME"
done
unset REMUDA_SRUN_NAME REMUDA_SRUN_MOVED
SLURM_TASK_PID=$$ && export SLURM_TASK_PID && echo "pid $0 $$" >&9 && exec 9>&- && exec "$@"'
with_functions='REMUDA_SRUN_OWN=()
while IFS= read -r -d "" REMUDA_SRUN_ONE; do
  case $REMUDA_SRUN_ONE in BASH_FUNC_*) REMUDA_SRUN_OWN+=("$REMUDA_SRUN_ONE") ;; esac
done <"/proc/$REMUDA_SRUN_SHELL/environ"
unset REMUDA_SRUN_SHELL
exec env "${REMUDA_SRUN_OWN[@]}" "$@"'

# Leaves only the variables that --export names, and Slurm's.
choose_variables() {
  kept=",$export," rest=$export,
  case $kept in *,ALL,*) kept= ;; esac
  if [ -n "$kept" ]; then
    for one in $(env | sed -n 's/^\([A-Za-z_][A-Za-z0-9_]*\)=.*/\1/p'); do
      case $one in
        REMUDA_SRUN_OF_*) ;;
        SLURM* | SRUN_DEBUG | CUDA_VISIBLE_DEVICES | CUDA_DEVICE_ORDER | REMUDA_*) continue ;;
      esac
      case $kept in *",${one#REMUDA_SRUN_OF_},"*) ;; *) unset "$one" 2>/dev/null ;; esac
    done
  fi
  while [ -n "$rest" ]; do
    one=${rest%%,*} rest=${rest#*,}
    case $one in
      *=\'* | *=\"*) # a value with commas
        mark=${one#*=} mark=${mark%"${mark#?}"} all=${one#*=?},$rest
        rest=${all#*"$mark"} rest=${rest#,}
        one=${one%%=*}=${all%%"$mark"*}
        ;;
    esac
    case ${one%%=*} in '' | *[!A-Za-z0-9_]* | [0-9]*) continue ;; esac
    case $one in # not under its own name, which may be one of this program
      *=*) export "REMUDA_SRUN_OF_$one" && REMUDA_SRUN_MOVED="$REMUDA_SRUN_MOVED ${one%%=*}" ;;
    esac
  done
}

# Sets the words of a task by a line of --multi-prog in its positional parameters, and runs it.
run_line() { # task, offset in its range, line, then more words
  task=$1 offset=$2 rest=$3 word= open= quote=
  shift 3
  more=$#
  while [ -n "$rest" ]; do
    one=${rest%"${rest#?}"} rest=${rest#?}
    case ${quote:--}$one in
      \'\' | \"\") quote= ;;
      \'* | \"*) word=$word$one ;;
      -\' | -\") quote=$one open=1 ;;
      '- ' | "-$tab")
        [ -z "$open" ] || set -- "$@" "$word"
        word= open=
        ;;
      -%)
        open=1
        case $rest in
          t*) word=$word$task rest=${rest#?} ;;
          o*) word=$word$offset rest=${rest#?} ;;
          *) word=$word% ;;
        esac
        ;;
      -\\) open=1 word=$word${rest%"${rest#?}"} rest=${rest#?} ;;
      *) open=1 word=$word$one ;;
    esac
  done
  [ -z "$open" ] || set -- "$@" "$word"
  while [ "$more" -gt 0 ]; do # what was typed comes last
    set -- "$@" "$1"
    shift
    more=$((more - 1))
  done
  run "$task" "$@"
}
tab=$(printf '\t')

# Sets offset if a list of ranges has a task.
in_ranges() { # list, task
  list=$1, offset=0
  while [ -n "$list" ]; do
    one=${list%%,*} list=${list#*,}
    case $one in
      '*')
        offset=$2
        return 0
        ;;
      *[!0-9-]* | '') return 1 ;;
    esac
    from=${one%-*} to=${one#*-}
    if [ "$2" -ge "$from" ] && [ "$2" -le "$to" ]; then
      offset=$((offset + $2 - from))
      return 0
    fi
    offset=$((offset + to - from + 1))
  done
  return 1
}

# Sets line and offset to those of a task in the file of --multi-prog.
find_line() { # file, task
  held=
  while IFS= read -r line || [ -n "$line" ]; do
    line=$held$line held=
    case $line in *\\) held=${line%?} && continue ;; esac
    while :; do case $line in ' '* | "$tab"*) line=${line#?} ;; *) break ;; esac; done
    case $line in '' | '#'*) continue ;; esac
    ranges=${line%%[ $tab]*} line=${line#"${line%%[ $tab]*}"}
    in_ranges "$ranges" "$2" && return 0
  done <"$1"
  return 1
}

# Runs a task's program in the foreground and returns its exit code.
run() { # task, command
  task=$1
  shift
  resolve "$1"
  if [ -n "$wrong" ]; then
    printf 'slurmstepd-%s: error: execve(): %s: %s\n' "$host" "$1" "$wrong" >&2
    return "$code"
  fi
  shift
  set -- "$program" "$@"
  if [ -n "$functions" ]; then
    set -- env REMUDA_SRUN_SHELL=$$ bash -c "$with_functions" bash "$@"
  fi
  [ -z "$export" ] || [ "$export" = ALL ] || choose_variables
  exec 6>&2 2>/dev/null # what this shell itself says of a signal is nobody's output
  (exec $reset $session "$sh" -c "$begin" "$task" "$@" 2>&6 5<&- 6>&- 7>&- 8<&-)
}
sh=$(command -v sh) # its whole path, since --export may leave no PATH
reset=${reset:+$(command -v env) ${reset#env }}
session=${session:+$(command -v setsid)}

# Is a task, in a shell of its own, and tells how it has ended.
be_task() { # number in the step, on the node, command
  trap : HUP TERM USR1 USR2 # a task has these by default again
  id=$1 on_node=$2
  shift 2
  export SLURM_PROCID="$id" SLURM_LOCALID="${local_id:-$on_node}"
  use_gpus_of_task "${local_id:-$on_node}"
  if [ -n "$chdir" ] && ! cd -- "$chdir" 2>/dev/null; then
    printf "slurmstepd-%s: error: couldn't chdir to \`%s': No such file or directory: going to /tmp instead\n" \
      "$host" "$chdir" >&2
    cd /tmp || :
  fi
  rc=1
  if streams "$id"; then
    if [ -n "$multi" ]; then
      file=$1
      shift
      case $file in /*) ;; *) file=$here/$file ;; esac
      find_line "$file" "$id" && run_line "$id" "$offset" "$line" "$@"
      rc=$?
    else
      run "$id" "$@"
      rc=$?
    fi
  fi
  echo "end $id $rc" >&9
}
here=$(pwd)

# Sets the streams of a task that are files, or not for it.
streams() { # task
  if [ "$in_way" = files ] || [ "$in_way" = file ]; then
    fill "$input" "$1"
    readable "$filled" || return 1
    exec <"$filled"
  fi
  if [ "$out_way" = files ]; then
    fill "$output" "$1"
    writable "$filled" stdout || return 1
    exec >>"$filled"
    [ -z "$same" ] || exec 2>&1
  fi
  if [ "$err_way" = files ] && [ -z "$same" ]; then
    fill "$error" "$1"
    writable "$filled" stderr || return 1
    exec 2>>"$filled"
  fi
}
readable() {
  (command : <"$1") 2>/dev/null || {
    printf 'slurmstepd-%s: error: Could not open stdin file %s\n' "$host" "$1" >&2
    return 1
  }
}
writable() {
  if [ "$append" = 0 ] && [ -f "$1" ]; then command : 2>/dev/null >"$1"; fi
  (command : >>"$1") 2>/dev/null || {
    printf 'slurmstepd-%s: error: Could not open %s file %s\n' "$host" "$2" "$1" >&2
    return 1
  }
}

# Starts a task with its streams.
start() { # number in the step, on the node, command
  case $out_way in task) out_to="/dev/null" && [ "$output" != "$1" ] || out_to= ;; *) out_to= ;; esac
  case $err_way in task) err_to="/dev/null" && [ "$error" != "$1" ] || err_to= ;; *) err_to= ;; esac
  if [ -n "$merge" ] && [ -z "$out_to" ] && [ "$out_way" != files ]; then out_to=$dir/q/out.$2; fi
  if [ -n "$merge" ] && [ -z "$err_to" ] && [ "$err_way" != files ]; then err_to=$dir/q/err.$2; fi
  case $out_to in "$dir"/*) collect "$1" <"$out_to" >&3 3>&- 4>&- 5<&- 6>&- 7>&- 8<&- 9>&- & drains="$drains $!" ;; esac
  case $err_to in "$dir"/*) collect "$1" <"$err_to" >&4 3>&- 4>&- 5<&- 6>&- 7>&- 8<&- 9>&- & drains="$drains $!" ;; esac
  in_from=
  case $in_way in
    copies) in_from=$dir/q/in.$2 ;;
    none | files | file) in_from=/dev/null ;;
    task) [ "$input" = "$1" ] || in_from=/dev/null ;;
  esac
  ( # each stream has a file, or is that of the step
    if [ -n "$in_from" ]; then exec <"$in_from"; else exec <&5; fi
    if [ -n "$out_to" ]; then exec >"$out_to"; else exec >&3; fi
    if [ -n "$err_to" ]; then exec 2>"$err_to"; else exec 2>&4; fi
    exec 3>&- 4>&- 7>&- 8<&-
    be_task "$@"
  ) &
  wrappers="$wrappers $!"
}
collect() {
  prefix=
  [ -z "$label" ] || prefix=$(printf '%*d: ' "${#last}" "$1")
  lines "$prefix"
}
last=$((size - 1))
