package io.remuda.worker.workload.mnist;

import java.io.IOException;
import java.nio.channels.FileChannel;
import java.nio.channels.FileLock;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;
import org.bytedeco.javacpp.Loader;
import org.bytedeco.pytorch.global.torch;

/**
 * Unpacks libtorch's native libraries from their jars (350 MB) once per machine and loads them.
 *
 * <p>JavaCPP unpacks on first use. When several JVMs do this at once, one may map a file that
 * another is still writing, and crashes with SIGBUS. Here the first JVM unpacks under a file lock,
 * into a folder named after the versions, and creates a marker file; JVMs that find the marker only
 * load.
 */
public final class NativeLibraries {

  private static final String CACHE_PROPERTY = "org.bytedeco.javacpp.cachedir";

  private NativeLibraries() {}

  /**
   * Unpacks the libraries if needed and loads them. Must be called before any other libtorch class
   * is used; further calls in the same process have no effect.
   *
   * @param cacheDir a folder on a local disk; a subfolder is created in it
   * @throws IOException when the folder cannot be written
   * @throws UnsatisfiedLinkError when a library is missing or incompatible with the machine; with
   *     the CUDA build usually one of CUDA's own libraries, which must be on LD_LIBRARY_PATH
   */
  public static synchronized void prepare(Path cacheDir) throws IOException {
    leaveMemoryToLibtorch();
    Path folder = cacheDir.resolve("libtorch-" + build());
    Path mark = folder.resolve("complete");
    System.setProperty(CACHE_PROPERTY, folder.toAbsolutePath().toString());
    if (!Files.exists(mark)) {
      Files.createDirectories(folder);
      unpack(folder.resolve("unpack.lock"), mark);
    }
    Loader.load(torch.class);
  }

  /** Unpacks by loading, unless another process did so while this one waited for the lock. */
  @SuppressWarnings("try") // the lock is held while open
  private static void unpack(Path lockFile, Path mark) throws IOException {
    try (FileChannel channel =
            FileChannel.open(lockFile, StandardOpenOption.CREATE, StandardOpenOption.WRITE);
        FileLock lock = channel.lock()) {
      if (!Files.exists(mark)) {
        Loader.load(torch.class);
        Files.write(mark, new byte[0]);
      }
    }
  }

  /**
   * Disables JavaCPP's memory limits, which would otherwise restrict tensors to a multiple of the
   * Java heap and trigger garbage collections.
   */
  private static void leaveMemoryToLibtorch() {
    System.setProperty("org.bytedeco.javacpp.maxbytes", "0");
    System.setProperty("org.bytedeco.javacpp.maxphysicalbytes", "0");
  }

  /** Returns the presets' version and build variant, such as 2.10.0-1.5.13-linux-x86_64-gpu. */
  static String build() {
    String platform = Loader.getPlatform();
    String gpuPlatform = platform + "-gpu";
    boolean gpu = torch.class.getResource("/org/bytedeco/pytorch/" + gpuPlatform) != null;
    String version = torch.class.getPackage().getImplementationVersion();
    return (version == null ? "unversioned" : version) + "-" + (gpu ? gpuPlatform : platform);
  }
}
