package io.remuda.worker.workload.mnist.data;

import java.nio.file.Path;
import java.util.Objects;

/**
 * A request for MNIST data.
 *
 * @param dataDir the folder that the user specified ({@code --data-dir} or MNIST_DIR), or null; it
 *     is only read
 * @param cacheDir the user's cache folder on this machine; created on the first write
 * @param verify whether the files must be the genuine MNIST; false for other data sets of the same
 *     format, such as Fashion-MNIST. Applies only to {@code dataDir}: cached files are always
 *     verified
 * @param seed seed of the drawn digits, used when there is neither a folder nor a network
 */
public record DataRequest(Path dataDir, Path cacheDir, boolean verify, long seed) {

  public DataRequest {
    Objects.requireNonNull(cacheDir, "cacheDir");
  }
}
