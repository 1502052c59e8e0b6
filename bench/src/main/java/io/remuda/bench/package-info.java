/** What the benchmarks run inside a JVM; {@code bench.py} starts it and writes the figures down. */
package io.remuda.bench;
