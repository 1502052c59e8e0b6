#!/bin/bash
# R 4.2.2 (Debian 12), its own package parallel
# Guess:     mclapply(X, f) gives the same result with any number of cores; MC_CORES, from which it
#            takes the number, only makes it faster or slower.
# Behaviour: with 2 (and without the variable, which means 2) an error in f becomes an element of class
#            "try-error" and a warning, and the script goes on. With 1 no process is forked, f is called
#            by lapply, and the same error ends the script. A batch system that sets MC_CORES to the
#            cores of a job breaks scripts in jobs of one core, and only there.
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

if ! command -v Rscript >/dev/null; then
  # shellcheck disable=SC2046 # a word for each package
  unpack $(missing r-base-core=4.2.2.20221110-2)
  cp usr/lib/R/etc/Renviron.ucf etc/R/Renviron # as its installation does
  for each in usr/lib/R/etc/*; do # scripts and links of R say where it is installed
    [ ! -L "$each" ] || ln -sf "$tools$(readlink "$each")" "$each"
  done
  sed -i "s:=/usr/:=$tools/usr/:" usr/lib/R/bin/R
  export RHOME=$tools/usr/lib/R PATH=$tools/usr/lib/R/bin:$PATH
fi
cat >"$tools/f.R" <<'R'
library(parallel)
results <- mclapply(1:4, function(i) if (i == 2) stop("no such file") else i)
cat("goes on with", class(results[[2]]))
R
seen=$(Rscript -e 'cat(as.character(getRversion()))')
for cores in 1 2; do
  seen="$seen; $(MC_CORES=$cores Rscript "$tools/f.R" 2>/dev/null) exit $?"
done
verdict "4.2.2;  exit 1; goes on with try-error exit 0" "$seen"
