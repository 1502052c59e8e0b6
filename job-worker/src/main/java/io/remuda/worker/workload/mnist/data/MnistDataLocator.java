package io.remuda.worker.workload.mnist.data;

import java.net.URI;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.function.Consumer;

/**
 * Locates the MNIST data: the folder that the user specified, else the user's cache, else one
 * download per machine, else digits drawn by this program.
 *
 * <p>With a folder or a filled cache this is cheap (files are read and checked in under half a
 * second), so it can be called before anything is started. Any number of processes may call it at
 * once: if the cache is empty, one process fills it and the others wait.
 */
public final class MnistDataLocator {

  /** Public mirrors of MNIST's four compressed files, in the order in which they are tried. */
  static final List<URI> MIRRORS =
      List.of(
          URI.create("https://ossci-datasets.s3.amazonaws.com/mnist/"),
          URI.create("https://storage.googleapis.com/cvdf-datasets/mnist/"));

  private final DataRequest request;
  private final Consumer<String> says;
  private final List<URI> mirrors;

  private MnistDataLocator(DataRequest request, Consumer<String> says, List<URI> mirrors) {
    this.request = request;
    this.says = says;
    this.mirrors = mirrors;
  }

  /**
   * Locates, downloads or draws the data; blocks until done.
   *
   * @param says receives lines for the user on the calling thread: a download, its failure, a wait
   * @throws DataException when the specified folder is unusable, or the cache cannot be written
   */
  public static LocatedData locate(DataRequest request, Consumer<String> says)
      throws DataException {
    return locate(request, says, MIRRORS);
  }

  static LocatedData locate(DataRequest request, Consumer<String> says, List<URI> mirrors)
      throws DataException {
    return new MnistDataLocator(request, says, mirrors).locate();
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

  /**
   * Fills the cache, which must be locked; checks it first, as another process may have filled it.
   */
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
            + " for the real data name a folder with the MNIST files by --data-dir or MNIST_DIR");
    return new LocatedData(
        DrawnDigitDataset.in(request.cacheDir(), request.seed()), DataOrigin.DRAWN);
  }

  private boolean cacheIsGood() {
    if (!Files.isDirectory(genuine()) || !MnistFolder.isComplete(genuine())) {
      return false;
    }
    try {
      MnistFolder.at(genuine(), true).check();
      return true;
    } catch (DataException e) {
      says.accept("the cached MNIST is damaged and will be downloaded again: " + e.getMessage());
      return false;
    }
  }

  private Path genuine() {
    return request.cacheDir().resolve("mnist");
  }
}
