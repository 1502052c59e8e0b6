package io.remuda.worker.workload.seeded;

/**
 * The SplitMix64 generator. A seed gives the same numbers on every machine and every JDK, which
 * {@link java.util.SplittableRandom} does not guarantee.
 *
 * <p>Source: Steele, Lea and Flood, "Fast Splittable Pseudorandom Number Generators", OOPSLA 2014;
 * the constants are those of the reference implementation by Vigna. {@link StrictMath} is used
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
   * Returns a generator for one of many objects drawn from one seed.
   *
   * @param seed the common seed
   * @param stream the kind of object, for example images or filters
   * @param index the number of the object within its kind
   */
  public static SplitMix64 substream(long seed, long stream, long index) {
    return new SplitMix64(mix(mix(mix(seed) + stream * GOLDEN) + index * GOLDEN));
  }

  /** Returns the next 64 bits. */
  public long next() {
    state += GOLDEN;
    return mix(state);
  }

  /** Returns a multiple of 2^-53 in [0, 1). */
  public double uniform() {
    return (next() >>> 11) * 0x1p-53;
  }

  /** Returns a value in [low, high). */
  public double uniform(double low, double high) {
    return low + (high - low) * uniform();
  }

  /** Returns an integer in [0, bound), for bounds far below 2^53. */
  public int below(int bound) {
    return (int) (uniform() * bound);
  }

  /** Returns a standard normal value by the Box-Muller formula; consumes two uniform values. */
  public double normal() {
    double radius = StrictMath.sqrt(-2.0 * StrictMath.log(1.0 - uniform()));
    return radius * StrictMath.cos(2.0 * Math.PI * uniform());
  }

  /**
   * Fills the first {@code count} elements of {@code target} with multiples of 2^-32 in [0, 1), two
   * per 64 bits, which is half the cost of {@link #uniform()} per value.
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
