#!/bin/bash
# Octave 7.3.0 (Debian 12)
# Guess:     SIGTERM ends octave script.m at once, as every program without a handler, with nothing written.
# Behaviour: it first writes all variables into the file octave-workspace of the folder that it is in, however
#            large they are: at each time limit, cancellation and preemption. The tasks of an array that
#            run in one folder write over each other's, and 20 GiB of variables outlast a grace of 30 s.
# Beside it: SIGHUP does the same, SIGINT does not, SIGUSR1 and SIGUSR2 are ignored, with a warning.
#            sigterm_dumps_octave_core(false) in the script turns it off.
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

if ! command -v octave-cli >/dev/null; then
  # shellcheck disable=SC2046 # a word for each package
  unpack $(missing octave=7.3.0-2)
  export OCTAVE_HOME=$tools/usr
fi
try() { # signal, first line of the script
  printf '%s\nx = rand(500);\nfclose(fopen("up", "w"));\nfor i = 1:600 pause(0.1); end\n' "${2:-}" >s.m
  rm -f up octave-workspace
  octave-cli --no-init-file s.m >out 2>&1 &
  run=$!
  for _ in $(seq 150); do [ -e up ] && break; sleep 0.2; done
  sleep 0.5
  kill "-$1" $run
  wait $run
  [ -e octave-workspace ] && echo written || echo nothing
}
seen="$(octave-cli --version | sed -n 's/^GNU Octave, version //p'); TERM: $(try TERM); HUP: $(try HUP); INT: $(try INT)"
seen="$seen; turned off: $(try TERM 'sigterm_dumps_octave_core(false);')"
verdict "7.3.0; TERM: written; HUP: written; INT: nothing; turned off: nothing" "$seen"
