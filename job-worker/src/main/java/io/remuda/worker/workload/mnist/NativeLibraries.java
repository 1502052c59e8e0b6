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
 * <p>JavaCPP unpacks on first use; when several JVMs do that at once, some map a file another is
 * still writing and die with SIGBUS. Here the first one unpacks under a file lock, into a folder
 * named after the versions, and leaves a mark; those that find the mark only load.
 */
public final class NativeLibraries {

  private static final String CACHE_PROPERTY = "org.bytedeco.javacpp.cachedir";

  private NativeLibraries() {}

  /**
   * Unpacks if need be, and loads. To be called before any other class of libtorch is used; a
   * second call in the same process does nothing more.
   *
   * @param cacheDir on a local disk; a subfolder is made in it
   * @throws IOException when the folder cannot be written
   * @throws UnsatisfiedLinkError when a library is missing or does not fit the machine; with the
   *     CUDA build usually CUDA's own libraries, which must be on LD_LIBRARY_PATH
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

  /** Unpacks by loading, unless somebody else has done it while we waited for the lock. */
  @SuppressWarnings("try") // the lock works by being there
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
   * JavaCPP would otherwise hold tensors to a multiple of the Java heap, with garbage collections.
   */
  private static void leaveMemoryToLibtorch() {
    System.setProperty("org.bytedeco.javacpp.maxbytes", "0");
    System.setProperty("org.bytedeco.javacpp.maxphysicalbytes", "0");
  }

  /** The presets' version and kind of build, such as 2.10.0-1.5.13-linux-x86_64-gpu. */
  private static String build() {
    String platform = Loader.getPlatform();
    String gpuPlatform = platform + "-gpu";
    boolean gpu = torch.class.getResource("/org/bytedeco/pytorch/" + gpuPlatform) != null;
    String version = torch.class.getPackage().getImplementationVersion();
    return (version == null ? "unversioned" : version) + "-" + (gpu ? gpuPlatform : platform);
  }
}
