package io.remuda.bench;

import io.remuda.worker.workload.convolution.ConvolutionItems;
import io.remuda.worker.workload.convolution.StridedImageConvolution;
import java.util.Arrays;
import java.util.concurrent.TimeUnit;
import org.openjdk.jmh.annotations.Benchmark;
import org.openjdk.jmh.annotations.BenchmarkMode;
import org.openjdk.jmh.annotations.Fork;
import org.openjdk.jmh.annotations.Measurement;
import org.openjdk.jmh.annotations.Mode;
import org.openjdk.jmh.annotations.OutputTimeUnit;
import org.openjdk.jmh.annotations.Scope;
import org.openjdk.jmh.annotations.Setup;
import org.openjdk.jmh.annotations.State;
import org.openjdk.jmh.annotations.TearDown;
import org.openjdk.jmh.annotations.Warmup;

/** Measures one item of the convolution pool, without generating its image; one thread. */
@State(Scope.Thread)
@BenchmarkMode(Mode.AverageTime)
@OutputTimeUnit(TimeUnit.MICROSECONDS)
@Fork(1)
@Warmup(iterations = 3, time = 1)
@Measurement(iterations = 5, time = 1)
public class ConvolutionBenchmark {

  private double[] image;
  private double[] filter;
  private double[] kept;
  private double[] whole;

  @Setup
  public void draw() {
    image = ConvolutionItems.image(ConvolutionFixtureWriter.SEED, 0, ConvolutionFixtureWriter.SIZE);
    filter = ConvolutionItems.filter(ConvolutionFixtureWriter.SEED, 0);
    int side = StridedImageConvolution.subsampledSide(ConvolutionFixtureWriter.SIZE);
    int wholeSide = StridedImageConvolution.fullSide(ConvolutionFixtureWriter.SIZE);
    kept = new double[side * side];
    whole = new double[wholeSide * wholeSide];
  }

  /** Computes only the outputs that {@code [::5, ::5]} keeps, as the workers do. */
  @Benchmark
  public double[] kept() {
    StridedImageConvolution.subsampled(image, ConvolutionFixtureWriter.SIZE, filter, kept);
    return kept;
  }

  /** Computes all outputs, then selects every fifth row and column. */
  @Benchmark
  public double[] full() {
    StridedImageConvolution.full(image, ConvolutionFixtureWriter.SIZE, filter, whole);
    return StridedImageConvolution.stride5(
        whole, StridedImageConvolution.fullSide(ConvolutionFixtureWriter.SIZE));
  }

  @TearDown
  public void check() {
    if (!Arrays.equals(kept(), full())) {
      throw new IllegalStateException("the kept outputs differ from those of the full convolution");
    }
  }
}
