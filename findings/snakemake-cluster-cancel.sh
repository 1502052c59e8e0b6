#!/bin/bash
# snakemake 7.21.0 (Debian 12)
# Guess:     --cluster-cancel takes a command line, as its siblings do: --cluster "sbatch --parsable"
#            and --cluster-status "check.sh -q" are lines for a shell.
# Behaviour: its text is the name of one program, blank included, so that a command with an option is
#            not found: Ctrl-C ends snakemake with an exception and leaves the jobs running.
. "$(dirname "$0")/debian.sh"
command -v snakemake >/dev/null || cannot "needs snakemake, which depends on 100 packages"
cd "$tools" || exit 2
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
