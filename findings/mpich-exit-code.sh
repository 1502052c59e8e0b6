#!/bin/bash
# MPICH 4.0.2 (Debian 12), its Hydra
# Guess:     mpiexec ends with the exit code of a rank: the first that failed (as Open MPI's does), or the
#            greatest (as srun's).
# Behaviour: with the bitwise or of all of them, which may be a code that no rank has ever given: ranks
#            that end with 1 and 2 make it 3, and with 65 and 10 it is 75, by which a batch system that
#            knows sysexits.h starts the job again ("temporary failure").
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

unpack mpich=4.0.2-3+b1 libhwloc15=2.9.0-1 libslurm38=22.05.8-4+deb12u3
unset "${!PMI_@}" "${!SLURM_@}"
codes() { # of the two ranks
  timeout 30 mpiexec.hydra -launcher fork -np 1 sh -c "exit $1" : -np 1 sh -c "exit $2" >"$tools/out" 2>&1
  echo $?
}
seen="$(mpiexec.hydra --version | sed -n 's/^ *Version: *//p'); $(codes 1 2); $(codes 65 10); $(codes 4 0)"
verdict "4.0.2; 3; 75; 4" "$seen"
