package io.remuda.coordinator.testkit;

import java.io.IOException;
import java.io.RandomAccessFile;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Optional;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.locks.LockSupport;

/**
 * A file system of its own that can be made to stand still, as a snapshot does it: what writes to
 * it waits until it is thawed. An ext4 image on a loop device; only root may have one.
 */
public final class FrozenDisk implements AutoCloseable {

  private static final long PATIENCE_NANOS = TimeUnit.SECONDS.toNanos(30);

  private final Path folder;
  private final Path image;
  private boolean frozen;

  private FrozenDisk(Path folder, Path image) {
    this.folder = folder;
    this.image = image;
  }

  /** Mounts one on a folder; nothing, where that is not allowed. */
  public static Optional<FrozenDisk> mount(Path folder, int megabytes) throws IOException {
    Files.createDirectories(folder);
    Path image = folder.resolveSibling(folder.getFileName() + ".ext4");
    try (RandomAccessFile file = new RandomAccessFile(image.toFile(), "rw")) {
      file.setLength((long) megabytes << 20);
    }
    boolean mounted =
        run("mkfs.ext4", "-q", "-F", image.toString())
            && run("mount", "-o", "loop", image.toString(), folder.toString());
    return mounted ? Optional.of(new FrozenDisk(folder, image)) : Optional.empty();
  }

  private static boolean run(String... command) throws IOException {
    Process process;
    try {
      process = new ProcessBuilder(command).inheritIO().start();
    } catch (IOException missing) {
      return false;
    }
    try {
      return process.waitFor(60, TimeUnit.SECONDS) && process.exitValue() == 0;
    } catch (InterruptedException stop) {
      Thread.currentThread().interrupt();
      return false;
    }
  }

  /** From now on nothing is written. */
  public void freeze() throws IOException {
    if (!run("fsfreeze", "--freeze", folder.toString())) {
      throw new IOException("cannot freeze " + folder);
    }
    frozen = true;
  }

  /** All that has waited goes on. */
  public void thaw() throws IOException {
    if (frozen && !run("fsfreeze", "--unfreeze", folder.toString())) {
      throw new IOException("cannot thaw " + folder);
    }
    frozen = false;
  }

  /** A process that was just killed may still hold it for a moment. */
  @Override
  public void close() throws IOException {
    thaw();
    long deadline = System.nanoTime() + PATIENCE_NANOS;
    while (!run("umount", folder.toString())) {
      if (System.nanoTime() > deadline) {
        throw new IOException("cannot unmount " + folder);
      }
      LockSupport.parkNanos(TimeUnit.MILLISECONDS.toNanos(200));
    }
    Files.delete(image);
  }
}
