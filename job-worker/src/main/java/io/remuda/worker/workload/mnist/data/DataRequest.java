package io.remuda.worker.workload.mnist.data;

import java.nio.file.Path;
import java.util.Objects;

/**
 * Which MNIST data is wanted.
 *
 * @param dataDir the folder the user named ({@code --data-dir} or MNIST_DIR), or null for none; it
 *     is only read
 * @param cacheDir the user's cache folder on this machine; made when something is written to it
 * @param verify whether the files must be the genuine MNIST; false for sets of the same format,
 *     such as Fashion-MNIST. Only for {@code dataDir}: what the cache holds is always verified
 * @param seed for the digits drawn when there is neither a folder nor a network
 */
public record DataRequest(Path dataDir, Path cacheDir, boolean verify, long seed) {

  public DataRequest {
    Objects.requireNonNull(cacheDir, "cacheDir");
  }
}
