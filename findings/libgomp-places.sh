#!/bin/bash
# libgomp 12.2.0 of GCC (Debian 12)
# Guess:     OMP_PROC_BIND=true, or OMP_PLACES=cores, which every guide to OpenMP on clusters has, places the
#            threads of OpenMP's parallel regions, and a program without one is not touched.
# Behaviour: the main thread is bound to one CPU while the library is loaded, before a parallel region. Its
#            affinity is what all later child processes inherit. A Python that imports PyTorch,
#            scikit-learn or a BLAS with OpenMP then has data loaders and workers that all share one CPU,
#            and os.sched_getaffinity, nproc and joblib say that the job has one.
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

unpack libgomp1=12.2.0-14+deb12u1
[ "$(/usr/bin/python3 -c 'import os; print(min(2, len(os.sched_getaffinity(0))))')" = 2 ] || cannot "needs two CPUs"
cat >"$tools/f.py" <<'P'
import ctypes, os, subprocess, sys
mine = len(os.sched_getaffinity(0))
ctypes.CDLL(sys.argv[1])
child = "import os; print(len(os.sched_getaffinity(0)))"
told = {k: v for k, v in os.environ.items() if not k.startswith("OMP_")}
cpus = int(subprocess.check_output([sys.executable, "-c", child], env=told))
print("all" if cpus == mine else cpus)
P
child() { # a variable
  env -u OMP_PROC_BIND -u OMP_PLACES "$@" /usr/bin/python3 "$tools/f.py" "$(find "$tools" -name 'libgomp.so.1')"
}
seen="$(cd "$tools" && find . -name 'libgomp.so.1.*' -printf '%f'); without $(child); OMP_PROC_BIND=true $(child OMP_PROC_BIND=true)"
seen="$seen; OMP_PLACES=cores $(child OMP_PLACES=cores); OMP_PROC_BIND=false $(child OMP_PROC_BIND=false)"
verdict "libgomp.so.1.0.0; without all; OMP_PROC_BIND=true 1; OMP_PLACES=cores 1; OMP_PROC_BIND=false all" "$seen"
