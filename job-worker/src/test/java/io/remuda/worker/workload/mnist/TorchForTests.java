package io.remuda.worker.workload.mnist;

import io.remuda.worker.workload.mnist.data.DataException;
import io.remuda.worker.workload.mnist.data.DataRequest;
import io.remuda.worker.workload.mnist.data.GenuineMnist;
import io.remuda.worker.workload.mnist.data.MnistDataLocator;
import io.remuda.worker.workload.mnist.data.MnistImages;
import java.io.IOException;
import java.nio.file.Path;
import org.bytedeco.pytorch.global.torch;

/**
 * libtorch loaded once for a test JVM, from a cache in the build folder; and images to train on.
 */
final class TorchForTests {

  private static final Path CACHE = Path.of("target", "workload-cache");

  private TorchForTests() {}

  /** To be called before any other class of libtorch is used. */
  static void load() throws IOException {
    NativeLibraries.prepare(CACHE);
    torch.set_num_threads(1);
  }

  /** The genuine MNIST where it is there, else the drawn set. */
  static MnistImages images() throws DataException {
    Path folder = GenuineMnist.folder().orElse(null);
    return MnistImages.load(
        MnistDataLocator.locate(new DataRequest(folder, CACHE, true, 1), System.out::println));
  }
}
