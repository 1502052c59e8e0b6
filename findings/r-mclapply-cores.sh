#!/bin/bash
# R 4.2.2 (Debian 12), its own package parallel
# Guess:     mclapply(X, f) gives the same result with any number of cores; MC_CORES, from which it
#            takes the number, only makes it faster or slower.
# Behaviour: with 2 (and without the variable, which means 2) an error in f becomes an element of class
#            "try-error" and a warning, and the script goes on. With 1 no process is forked, f is called
#            by lapply, and the same error ends the script. A batch system that sets MC_CORES to the
#            cores of a job breaks scripts in jobs of one core, and only there.
. "$(dirname "$0")/debian.sh"
command -v Rscript >/dev/null || cannot "needs r-base-core, whose libraries are too many to unpack"
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
