# Where the tasks' streams lead, and the names of files. Read by srun.

# Sets filled to a pattern of a task.
fill() { # pattern, task
  filled= rest=$1
  while :; do
    case $rest in
      *%*) filled=$filled${rest%%%*} rest=${rest#*%} ;;
      *)
        filled=$filled$rest
        return
        ;;
    esac
    width=
    while :; do
      case $rest in
        [0-9]*) width=$width${rest%"${rest#?}"} rest=${rest#?} ;;
        *) break ;;
      esac
    done
    letter=${rest%"${rest#?}"} rest=${rest#?} text=
    case $letter in
      j) text=$SLURM_JOB_ID ;;
      J) text=$SLURM_JOB_ID.$step ;;
      s) text=$step ;;
      t) text=$2 ;;
      n) text=$node_id ;;
      N) text=$host ;;
      a) text=${SLURM_ARRAY_TASK_ID:-4294967294} ;;
      A) text=${SLURM_ARRAY_JOB_ID:-$SLURM_JOB_ID} ;;
      u) text=${SLURM_JOB_USER:-$(id -un)} ;;
      x) text=${SLURM_JOB_NAME-} ;;
      %) text=% ;;
      *) text=%$width$letter width= ;;
    esac
    case $letter in
      [jstnaA])
        [ "${width:-0}" -le 10 ] || width=10
        while [ "${#text}" -lt "${width:-0}" ]; do text=0$text; done
        ;;
    esac
    filled=$filled$text
  done
}

# Sets way to what becomes of a stream: here, none, task K, file (one of all), files (one of each).
way_of() { # pattern
  file=
  case $1 in
    '' | all) way=here ;;
    none) way=none ;;
    *[!0-9]*)
      fill "$1" "$first" && file=$filled
      fill "$1" x
      if [ "$file" = "$filled" ]; then way=file; else way=files; fi
      ;;
    *)
      way=task
      [ "$1" -ge 0 ] && [ "$1" -lt "$size" ] || fail "task $1 of --output, --error or --input is none of the step"
      ;;
  esac
}

# Opens a file of the whole step, which descriptor 6 then is.
open_file() { # file, what
  # the members of a gang each have an srun of their own: none empties what another has written
  if [ "$append" = 0 ] && { [ -z "$member" ] || [ "$size" = 1 ]; } && [ -f "$1" ]; then
    command : 2>/dev/null >"$1"
  fi
  if ! (command : >>"$1") 2>/dev/null; then
    why='No such file or directory'
    [ ! -d "${1%/*}" ] && [ "${1#*/}" != "$1" ] || why='Permission denied'
    [ ! -d "$1" ] || why='Is a directory'
    fail "Could not open $2 file: $why"
  fi
  exec 6>>"$1"
}

exec 3>&1 4>&2 5<&0
way_of "$output"
out_way=$way
case $way in
  none) exec 3>/dev/null ;;
  file) open_file "$file" stdout && exec 3>&6 ;;
esac
if [ -z "$error" ]; then
  err_way=$out_way error=$output
  [ "$out_way" != file ] && [ "$out_way" != none ] || exec 4>&3
  same=1
else
  same=
  way_of "$error"
  err_way=$way
  case $way in
    none) exec 4>/dev/null ;;
    file) open_file "$file" stderr && exec 4>&6 ;;
  esac
fi
way_of "$input"
in_way=$way in_file=$file
[ "$in_way" != here ] || {
  if [ /dev/fd/5 -ef /dev/null ]; then in_way=none
  elif [ "$count" -gt 1 ] || { [ -t 0 ] && [ -z "$pty" ]; }; then in_way=copies
  fi
}
merge=
if [ -n "$label" ] || { [ "$count" -gt 1 ] && [ -z "$unbuffered" ]; }; then merge=1; fi

# Writes whole lines, each behind a text, as they come.
lines() {
  trap '' HUP INT QUIT TERM USR1 USR2 PIPE
  LC_ALL=C
  export LC_ALL
  case $awk in
    none) while IFS= read -r line || [ -n "$line" ]; do printf '%s%s\n' "$1" "$line"; done ;;
    mawk) exec awk -W interactive -v "label=$1" '{ printf "%s", label $0 "\n"; fflush() }' ;;
    *) exec awk -v "label=$1" '{ printf "%s", label $0 "\n"; fflush() }' ;;
  esac
}
if [ -n "$merge" ]; then
  case $(command -v awk >/dev/null && awk -W version </dev/null 2>&1) in
    *mawk*) awk=mawk ;;
    *) if command -v awk >/dev/null; then awk=other; else awk=none; fi ;;
  esac
fi
