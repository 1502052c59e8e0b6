#!/bin/bash
# tmux 3.3a (Debian 12)
# Guess:     tmux new-session -d ./train starts ./train with the variables and the CPUs of the shell that
#            says so, as nohup, setsid and screen -dm do.
# Behaviour: the user's first tmux on the machine leaves a server behind, and this one starts the programs
#            of all later sessions, with the environment and affinity that it was started with (but for
#            DISPLAY and a few). Of two jobs of one user on one node the second trains on the GPU of
#            the first, counts as part of it, and is ended with it.
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

unpack tmux=3.3a-3 libutempter0=1.2.1-3 libevent-core-2.1-7=2.1.12-stable-8
unset TMUX
export TERM=xterm TMUX_TMPDIR=$tools
cpu=$(/usr/bin/python3 -c 'import os; print(*sorted(os.sched_getaffinity(0))[:2])')
[ "${cpu/ /}" != "$cpu" ] || cannot "needs two CPUs"
session() { # GPU, CPU, name, program
  CUDA_VISIBLE_DEVICES=$1 SECOND=${3#first} taskset -c "$2" tmux -f /dev/null new-session -d -s "$3" "$4"
}
session 0 "${cpu% *}" first 'sleep 30'
session 1 "${cpu#* }" second "
  { echo GPU \$CUDA_VISIBLE_DEVICES; [ \"\$SECOND\" = second ] && echo its own variable || echo none of its own
    [ \$(sed -n 's/^Cpus_allowed_list:.//p' /proc/self/status) = ${cpu% *} ] && echo CPU of the first; } >$tools/seen.new
  mv $tools/seen.new $tools/seen"
for _ in $(seq 50); do [ -e "$tools/seen" ] && break; sleep 0.2; done
seen="$(tmux -V); $(paste -s -d , "$tools/seen")"
tmux kill-server
verdict "tmux 3.3a; GPU 0,none of its own,CPU of the first" "$seen"
