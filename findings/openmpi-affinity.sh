#!/bin/bash
# Open MPI 4.1.4 (Debian 12), with hwloc 2.9
# Guess:     a process stays on the CPUs that it was started on: taskset -c 1 mpirun -np 1 ./a runs on
#            CPU 1, and two such commands beside each other do not meet.
# Behaviour: mpirun binds the first rank to the first core of the machine, whatever its own affinity is:
#            both run on CPU 0. Only a cpuset of a control group holds it. A job that was bound by its
#            affinity, without root, leaves its CPUs for those of another one.
# Beside it: hwloc-bind does the same. With the policy "none" the ranks keep the affinity of mpirun.
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

[ "$(/usr/bin/python3 -c 'import os; print(1 if {0, 1} <= os.sched_getaffinity(0) else 0)')" = 1 ] ||
  cannot "needs CPUs 0 and 1"
unpack openmpi-bin=4.1.4-3+b1 openmpi-common=4.1.4-3 libopenmpi3=4.1.4-3+b1 libpmix2=4.2.2-1+deb12u1 \
  libhwloc15=2.9.0-1 libevent-core-2.1-7=2.1.12-stable-8 libevent-pthreads-2.1-7=2.1.12-stable-8 \
  libmunge2=0.5.15-2+deb12u1
unset "${!OMPI_MCA_@}" "${!SLURM_@}"
export OPAL_PREFIX=$tools/usr PMIX_INSTALL_PREFIX=$tools/usr/lib/x86_64-linux-gnu/pmix2
export OMPI_ALLOW_RUN_AS_ROOT=1 OMPI_ALLOW_RUN_AS_ROOT_CONFIRM=1
cpus() { # by what it is started
  timeout 40 "$@" orterun -np 1 sed -n 's/^Cpus_allowed_list:\t*//p' /proc/self/status 2>"$tools/err" || cat "$tools/err"
}
seen="$(orterun --version | sed -n 's/^orterun .*) //p'); from CPU 0: $(cpus taskset -c 0)"
seen="$seen; from CPU 1: $(cpus taskset -c 1)"
seen="$seen; with the policy none: $(cpus env OMPI_MCA_hwloc_base_binding_policy=none taskset -c 1)"
verdict "4.1.4; from CPU 0: 0; from CPU 1: 0; with the policy none: 1" "$seen"
