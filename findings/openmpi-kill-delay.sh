#!/bin/bash
# Open MPI 4.1.4 (Debian 12)
# Guess:     mpirun passes a SIGTERM on to its ranks at once. The parameter odls_base_sigkill_timeout
#            ("time to wait for a process to die after issuing a kill signal to it") gives them longer.
# Behaviour: the parameter is waited twice: first without any signal, then between SIGTERM and SIGKILL. By
#            default a rank hears of its end after 1 s and is killed 1 s later, however long the batch
#            system would have waited. Who sets 8 to have 8 s for a checkpoint has ranks that train on for
#            8 s first: of a grace of 15 s they get 7.
# Beside it: SIGUSR1 and SIGUSR2 are passed on at once, and end nothing.
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

unpack openmpi-bin=4.1.4-3+b1 openmpi-common=4.1.4-3 libopenmpi3=4.1.4-3+b1 libpmix2=4.2.2-1+deb12u1 \
  libhwloc15=2.9.0-1 libevent-core-2.1-7=2.1.12-stable-8 libevent-pthreads-2.1-7=2.1.12-stable-8 \
  libmunge2=0.5.15-2+deb12u1
unset "${!OMPI_MCA_@}" "${!SLURM_@}"
export OPAL_PREFIX=$tools/usr PMIX_INSTALL_PREFIX=$tools/usr/lib/x86_64-linux-gnu/pmix2
export OMPI_ALLOW_RUN_AS_ROOT=1 OMPI_ALLOW_RUN_AS_ROOT_CONFIRM=1
cat >rank.py <<'P'
import os, signal, sys, time
def asked(*_):
    heard = time.time()
    asked_at = os.stat("sent").st_mtime
    while time.time() - heard < 15:
        with open("seen.new", "w") as f:
            f.write(f"{heard - asked_at} {time.time() - heard}")
        os.replace("seen.new", "seen")
        time.sleep(0.1)
    sys.exit(0)
signal.signal(signal.SIGTERM, asked)
open("up", "w").close()
time.sleep(60)
P
try() { # parameter
  rm -f up sent seen
  timeout 50 orterun --mca odls_base_sigkill_timeout "$1" -np 1 /usr/bin/python3 rank.py >log 2>&1 &
  run=$!
  for _ in $(seq 100); do [ -e up ] && break; sleep 0.2; done
  touch sent
  kill -TERM "$(tr -d " " <"/proc/$run/task/$run/children")"
  wait $run
  awk -v t="$1" '{ print (($1 > t - 0.7) ? "asked late," : "asked at once,"), (($2 < t + 3) ? "killed soon" : "left to end") }' seen
  cat seen >&2; echo >&2
}
seen="$(orterun --version | sed -n 's/^orterun .*) //p'); 1: $(try 1); 6: $(try 6)"
verdict "4.1.4; 1: asked late, killed soon; 6: asked late, killed soon" "$seen"
