package io.remuda.worker.workload.seeded;

/**
 * The SplitMix64 generator: the same seed gives the same numbers on every machine and every JDK,
 * which {@link java.util.SplittableRandom} does not promise.
 *
 * <p>Source: Steele, Lea and Flood, "Fast Splittable Pseudorandom Number Generators", OOPSLA 2014;
 * the constants are those of the reference implementation by Vigna. Only {@link StrictMath} is used
 * where a function's last bit could differ between machines. One thread per instance.
 */
public final class SplitMix64 {

  /** The step between two states, 2^64 divided by the golden ratio, made odd. */
  private static final long GOLDEN = 0x9E3779B97F4A7C15L;

  private long state;

  public SplitMix64(long seed) {
    this.state = seed;
  }

  /**
   * A generator for one of many things drawn from the same seed.
   *
   * @param seed the seed of the whole
   * @param stream which kind of thing, for example images or filters
   * @param index which one of that kind
   */
  public static SplitMix64 substream(long seed, long stream, long index) {
    return new SplitMix64(mix(mix(mix(seed) + stream * GOLDEN) + index * GOLDEN));
  }

  /** The next 64 bits. */
  public long next() {
    state += GOLDEN;
    return mix(state);
  }

  /** A multiple of 2^-53 in [0, 1). */
  public double uniform() {
    return (next() >>> 11) * 0x1p-53;
  }

  /** A value in [low, high). */
  public double uniform(double low, double high) {
    return low + (high - low) * uniform();
  }

  /** A whole number in [0, bound), for bounds far below 2^53. */
  public int below(int bound) {
    return (int) (uniform() * bound);
  }

  /** A standard normal value, by the Box-Muller formula; takes two uniform values. */
  public double normal() {
    double radius = StrictMath.sqrt(-2.0 * StrictMath.log(1.0 - uniform()));
    return radius * StrictMath.cos(2.0 * Math.PI * uniform());
  }

  /**
   * Fills the first {@code count} places of {@code target} with multiples of 2^-32 in [0, 1), two
   * from each 64 bits: half the work of {@link #uniform()} for each.
   */
  public void fill(double[] target, int count) {
    long at = state;
    int even = count & ~1;
    for (int i = 0; i < even; i += 2) {
      at += GOLDEN;
      long bits = mix(at);
      target[i] = (bits >>> 32) * 0x1p-32;
      target[i + 1] = (bits & 0xFFFFFFFFL) * 0x1p-32;
    }
    state = at;
    if (even < count) {
      target[even] = (next() >>> 32) * 0x1p-32;
    }
  }

  private static long mix(long z) {
    z = (z ^ (z >>> 30)) * 0xBF58476D1CE4E5B9L;
    z = (z ^ (z >>> 27)) * 0x94D049BB133111EBL;
    return z ^ (z >>> 31);
  }
}
