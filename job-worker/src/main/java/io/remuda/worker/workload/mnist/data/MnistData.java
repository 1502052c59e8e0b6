package io.remuda.worker.workload.mnist.data;

import java.net.URI;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.function.Consumer;

/**
 * Finds the MNIST data: the folder the user named, else the user's cache, else one download per
 * machine, else digits drawn by this program.
 *
 * <p>Cheap when there is a folder or a filled cache (files are read and checked in under half a
 * second), so that it can be called before anything is started. Any number of processes may call it
 * at once: those that find an empty cache wait for the first of them.
 */
public final class MnistData {

  /** Public mirrors of MNIST's four packed files, tried in this order. */
  static final List<URI> MIRRORS =
      List.of(
          URI.create("https://ossci-datasets.s3.amazonaws.com/mnist/"),
          URI.create("https://storage.googleapis.com/cvdf-datasets/mnist/"));

  private final DataRequest request;
  private final Consumer<String> says;
  private final List<URI> mirrors;

  private MnistData(DataRequest request, Consumer<String> says, List<URI> mirrors) {
    this.request = request;
    this.says = says;
    this.mirrors = mirrors;
  }

  /**
   * Finds, fetches or draws the data; blocks meanwhile.
   *
   * @param says receives lines for the user, on the calling thread: a download, its failure, a wait
   * @throws DataException when the given folder is no good, or the cache cannot be written
   */
  public static LocatedData locate(DataRequest request, Consumer<String> says)
      throws DataException {
    return locate(request, says, MIRRORS);
  }

  static LocatedData locate(DataRequest request, Consumer<String> says, List<URI> mirrors)
      throws DataException {
    return new MnistData(request, says, mirrors).locate();
  }

  private LocatedData locate() throws DataException {
    if (request.dataDir() != null) {
      MnistFolder given = MnistFolder.at(request.dataDir(), request.verify());
      given.check();
      return new LocatedData(given.path(), DataOrigin.GIVEN);
    }
    if (cacheIsGood()) {
      return new LocatedData(genuine(), DataOrigin.CACHE);
    }
    CacheLock lock = CacheLock.take(request.cacheDir(), says);
    try {
      return fill();
    } finally {
      lock.close();
    }
  }

  /** With the cache locked: another process may have filled it in the meantime. */
  private LocatedData fill() throws DataException {
    if (cacheIsGood()) {
      return new LocatedData(genuine(), DataOrigin.CACHE);
    }
    MnistDownload download = new MnistDownload(request.cacheDir(), mirrors, says);
    if (download.into(genuine())) {
      return new LocatedData(genuine(), DataOrigin.DOWNLOADED);
    }
    says.accept(
        "MNIST could not be downloaded: using digits drawn by this program instead;"
            + " name a folder with the MNIST files by --data-dir or MNIST_DIR for the real ones");
    return new LocatedData(DrawnSet.in(request.cacheDir(), request.seed()), DataOrigin.DRAWN);
  }

  private boolean cacheIsGood() {
    if (!Files.isDirectory(genuine()) || !MnistFolder.isComplete(genuine())) {
      return false;
    }
    try {
      MnistFolder.at(genuine(), true).check();
      return true;
    } catch (DataException e) {
      says.accept("the cached MNIST is damaged and is fetched again: " + e.getMessage());
      return false;
    }
  }

  private Path genuine() {
    return request.cacheDir().resolve("mnist");
  }
}
