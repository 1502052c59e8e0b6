package io.remuda.bench;

import io.remuda.worker.workload.convolution.ConvolutionItems;
import io.remuda.worker.workload.convolution.StridedImageConvolution;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.nio.file.Files;
import java.nio.file.Path;

/**
 * Writes the inputs and both results of {@link ConvolutionBenchmark} for a comparison with SciPy:
 * files of little-endian doubles.
 */
public final class ConvolutionFixtureWriter {

  static final int SIZE = 1024;
  static final long SEED = 1;

  private ConvolutionFixtureWriter() {}

  /** Writes the files; argument: the folder. */
  public static void main(String[] arguments) throws IOException {
    Path folder = Path.of(arguments[0]);
    double[] image = ConvolutionItems.image(SEED, 0, SIZE);
    double[] filter = ConvolutionItems.filter(SEED, 0);
    write(folder.resolve("image"), image);
    write(folder.resolve("filter"), filter);
    write(folder.resolve("kept"), StridedImageConvolution.subsampled(image, SIZE, filter));
    write(folder.resolve("full"), StridedImageConvolution.full(image, SIZE, filter));
  }

  private static void write(Path file, double[] values) throws IOException {
    ByteBuffer bytes =
        ByteBuffer.allocate(values.length * Double.BYTES).order(ByteOrder.LITTLE_ENDIAN);
    bytes.asDoubleBuffer().put(values);
    Files.write(file, bytes.array());
  }
}
