#!/bin/bash
# numexpr 2.8.4 (Debian 12)
# Guess:     NUMEXPR_MAX_THREADS is an upper bound, so that a value above the number of cores changes
#            nothing: the threads are min(cores, maximum), and with 6 on a smaller machine its cores.
# Behaviour: the number of threads is the maximum itself, if nothing else is set. The value that a
#            careful administrator gives as a limit makes each process start that many.
# Beside it: NUMEXPR_NUM_THREADS above it prints an error to stderr, and the import succeeds.
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
  PYTHONPATH=$tools/usr/lib/python3/dist-packages
  export PATH LD_LIBRARY_PATH PYTHONPATH
}

verdict() { # stated seen
  echo "stated: $1"
  echo "seen:   $2"
  [ "$1" = "$2" ] || { echo "CHANGED"; exit 1; }
  echo "AS STATED"
}

unpack python3-numexpr=2.8.4-1+b2 python3-numpy=1:1.24.2-1+deb12u1 \
  libblas3=3.11.0-2 liblapack3=3.11.0-2 libgfortran5=12.2.0-14+deb12u1 libquadmath0=12.2.0-14+deb12u1
python=/usr/bin/python3.11
[ -x "$python" ] || cannot "needs Debian 12's Python 3.11"
cores=$("$python" -c 'import os; print(len(os.sched_getaffinity(0)))')
[ "$cores" -lt 6 ] || cpus="taskset -c 0-1"
threads() { # variables
  env -u OMP_NUM_THREADS -u NUMEXPR_NUM_THREADS "$@" ${cpus:-} "$python" -c \
    'import numexpr; print(numexpr.__version__, numexpr.nthreads)' 2>"$tools/err" || cat "$tools/err"
}
seen="$(threads NUMEXPR_MAX_THREADS=6); $(threads NUMEXPR_MAX_THREADS=1 NUMEXPR_NUM_THREADS=2)"
seen="$seen; $(grep -c 'cannot be larger' "$tools/err" || true)"
verdict "2.8.4 6; 2.8.4 2; 1" "$seen"
