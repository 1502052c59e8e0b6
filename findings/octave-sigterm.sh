#!/bin/bash
# Octave 7.3.0 (Debian 12)
# Guess:     SIGTERM ends octave script.m at once, as every program without a handler, with nothing written.
# Behaviour: it first writes all variables into the file octave-workspace of the folder that it is in, however
#            large they are: at each time limit, cancellation and preemption. The tasks of an array that
#            run in one folder write over each other's, and 20 GiB of variables outlast a grace of 30 s.
# Beside it: SIGHUP does the same, SIGINT does not, SIGUSR1 and SIGUSR2 are ignored, with a warning.
#            sigterm_dumps_octave_core(false) in the script turns it off.
. "$(dirname "$0")/debian.sh"
command -v octave-cli >/dev/null || cannot "needs octave, which depends on 100 packages"
cd "$tools" || exit 2
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
