# Signals to the step, and the ends of its tasks. Read by srun, whose exit code it gives.

pids= wrappers= drains= helpers= interrupted=0 signalled=

# Sends a signal to the tasks that have begun; those that begin later get it then.
send() {
  for one in $pids; do kill -s "$1" -- "$group$one" 2>/dev/null; done
}
on_signal() {
  signalled=1
  case $1 in
    INT)
      now=$(date +%s)
      if [ "$interrupted" -gt 0 ] && [ $((now - interrupted)) -le 1 ]; then
        say "sending Ctrl-C to StepId=$SLURM_JOB_ID.$step"
        terminate KILL
        return
      fi
      interrupted=$now
      say 'interrupt (one more within 1 sec to abort)'
      ;;
    TERM | HUP | QUIT) say 'forcing job termination' ;;
  esac
  [ "$1" != TERM ] && [ "$1" != HUP ] || leaving=$1
  send "$1"
}
leaving=
trap 'on_signal INT' INT
for one in TERM HUP QUIT USR1 USR2; do
  # shellcheck disable=SC2064 # the names of signals
  trap "on_signal $one" "$one"
done

# Puts a word into the queue of events later; the sleep ends with the step.
later() { # seconds, word
  (
    trap 'kill "$!" 2>/dev/null; exit' TERM
    sleep "$1" &
    wait "$!" && echo "$2 0 0" >&9
  ) 3>&- 4>&- 5<&- 7>&- 8<&- &
  helpers="$helpers $!"
}

# Ends what is left of the step: asked first, killed 5 s later.
terminate() {
  leaving=$1
  send "$1"
  [ "$1" = KILL ] || later 5 kill
}

# Tells how a task has ended.
tell() { # task, exit code
  [ "$2" -ne 0 ] || return 0
  how=
  case $2 in
    129) how=Hangup ;; 130) how=Interrupt ;; 131) how=Quit ;; 132) how='Illegal instruction' ;;
    133) how='Trace/breakpoint trap' ;; 134) how=Aborted ;; 135) how='Bus error' ;;
    136) how='Floating point exception' ;; 137) how=Killed ;; 138) how='User defined signal 1' ;;
    139) how='Segmentation fault' ;; 140) how='User defined signal 2' ;; 141) how='Broken pipe' ;;
    142) how='Alarm clock' ;; 143) how=Terminated ;;
  esac
  complain "$host: task $1: ${how:-Exited with exit code $2}"
}

(
  cd "$dir/q" || exit 1
  set -- events life
  i=0
  while [ "$i" -lt "$count" ]; do
    [ -z "$merge" ] || set -- "$@" "out.$i" "err.$i"
    [ "$in_way" != copies ] || set -- "$@" "in.$i"
    i=$((i + 1))
  done
  mkfifo -m 600 "$@"
) || fail "cannot make fifos in $dir"
exec 9<>"$dir/q/events" 8<"$dir/q/events"

# When this shell is killed, the guard ends the tasks of which it was told.
(
  trap '' HUP INT QUIT TERM USR1 USR2
  exec 3>&- 4>&- 5<&- 8<&- 9>&- <"$dir/q/life" >/dev/null 2>&1
  known= ended=
  while read -r what pid; do
    [ "$what" = pid ] && known="$known $pid"
    [ "$what" = over ] && ended=1
  done
  [ -n "$ended" ] || for pid in $known; do kill -s KILL -- "$group$pid"; done
) &
exec 7>"$dir/q/life"

if [ -n "$multi" ]; then
  [ -r "$1" ] || fail "Unable to read configuration file $1"
  i=$first
  while [ "$i" -lt $((first + count)) ]; do
    find_line "$1" "$i" || fail "Configuration file $1 invalid, no record for task id $i"
    i=$((i + 1))
  done
fi
if [ -n "$verbose" ]; then
  say "launching StepId=$SLURM_JOB_ID.$step on host $host, $count tasks"
fi

i=0
while [ "$i" -lt "$count" ]; do
  start $((first + i)) "$i" "$@"
  i=$((i + 1))
done
if [ "$in_way" = copies ]; then
  ( # goes on for the others if a task does not read
    trap '' PIPE
    cd "$dir/q" || exit 1
    set --
    i=1
    while [ "$i" -lt "$count" ]; do set -- "$@" "in.$i" && i=$((i + 1)); done
    exec tee -- "$@" <&5 >in.0 2>/dev/null 3>&- 4>&- 5<&- 7>&- 8<&- 9>&-
  ) &
  helpers="$helpers $!"
fi
if [ "$limit" -gt 0 ]; then
  later "$limit" limit
fi
exec 9>&- # the last task that goes ends the queue

worst=0 running=$count bad=
# Takes what tasks tell; a signal that interrupts it is no end of the queue.
while [ "$running" -gt 0 ]; do
  what=
  signalled=
  read -r what id value <&8 || {
    [ -n "$signalled" ] && continue
    [ -n "$what" ] || break
  }
  case $what in
    pid)
      pids="$pids $value"
      echo "pid $value" >&7
      [ -z "$leaving" ] || kill -s "$leaving" -- "$group$value" 2>/dev/null
      ;;
    end)
      running=$((running - 1))
      ended="${ended-} $id "
      tell "$id" "$value"
      [ "$value" -le "$worst" ] || worst=$value
      if [ "$value" != 0 ] && [ "$kill_bad" -gt 0 ] && [ -z "$bad" ] && [ "$running" -gt 0 ]; then
        bad=1
        say "launch/slurm: _step_signal: Terminating StepId=$SLURM_JOB_ID.$step"
        exec 9>"$dir/q/events"
        terminate TERM
        exec 9>&-
      elif [ "$wait" -gt 0 ] && [ -z "${waiting-}" ] && [ "$running" -gt 0 ]; then
        waiting=1
        exec 9>"$dir/q/events"
        later "$wait" wait
        exec 9>&-
      fi
      ;;
    wait)
      say "First task exited ${wait}s ago"
      terminate KILL
      ;;
    limit)
      complain "*** STEP $SLURM_JOB_ID.$step ON $host CANCELLED DUE TO TIME LIMIT ***"
      exec 9>"$dir/q/events"
      terminate TERM
      exec 9>&-
      ;;
    kill) send KILL ;;
  esac
done
# Whoever has not told was killed with its shell.
i=$first
for one in $wrappers; do
  exec 6>&2 2>/dev/null
  wait "$one"
  rc=$?
  exec 2>&6 6>&-
  case " ${ended-} " in
    *" $i "*) ;;
    *)
      tell "$i" "$rc"
      [ "$rc" -le "$worst" ] || worst=$rc
      ;;
  esac
  i=$((i + 1))
done
[ -z "$group" ] || send KILL # what tasks have left behind, as at the end of a step of Slurm
for one in $helpers; do kill "$one" 2>/dev/null; done
for one in $drains; do wait "$one" 2>/dev/null; done
echo over >&7
exec 7>&-
exit "$worst"
