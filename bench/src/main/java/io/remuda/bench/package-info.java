/**
 * Programs that the benchmarks run inside a JVM; {@code bench.py} starts them and records the
 * figures.
 */
package io.remuda.bench;
