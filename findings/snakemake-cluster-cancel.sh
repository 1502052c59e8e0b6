#!/bin/bash
# snakemake 7.21.0 (Debian 12)
# Guess:     --cluster-cancel takes a command line, as its siblings do: --cluster "sbatch --parsable"
#            and --cluster-status "check.sh -q" are lines for a shell.
# Behaviour: its text is the name of one program, blank included, so that a command with an option is
#            not found: Ctrl-C ends snakemake with an exception and leaves the jobs running.
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

missing() { # NAME=VERSION: it and what it depends on, but for what is installed
  apt-get -s install --no-install-recommends "$1" 2>/dev/null |
    awk '/^Inst/ && $3 !~ /^\[/ { print $2 "=" substr($3, 2) }'
}

if ! command -v snakemake >/dev/null; then
  # shellcheck disable=SC2046 # a word for each package
  unpack $(missing snakemake=7.21.0-1)
fi
cat >Snakefile <<'S'
rule slow:
    output: "slow.txt"
    shell: "sleep 20; touch {output}"
S
printf '#!/bin/sh\n[ "$1" != -x ] || shift\n"$1" >/dev/null 2>&1 &\necho $! | tee -a jobs\ntouch started\n' >batch
printf '#!/bin/sh\necho running\n' >status
printf '#!/bin/sh\necho "$@" >>cancelled\n' >cancel
chmod +x batch status cancel
try() { # what cancels
  rm -rf .snakemake started cancelled
  ( trap - INT; exec setsid snakemake --jobs 1 --cluster "$tools/batch -x" --cluster-status "$tools/status -x" \
    --cluster-cancel "$1" slow.txt >log 2>&1 ) &
  run=$!
  for _ in $(seq 60); do [ -e started ] && break; sleep 1; done
  sleep 2
  kill -INT $run; wait $run; tail -n 3 log >&2
  [ -e cancelled ] && echo cancelled || echo "left running"
}
seen="$(snakemake --version); $(try "$tools/cancel"); $(try "$tools/cancel -x")"
while read -r job; do kill "$job" 2>/dev/null; done <jobs
verdict "7.21.0; cancelled; left running" "$seen"
