#!/bin/bash
# R 4.2.2 (Debian 12)
# Guess:     SIGUSR1, by which batch systems warn of the time limit, ends an R script that has no handler, as
#            it ends every program, and leaves nothing. R CMD BATCH of the same script then starts afresh.
# Behaviour: R saves all variables in .RData of the folder that it is in, and ends with 2. R CMD BATCH reads
#            them at its next start: the run after a preemption begins with the half-done variables of
#            the last one, and exists("model") is true.
# Beside it: Rscript writes the same file and does not read it.
set -u
tools=$(mktemp -d) && chmod 755 "$tools" && cd "$tools" || exit 2 # 755: apt gives up its rights to download
trap 'rm -rf "$tools"' EXIT

cannot() { # why it cannot be tried here
  echo "cannot be tried: $1"
  exit 2
}

unpack() { # NAME=VERSION...: packages of Debian, into the temporary folder, before what is installed
  command -v apt-get >/dev/null && command -v dpkg >/dev/null || cannot "needs Debian's apt-get and dpkg"
  apt-get download -qq "$@" >apt.log 2>&1 || cannot "no $* here: $(tail -n 1 apt.log)"
  for package in *.deb; do
    dpkg -x "$package" . && rm "$package"
  done
  PATH=$tools/usr/bin:$tools/usr/sbin:$PATH
  LD_LIBRARY_PATH=$(find "$tools" -name '*.so*' -printf '%h\n' | sort -u | grep -v python | tr '\n' ':')
  export PATH LD_LIBRARY_PATH
}

verdict() { # stated seen
  echo "stated: $1"
  echo "seen:   $2"
  [ "$1" = "$2" ] || { echo "CHANGED"; exit 1; }
  echo "AS STATED"
}

missing() { # NAME=VERSION: it and what it depends on, but for what is installed
  apt-get -s install --no-install-recommends "$1" 2>/dev/null |
    awk '/^Inst/ && $3 !~ /^\[/ { print $2 "=" substr($3, 2) }'
}

if ! command -v Rscript >/dev/null; then
  # shellcheck disable=SC2046 # a word for each package
  unpack $(missing r-base-core=4.2.2.20221110-2)
  cp usr/lib/R/etc/Renviron.ucf etc/R/Renviron # as its installation does
  for each in usr/lib/R/etc/*; do # scripts and links of R say where it is installed
    [ ! -L "$each" ] || ln -sf "$tools$(readlink "$each")" "$each"
  done
  sed -i "s:=/usr/:=$tools/usr/:" usr/lib/R/bin/R
  export RHOME=$tools/usr/lib/R PATH=$tools/usr/lib/R/bin:$PATH
fi
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
