#!/bin/sh
# fuzz.sh MINUTES CLASSPATH TARGETS: runs the fuzzer (Jazzer) on each target class of a module, in the
# module's folder, for an equal part of MINUTES. It begins with src/test/fuzz/TARGET, keeps what it
# learns in target/fuzz/TARGET, and fails if an input does anything but what the target allows, takes
# longer than a minute or more memory than 1 GiB. Such an input becomes a file of src/test/fuzz/TARGET,
# which each build goes over.
set -eu
minutes=$1
classpath=$2
targets=$3
all=5 # targets, in all modules

found=0
for target in $targets; do
  name=${target##*.}
  learned=target/fuzz/$name
  mkdir -p "$learned"
  printf 'fuzz: %s for %s s\n' "$name" $((minutes * 60 / all))
  java -Xmx1g -XX:+UseSerialGC -cp "$classpath" com.code_intelligence.jazzer.Jazzer \
    --target_class="$target" \
    --instrumentation_includes='io.remuda.**:com.fasterxml.jackson.**:org.snakeyaml.**' \
    --reproducer_path=target/fuzz \
    -artifact_prefix="target/fuzz/$name-" \
    -max_total_time=$((minutes * 60 / all)) -timeout=60 -rss_limit_mb=3000 -max_len=4096 \
    -print_final_stats=1 "$learned" "src/test/fuzz/$name" >"target/fuzz/$name.log" 2>&1 || {
    found=1
    printf 'fuzz: %s HAS FOUND SOMETHING:\n' "$name"
    sed -n '/^== /,/^Base64/p' "target/fuzz/$name.log"
  }
  grep -E '^stat::(number_of_executed_units|new_units_added)|^#.*DONE' "target/fuzz/$name.log" || true
done
exit $found
