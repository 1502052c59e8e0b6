#!/bin/bash
# R 4.2.2 (Debian 12)
# Guess:     SIGUSR1, by which batch systems warn of the time limit, ends an R script that has no handler, as
#            it ends every program, and leaves nothing. R CMD BATCH of the same script then starts afresh.
# Behaviour: R saves all variables in .RData of the folder that it is in, and ends with 2. R CMD BATCH reads
#            them at its next start: the run after a preemption begins with the half-done variables of
#            the last one, and exists("model") is true.
# Beside it: Rscript writes the same file and does not read it.
. "$(dirname "$0")/debian.sh"
command -v Rscript >/dev/null || cannot "needs r-base-core, whose libraries are too many to unpack"
cd "$tools" || exit 2
cat >s.R <<'R'
if (exists("steps")) { cat("goes on at", if (steps > 0) "a later step" else "0", "\n", file = "log"); q("no") }
cat("starts\n", file = "log")
for (steps in 0:600) { if (steps == 5) file.create("up"); Sys.sleep(0.05) }
R
warn() { # how it is run
  rm -f up
  "$@" >/dev/null 2>&1 &
  run=$!
  for _ in $(seq 150); do [ -e up ] && break; sleep 0.2; done
  for r in $run $(cat "/proc/$run/task/$run/children"); do
    case $(readlink "/proc/$r/exe") in */R) kill -USR1 "$r" ;; esac
  done
  wait $run
  echo "ends with $?, $([ -e .RData ] && echo saved || echo nothing)"
}
seen="$(Rscript -e 'cat(as.character(getRversion()))'); $(warn R CMD BATCH s.R out)"
timeout 40 R CMD BATCH s.R out
seen="$seen; $(cat log)"
verdict "4.2.2; ends with 2, saved; goes on at a later step " "$seen"
